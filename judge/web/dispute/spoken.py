"""The words of the judge's desk in one language, translated once, since every tap needs hundreds of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

from flask_babel import force_locale, gettext
from markupsafe import Markup

from judge.core.grammar import polished
from judge.core.messages import Lang
from judge.web.dispute import words


@cache
def spoken(lang: Lang) -> SimpleNamespace:
    """judge.web.dispute.words with its lists in this language; `text` is what templates call `_`."""
    with force_locale(lang):
        return SimpleNamespace(
            **{name: _translated(value) for name, value in vars(words).items() if not name.startswith("_")},
            text=_translator(lang),
        )


def _translated(value: Any) -> Any:
    return {key: str(word) for key, word in value.items()} if isinstance(value, dict) else value


def _translator(lang: Lang) -> Callable[..., Markup]:
    @cache
    def plain(message: str) -> Markup:
        with force_locale(lang):
            return Markup(gettext(message))  # noqa: S704  # our own sentences

    @cache
    def whole(message: str) -> Markup:
        return plain(message) % {}

    def text(message: str, /, **variables: Any) -> Markup:
        if not variables:
            return whole(message)
        return Markup(polished(plain(message) % variables, lang))  # noqa: S704  # values are escaped

    return text
