"""Reads the text of an uploaded list, whatever program wrote it: UTF-8, UTF-16, or a Windows code page."""

from __future__ import annotations

import codecs
from itertools import pairwise

BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def text_of(data: bytes) -> str | None:
    """The text; None if it is none (a picture, a spreadsheet's own file)."""
    for mark, name in BOMS:
        if data.startswith(mark):
            return _decoded(data, name)
    if b"\0" in data:
        return _decoded(data, _wide(data))
    text = _decoded(data, "utf-8")
    return text if text is not None else _decoded(data, _code_page(data))


def _decoded(data: bytes, name: str) -> str | None:
    try:
        text = data.decode(name)
    except UnicodeDecodeError:
        return None
    return None if any(letter < " " and letter not in "\t\r\n" for letter in text) else text


def _wide(data: bytes) -> str:
    """Latin letters have their zero byte second in little endian."""
    return "utf-16-le" if data[1::2].count(0) >= data[::2].count(0) else "utf-16-be"


def _code_page(data: bytes) -> str:
    """Windows-1251 has Russian words, whose letters stand side by side; in Windows-1252 an accented letter
    stands alone among plain ones."""
    high = [byte > 0xBF for byte in data]
    together = sum(a and b for a, b in pairwise(high))
    return "cp1251" if together * 2 >= sum(high) and together else "cp1252"
