"""Security headers. Everything a page needs comes from this server: no scripts or styles inside pages,
nothing from elsewhere, no framing.
"""

from __future__ import annotations

import re

from flask import Flask, Response, request
from flask import session as cookie
from flask_wtf import CSRFProtect
from werkzeug.exceptions import RequestEntityTooLarge

from judge.config import Settings
from judge.web.frame.texts import gettext

csrf = CSRFProtect()
# Of a form without an account and without files: reading one takes seventy times its size for a while.
LONGEST_FORM, URL_ENCODED = 2 * 2**20, "application/x-www-form-urlencoded"
# Pages with passwords, links that let somebody in, or codes: no browser and no proxy keeps a copy.
SECRET = re.compile(r"/(?:join/|account|sign-in|e/[^/]+/desk/staff|e/[^/]+/register/)")

CONTENT = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)


def init_security(app: Flask, settings: Settings) -> None:
    app.config.update(
        MAX_CONTENT_LENGTH=settings.max_body,
        MAX_FORM_MEMORY_SIZE=settings.max_body,
        SESSION_COOKIE_NAME="judge",
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings.is_https,
        WTF_CSRF_TIME_LIMIT=None,  # a form may stay open for a whole round; the token ends with the session
    )
    app.before_request(_refuse_huge_bodies)
    csrf.init_app(app)
    app.after_request(lambda response: _add_headers(response, settings))


def _refuse_huge_bodies() -> None:
    """Refuse a body that is too large at once, even if the route would not read it."""
    limit, length = request.max_content_length, request.content_length
    if limit is not None and length is not None and length > limit:
        raise RequestEntityTooLarge
    if request.mimetype == URL_ENCODED and (length or 0) > LONGEST_FORM and "account" not in cookie:
        error = RequestEntityTooLarge()
        error.shown = gettext(  # type: ignore[attr-defined]  # ours, on an exception of Werkzeug
            "What was sent is larger than this server accepts: at most %(most)s MiB.",
            most=LONGEST_FORM // 2**20,
        )
        raise error


def _add_headers(response: Response, settings: Settings) -> Response:
    headers = response.headers
    if SECRET.match(request.path):
        headers["Cache-Control"] = "no-store"
    headers.setdefault("Content-Security-Policy", CONTENT)
    headers.setdefault("X-Content-Type-Options", "nosniff")
    headers.setdefault("Referrer-Policy", "same-origin")
    headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
    headers.setdefault("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
    if settings.is_https:
        headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    return response
