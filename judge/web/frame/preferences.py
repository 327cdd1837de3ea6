"""A visitor's preferences: the language and the theme. `?lang=fr` and `?theme=dark` on any page set them and
are remembered in a cookie; without a cookie the browser's setting counts. Unknown values are ignored.
"""

from __future__ import annotations

from datetime import date, datetime
from functools import lru_cache
from typing import Literal, cast
from urllib.parse import parse_qs, urlencode

from babel.dates import format_date, format_datetime
from flask import Flask, Response, g, has_request_context, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header, parse_cookie

from judge.core.messages import Lang

LANGUAGES: dict[Lang, str] = {"en": "English", "fr": "Français", "ru": "Русский"}
THEMES = ("auto", "light", "dark")
REMEMBERED = {"lang": tuple(LANGUAGES), "theme": THEMES}
ONE_YEAR = 365 * 24 * 3600


def init_preferences(app: Flask) -> None:
    app.add_template_filter(_dateformat, "dateformat")
    app.after_request(_remember)
    app.context_processor(
        lambda: {
            "lang": language(),
            "theme": theme(),
            "here": here,
            "own_address": own_address,
            "languages": LANGUAGES,
        }
    )


def language() -> Lang:
    """The language of this answer."""
    if not has_request_context():
        return "en"
    if "language" not in g:
        g.language, g.theme = _preferred()
    chosen: Lang = g.language
    return chosen


def theme() -> str:
    if "theme" not in g:
        g.language, g.theme = _preferred()
    chosen: str = g.theme
    return chosen


def _preferred() -> tuple[Lang, str]:
    headers = request.headers
    return _read(request.query_string, headers.get("Cookie", ""), headers.get("Accept-Language", ""))


@lru_cache(2048)
def _read(query: bytes, cookie: str, accepted: str) -> tuple[Lang, str]:
    """The language and theme for what the browser sent; cached, since most phones in a hall send the same."""
    query_values, cookies = parse_qs(query.decode("latin-1")), parse_cookie(cookie)

    def chosen(name: str) -> str | None:
        values = (*query_values.get(name, ())[:1], cookies.get(f"judge_{name}"))
        return next((value for value in values if value in REMEMBERED[name]), None)

    accepted_lang = parse_accept_header(accepted, LanguageAccept).best_match(LANGUAGES)
    return cast(Lang, chosen("lang") or accepted_lang or "en"), chosen("theme") or "auto"


def short_moment(moment: datetime, lang: str = "") -> str:
    """A day and time as people write them in a language, the reader's if none is named."""
    return str(format_datetime(moment, "short", locale=lang or language()))


def _dateformat(day: date, length: Literal["full", "long", "medium", "short"]) -> str:
    return str(format_date(day, length, locale=language()))


def here(**changes: str) -> str:
    """The address of this page with another preference; the start page after a sent form."""
    if request.method not in ("GET", "HEAD"):
        return f"/?{urlencode(changes)}"
    others = [(key, value) for key, value in request.args.items(multi=True) if key not in REMEMBERED]
    return f"{own_path()}?{urlencode(others + list(changes.items()))}"


def own_address() -> str:
    """The address of this page, with its query."""
    query = request.query_string.decode("latin-1")
    return f"{own_path()}?{query}" if query else own_path()


def own_path() -> str:
    """The path of this page as a link: `//elsewhere` is a path here, but another server in a link."""
    return "/" + request.path.lstrip("/\\")


def _remember(response: Response) -> Response:
    if response.mimetype != "text/html":
        return response
    for name, values in REMEMBERED.items():
        value = request.args.get(name)
        if value in values:
            secure = request.is_secure
            response.set_cookie(
                f"judge_{name}", value, max_age=ONE_YEAR, samesite="Lax", httponly=True, secure=secure
            )
    if "Vary" not in response.headers:
        response.vary.update(("Accept-Language", "Cookie"))
    return response
