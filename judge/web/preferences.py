"""What a visitor prefers: language, and light or dark. `?lang=fr` and `?theme=dark` on any page change it and
are remembered in a cookie; before that the browser's own wish counts. Unknown values are passed over.
"""

from __future__ import annotations

from typing import get_args
from urllib.parse import urlencode

from flask import Flask, Response, g, has_request_context, request
from flask_babel import Babel

from judge.core.messages import Lang
from judge.paths import TRANSLATIONS
from judge.translations import compile_catalogues

LANGUAGES: dict[Lang, str] = {"en": "English", "fr": "Français", "ru": "Русский"}
THEMES = ("auto", "light", "dark")
KEPT = {"lang": tuple(LANGUAGES), "theme": THEMES}
ONE_YEAR = 365 * 24 * 3600


def init_preferences(app: Flask) -> None:
    compile_catalogues(TRANSLATIONS)
    app.config["BABEL_TRANSLATION_DIRECTORIES"] = str(TRANSLATIONS)
    Babel(app, locale_selector=language, default_locale="en", default_timezone="UTC")
    app.after_request(_remember)
    app.context_processor(
        lambda: {"lang": language(), "theme": theme(), "here": here, "languages": LANGUAGES}
    )


def language() -> Lang:
    """The language of this answer."""
    if not has_request_context():
        return "en"
    if "language" not in g:
        g.language = _chosen("lang") or request.accept_languages.best_match(get_args(Lang)) or "en"
    found: Lang = g.language
    return found


def theme() -> str:
    return _chosen("theme") or "auto"


def _chosen(name: str) -> str | None:
    for value in (request.args.get(name), request.cookies.get(f"judge_{name}")):
        if value in KEPT[name]:
            return value
    return None


def here(**changes: str) -> str:
    """The address of this page with a preference changed. A page that came from a form leads to its start."""
    if request.method not in ("GET", "HEAD"):
        return f"/?{urlencode(changes)}"
    kept = [(key, value) for key, value in request.args.items(multi=True) if key not in KEPT]
    return f"{request.path}?{urlencode(kept + list(changes.items()))}"


def _remember(response: Response) -> Response:
    for name, known in KEPT.items():
        value = request.args.get(name)
        if value in known and response.mimetype == "text/html":
            response.set_cookie(f"judge_{name}", value, max_age=ONE_YEAR, samesite="Lax", httponly=True)
    if response.mimetype == "text/html":
        response.vary.update(("Accept-Language", "Cookie"))
    return response
