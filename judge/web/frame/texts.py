"""Page texts in the language of the answer.

Python code and templates write a text in English: `gettext("%(who)s is late", who=name)`, `_("Saved.")`,
`ngettext("%(num)d rule", "%(num)d rules", n)`. Its translations stand in judge/translations/<lang>/pages and
are filled in by the same phrasebook as the sentences of the engines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from flask import Flask
from markupsafe import Markup, escape

from judge.core.messages import Lang, Phrasebook
from judge.schemas.fixtures import page_texts
from judge.translations import counted_template, template_of
from judge.web.frame.preferences import language

_speaking: ContextVar[Lang | None] = ContextVar("speaking", default=None)


@contextmanager
def speaking(lang: Lang) -> Iterator[None]:
    """Inside, all page texts are in this language, whatever the reader's is."""
    before = _speaking.set(lang)
    try:
        yield
    finally:
        _speaking.reset(before)


class PageTexts(Phrasebook):
    """The page texts of one language as plain text."""

    def __init__(self, lang: Lang) -> None:
        super().__init__(lang, page_texts(lang))
        self.template = cache(self._template)
        self.whole = cache(self._whole)

    def say_text(self, text: str, /, **values: Any) -> str:
        return self.fill(self.template(text), values) if values else self.whole(text)

    def say_counted(self, one: str, many: str, num: int, values: dict[str, Any]) -> str:
        return self.fill(self.template(one, many), {"num": num, **values})

    def _template(self, *forms: str) -> str:
        english = template_of(forms[0]) if len(forms) == 1 else counted_template(forms)
        return self.sentences.get(english) or english

    def _whole(self, text: str) -> str:
        return self.fill(self.template(text), {})


class MarkupTexts(PageTexts):
    """The same as markup: what is filled in is escaped, unless it is markup."""

    def fill(self, template: str, params: Mapping[str, Any]) -> Markup:
        safe = {name: value if isinstance(value, int) else escape(value) for name, value in params.items()}
        return Markup(super().fill(template, safe))  # noqa: S704  # our own text, and escaped values


@cache
def plain_texts(lang: Lang) -> PageTexts:
    return PageTexts(lang)


@cache
def markup_texts(lang: Lang) -> MarkupTexts:
    return MarkupTexts(lang)


def _language() -> Lang:
    return _speaking.get() or language()


def gettext(text: str, /, **values: Any) -> str:
    return plain_texts(_language()).say_text(text, **values)


def ngettext(one: str, many: str, num: int, /, **values: Any) -> str:
    """The form for a number; the text calls it %(num)d."""
    return plain_texts(_language()).say_counted(one, many, num, values)


class LazyText:
    """A page text that is put into the reader's language each time it is shown."""

    def __init__(self, text: str, values: dict[str, Any]) -> None:
        self._text = text
        self._values = values

    def __str__(self) -> str:
        return gettext(self._text, **self._values)

    def __html__(self) -> str:
        return str(self)

    def __mod__(self, values: Any) -> str:
        """Form fields fill in the limits of a number; our texts have none of them."""
        return str(str(self) % values)


def lazy_gettext(text: str, /, **values: Any) -> LazyText:
    return LazyText(text, values)


def init_texts(app: Flask) -> None:
    """Give templates `_`, `gettext`, `ngettext` and `{% trans %}`."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    app.jinja_env.newstyle_gettext = True  # type: ignore[attr-defined]  # added by the extension
    app.jinja_env.globals.update(_=_markup, gettext=_markup, ngettext=_counted_markup)


def _markup(text: str, /, **values: Any) -> str:
    return markup_texts(_language()).say_text(text, **values)


def _counted_markup(one: str, many: str, num: int, /, **values: Any) -> str:
    return markup_texts(_language()).say_counted(one, many, num, values)
