"""Prepares text for printing: which letters the font has, how wide they are, and how a text is made to fit.

A player may have any name. Text is normalised, letters the font lacks become a visible box, and words
written from right to left are put into visual order. Arabic letters are joined by their presentation forms;
vowel marks keep their place but are not positioned finely, and a text that mixes directions runs in the
direction of the page.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

FONTS = Path(__file__).parent / "fonts"
REGULAR, BOLD, ITALIC = "DejaVuSans", "DejaVuSans-Bold", "DejaVuSans-Oblique"
MISSING = "□"
ELLIPSIS = "…"
# A letter with a stack of accents keeps the first few.
MARKS_KEPT = 2

_INVISIBLE = re.compile(
    "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff]"
)
# A family or flag emoji is one picture: its skin tones and joined parts get no boxes of their own.
_PICTURE = re.compile(
    "[\U0001f1e6-\U0001f1ff]{2}"
    "|[\u2190-\u2bff\U0001f000-\U0001faff][\ufe0f\U0001f3fb-\U0001f3ff]*"
    "(?:\u200d[\u2190-\u2bff\U0001f000-\U0001faff][\ufe0f\U0001f3fb-\U0001f3ff]*)+"
    "|[\U0001f000-\U0001faff][\U0001f3fb-\U0001f3ff]"
)
_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_RTL_RUN = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc](?:[^A-Za-z\u00c0-\u052f]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc])?"
)
_MIRROR = str.maketrans("()[]{}<>«»", ")(][}{><»«")


class _Widths(dict[str, float]):
    """The width of each character as a multiple of the type size; a letter the font lacks counts as a box."""

    def __init__(self, name: str) -> None:
        face = pdfmetrics.getFont(name).face
        super().__init__((chr(code), face.charWidths[code] / 1000) for code in face.charToGlyph)

    def __missing__(self, character: str) -> float:
        return self[MISSING]


@cache
def widths(font: str) -> dict[str, float]:
    if font not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(font, str(FONTS / f"{font}.ttf")))
    return _Widths(font)


def width(text: str, font: str, size: float) -> float:
    """The width of a cleaned text."""
    table = widths(font)
    return size * sum([table[c] for c in text])


@lru_cache(maxsize=65536)
def clean(text: str) -> str:
    """The text as it can be printed: known letters only, one line, in visual order."""
    if text.isascii() and text.isprintable():
        return text
    text = _PICTURE.sub(MISSING, unicodedata.normalize("NFC", text))
    text = _INVISIBLE.sub(
        "", " ".join(re.split(r"[\s\x00-\x1f\x7f-\x9f]*[\n\r\t\v\f\x00-\x1f\x7f-\x9f\u2028\u2029]+", text))
    )
    text = _fewer_marks(text)
    if _RTL.search(text):
        text = _reading_order(text)
    table, bold = widths(REGULAR), widths(BOLD)
    return "".join(c if c in table and c in bold else MISSING for c in text).strip()


def _fewer_marks(text: str) -> str:
    kept: list[str] = []
    marks = 0
    for c in text:
        marks = marks + 1 if unicodedata.combining(c) else 0
        if marks <= MARKS_KEPT:
            kept.append(c)
    return "".join(kept)


# -- right to left ------------------------------------------------------------------------------------------


def _reading_order(text: str) -> str:
    return _RTL_RUN.sub(lambda run: _backwards(run.group()), text)


def _backwards(run: str) -> str:
    """The letters reversed, each followed by its marks; numbers keep their direction."""
    parts = re.findall(r"[0-9\u0660-\u0669][0-9\u0660-\u0669.,:]*[0-9\u0660-\u0669]|.", _joined(run))
    clusters: list[str] = []
    for part in parts:
        if clusters and unicodedata.combining(part[0]):
            clusters[-1] += part
        else:
            clusters.append(part.translate(_MIRROR) if len(part) == 1 else part)
    return "".join(reversed(clusters))


@cache
def _forms() -> dict[tuple[str, str], str]:
    """(letters, isolated|initial|medial|final) -> the joined shape, read from Unicode's own table."""
    shapes: dict[tuple[str, str], str] = {}
    for code in (*range(0xFE70, 0xFEFD), *range(0xFB50, 0xFBB2)):
        tag, _, letters = unicodedata.decomposition(chr(code)).partition(" ")
        if tag:
            shapes.setdefault(("".join(chr(int(c, 16)) for c in letters.split()), tag[1:-1]), chr(code))
    return shapes


def _joined(run: str) -> str:
    forms = _forms()
    letters = re.findall("\u0644[\u0622\u0623\u0625\u0627]|.", run)
    shaped: list[str] = []
    for n, letter in enumerate(letters):
        before = next((x for x in reversed(letters[:n]) if not unicodedata.combining(x)), "")
        after = next((x for x in letters[n + 1 :] if not unicodedata.combining(x)), "")
        joins_before = (before, "initial") in forms
        joins_after = (letter, "initial") in forms and (after, "final") in forms
        form = {(False, False): "isolated", (False, True): "initial", (True, True): "medial"}.get(
            (joins_before, joins_after), "final"
        )
        shaped.append(forms.get((letter, form), letter))
    return "".join(shaped)


# -- fitting ------------------------------------------------------------------------------------------------


def fit(text: str, font: str, size: float, room: float, least: float) -> tuple[str, float]:
    """The text and type size that fit in `room`: shrunk down to `least`, then shortened with an ellipsis."""
    text = clean(text)
    needed = width(text, font, size)
    if needed <= room:
        return text, size
    shrunk = int(size * room / needed * 20) / 20
    if shrunk >= least:
        return text, shrunk
    return shorten(text, font, least, room), least


def shorten(text: str, font: str, size: float, room: float) -> str:
    table = widths(font)
    left = room / size - table[ELLIPSIS]
    kept = 0
    for c in text:
        left -= table[c]
        if left < 0:
            break
        kept += 1
    return text if kept == len(text) else text[:kept].rstrip() + ELLIPSIS


def wrap(text: str, font: str, size: float, room: float, lead: float = 0.0) -> list[str]:
    """Lines no wider than `room`, broken at spaces; a word wider than a line is broken inside.

    No-break spaces do not break, so French punctuation stays with its word. `lead` is the part of the first
    line that something else takes; if no word fits beside it, the first line is empty.
    """
    table = widths(font)
    limit = room / size
    lines: list[str] = []
    if lead:
        first, rest = _first_line(clean(text), font, (room - lead) / size)
        return [first, *wrap(rest, font, size, room)] if rest else [first]
    line, used = "", 0.0
    for word in clean(text).split(" "):
        wide = sum([table[c] for c in word])
        gap = table[" "] if line else 0.0
        if used + gap + wide <= limit:
            line, used = (f"{line} {word}" if line else word), used + gap + wide
            continue
        if line:
            lines.append(line)
        *full, line = _broken(word, font, limit)
        lines += full
        used = sum([table[c] for c in line])
    return [*lines, line] if line or not lines else lines


def _first_line(text: str, font: str, limit: float) -> tuple[str, str]:
    """What fits in one line, broken at a space, and the rest."""
    table = widths(font)
    used, end = 0.0, 0
    for n, c in enumerate(f"{text} "):
        if c == " " and used <= limit:
            end = n
        used += table[c]
    return text[:end], text[end:].lstrip(" ")


def _broken(word: str, font: str, limit: float) -> list[str]:
    table = widths(font)
    pieces, piece, used = [], "", 0.0
    for c in word:
        if piece and used + table[c] > limit:
            pieces.append(piece)
            piece, used = "", 0.0
        piece += c
        used += table[c]
    return [*pieces, piece]
