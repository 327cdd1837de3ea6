"""Folds that a tap rarely changes. A browser names those it shows by their marks; what is in them is then
neither worked out nor drawn nor sent again, and the browser keeps what it has (static/rule.js).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from zlib import crc32

from flask import request

from judge.core.json_types import TableFile
from judge.core.messages import Lang

SHOWN = "Judge-Folds"  # the header with the marks of the folds that the browser shows


def has_script() -> bool:
    """Whether the page's script asks: it keeps folds, and adds to a form what all forms send."""
    return SHOWN in request.headers


@dataclass(frozen=True, slots=True)
class Fold:
    """One fold of an answer; `mark` says what is in it and is empty on a page without script."""

    mark: str
    is_shown: bool  # the browser has this content

    def __html__(self) -> str:
        """The attributes of its <details>."""
        shown = " data-shown" if self.is_shown else ""
        return f' data-fold="{self.mark}"{shown}' if self.mark else ""


def fold(name: str, *content: Any) -> Fold:
    """The fold of this name; `content` is all that what is in it depends on."""
    if not has_script():
        return Fold("", False)
    mark = f"{name}-{crc32(repr(content).encode()):08x}"
    return Fold(mark, mark in request.headers[SHOWN].split())


def setting(table: TableFile, lang: Lang) -> int:
    """A mark of all of a table file but its events, and of the language."""
    return crc32(repr((lang, sorted(item for item in table.items() if item[0] != "events"))).encode())
