"""Sorts names as each language does, and names the range of letters on a page.

Accents and case decide only between names that are otherwise equal; Ё is a letter of its own after Е.
The alphabet of the page's language comes first, the other one after it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeVar

T = TypeVar("T")

CYRILLIC = "абвгґдеёєжзиіїйклмнопрстуўфхцчшщъыьэюя"
_FOLDED = {"æ": "ae", "œ": "oe", "ß": "ss", "ø": "o", "đ": "d", "ł": "l", "þ": "th", "ð": "d", "ı": "i"}


@lru_cache(maxsize=65536)
def _letters(name: str, lang: str) -> tuple[tuple[int, int | str], ...]:
    """For each letter: group (marks, digits, own alphabet, other alphabet, rest) and place in it."""
    latin, cyrillic = (3, 2) if lang == "ru" else (2, 3)
    keys: list[tuple[int, int | str]] = []
    for c in name.casefold():
        if c in CYRILLIC:
            keys.append((cyrillic, f"{CYRILLIC.index(c):02d}"))
            continue
        base = _FOLDED.get(c) or unicodedata.normalize("NFD", c)[0]
        for b in base:
            if "a" <= b <= "z":
                keys.append((latin, b))
            elif b.isdigit():
                keys.append((1, f"{unicodedata.digit(b, 0):02d}"))
            elif b.isalpha():
                keys.append((4, b))
            elif b in " -‐‑–'’.\u00a0\u202f":
                keys.append((0, " "))
            elif not unicodedata.combining(b):
                keys.append((0, "~" + b))
    return tuple(keys)


def collation_key(name: str, lang: str) -> tuple[object, ...]:
    composed = unicodedata.normalize("NFC", name)
    return (_letters(composed.strip(), lang), composed.casefold(), composed)


def sorted_by_name(things: Iterable[T], name: Callable[[T], str], lang: str) -> list[T]:
    """Sort by name as the language does; equal names keep their order."""
    return sorted(things, key=lambda thing: collation_key(name(thing), lang))


def initial(name: str, lang: str) -> str:
    """A name's heading: its first letter or digit without accent (Ё and Й stay letters of their own)."""
    for c in unicodedata.normalize("NFC", name.strip()).upper():
        if c.lower() in CYRILLIC:
            return c
        base = (_FOLDED.get(c.lower()) or unicodedata.normalize("NFD", c)[0])[0].upper()
        if base.isalnum():
            return base
    return "#"


def page_range(first: str, last: str, lang: str) -> str:
    """`A – F`; if both begin alike, as many letters as tell them apart (`Ma – Mo`), at most three."""
    a, b = initial(first, lang), initial(last, lang)
    if a != b:
        return f"{a} – {b}"
    for length in (2, 3):
        left, right = (name.strip()[:length].rstrip() for name in (first, last))
        if left.casefold() != right.casefold():
            return f"{left.capitalize()} – {right.capitalize()}"
    return a
