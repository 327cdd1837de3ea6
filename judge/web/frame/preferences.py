"""A visitor's preferences: the language and the theme. `?lang=fr` and `?theme=dark` on any page set them and
are remembered in a cookie; without a cookie the browser's setting counts. Unknown values are ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property, lru_cache
from gettext import NullTranslations
from typing import Any, cast
from urllib.parse import parse_qs, urlencode

from babel.support import Translations
from flask import Flask, Response, g, has_request_context, request
from flask_babel import Babel, Domain, get_locale
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header, parse_cookie

from judge.core.grammar import polished
from judge.core.messages import Lang
from judge.paths import TRANSLATIONS
from judge.translations import compile_catalogues

LANGUAGES: dict[Lang, str] = {"en": "English", "fr": "Français", "ru": "Русский"}
THEMES = ("auto", "light", "dark")
REMEMBERED = {"lang": tuple(LANGUAGES), "theme": THEMES}
ONE_YEAR = 365 * 24 * 3600


def init_preferences(app: Flask) -> None:
    compile_catalogues(TRANSLATIONS)
    app.config["BABEL_TRANSLATION_DIRECTORIES"] = str(TRANSLATIONS)
    _Babel(app, locale_selector=language, default_locale="en", default_timezone="UTC")
    add = app.jinja_env.install_gettext_callables  # type: ignore[attr-defined]  # added by Jinja's i18n extension
    add(_gettext, _ngettext, newstyle=True)
    for name in ("gettext", "ngettext"):
        say: Any = app.jinja_env.globals[name]
        app.jinja_env.globals[name] = _spelled(say)
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


class _Texts(Domain):
    """Page texts said by Python code, spelled as their values need it."""

    def gettext(self, string: str, **variables: Any) -> str:
        return _spelling(super().gettext(string, **variables), variables, str(get_locale()))

    def ngettext(self, singular: str, plural: str, num: int, **variables: Any) -> str:
        return _spelling(super().ngettext(singular, plural, num, **variables), num, str(get_locale()))


class _Babel(Babel):
    @cached_property
    def domain_instance(self) -> Domain:
        return _Texts(domain=self.domain)


def _spelling(text: str, variables: object, lang: str) -> str:
    if not variables:
        return text
    spelled = polished(text, lang)
    return Markup(spelled) if isinstance(text, Markup) else spelled  # noqa: S704  # it was markup before


def _spelled(say: Callable[..., str]) -> Callable[..., str]:
    """The same for texts said by templates."""

    @pass_context
    def said(context: Context, /, *texts: Any, **variables: Any) -> str:
        return _spelling(say(context, *texts, **variables), variables or texts[1:], language())

    return said


@cache
def _texts(lang: Lang) -> NullTranslations:
    """The page texts of a language, loaded once."""
    if lang == "en":
        return NullTranslations()
    return Translations.load(str(TRANSLATIONS), [lang])


def _gettext(text: str) -> str:
    return _texts(language()).gettext(text)


def _ngettext(one: str, many: str, number: int) -> str:
    return _texts(language()).ngettext(one, many, number)


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
