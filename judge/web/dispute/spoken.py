"""The words of the judge's desk in one language, translated once, since every tap needs hundreds of them."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any

from judge.core.messages import Lang
from judge.web.dispute import words
from judge.web.frame.texts import markup_texts, speaking


@cache
def spoken(lang: Lang) -> SimpleNamespace:
    """judge.web.dispute.words with its lists in this language; `text` is what templates call `_`."""
    with speaking(lang):
        return SimpleNamespace(
            **{name: _translated(value) for name, value in vars(words).items() if not name.startswith("_")},
            text=markup_texts(lang).say_text,
        )


def _translated(value: Any) -> Any:
    return {key: str(word) for key, word in value.items()} if isinstance(value, dict) else value
