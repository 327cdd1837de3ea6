"""Text as searches compare it: without case, accents and the letters that keyboards lack."""

from __future__ import annotations

import unicodedata

PLAIN = str.maketrans({"ё": "е", "œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "’": "'"})


def folded(text: str) -> str:
    """`Éloïse Łąck` and `eloise lack` are the same."""
    letters = unicodedata.normalize("NFKD", text.casefold().translate(PLAIN))
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).replace("й", "и")
