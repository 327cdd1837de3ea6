"""Lays out running text: headings, paragraphs and numbered lines that flow through columns and pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.printing.lettering import BOLD, REGULAR, clean, width, wrap
from judge.printing.page import Area, Press


@dataclass(frozen=True, slots=True)
class Para:
    """One paragraph. `mark` hangs in the indent; `tail` is small text at the right or below."""

    text: str
    size: float = 9.5
    font: str = REGULAR
    mark: str = ""
    mark_font: str = REGULAR
    tail: str = ""
    before: float = 0.0
    indent: float = 0.0
    rule_above: bool = False
    bar: tuple[float, float, float] | None = None  # from and to (shares of the room), and how grey


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    font: str
    size: float
    x: float
    height: float
    mark: str = ""
    mark_font: str = REGULAR
    rule: bool = False
    tail: str = ""
    bar: tuple[float, float, float] | None = None


LEADING = 1.32


def heading(text: str) -> Para:
    return Para(text, 11.5, BOLD, before=10, rule_above=True)


def lines_of(paras: Sequence[Para], room: float, scale: float) -> list[Line]:
    return [line for para in paras for line in _set(para, room, scale)]


def _set(para: Para, room: float, scale: float) -> Iterator[Line]:
    size = para.size * scale
    indent = para.indent * scale
    high = size * LEADING
    texts = wrap(para.text, para.font, size, room - indent)
    small = size * 0.8
    last = width(texts[-1], para.font, size) + size
    is_beside = bool(para.tail) and last + width(clean(para.tail), REGULAR, small) <= room - indent
    for n, text in enumerate(texts):
        first = n == 0
        yield Line(
            text, para.font, size, indent, high + (para.before * scale if first else 0),
            para.mark if first else "", para.mark_font, para.rule_above and first,
            para.tail if is_beside and n == len(texts) - 1 else "", para.bar if first else None,
        )  # fmt: skip
    if para.tail and not is_beside:
        for text in wrap(para.tail, REGULAR, small, room - indent):
            yield Line(text, REGULAR, small, indent, small * LEADING)


def height(lines: Sequence[Line]) -> float:
    return sum(line.height for line in lines)


def fitting_scale(
    columns: Sequence[Sequence[Para]], room: float, high: float, least: float, most: float = 1.0
) -> float:
    """The largest scale from `most` down at which every column fits its height; `least` if none does."""
    scale = most
    while scale > least:
        if all(height(lines_of(column, room, scale)) <= high for column in columns):
            return scale
        scale -= 0.03
    return least


def pages_of(lines: Sequence[Line], high: float) -> list[list[Line]]:
    pages: list[list[Line]] = [[]]
    used = 0.0
    for line in lines:
        if used + line.height > high and pages[-1]:
            pages.append([])
            used = 0.0
        pages[-1].append(line)
        used += line.height
    return pages


def draw_lines(press: Press, lines: Sequence[Line], area: Area) -> float:
    """Draw the lines from the top of the area; returns the y where they end."""
    y = area.top
    for line in lines:
        y -= line.height
        base = y + line.size * 0.3
        if line.bar:
            start, end, gray = line.bar
            wide = max((end - start) * area.width, 0.8)
            press.tint(area.left + start * area.width, y + 0.6, wide, line.size * 1.05, gray)
        if line.rule:
            press.rule(
                area.left, y + line.size * LEADING + 1.5, area.right, y + line.size * LEADING + 1.5, 0.6
            )
        if line.mark:
            wide = width(line.mark, line.mark_font, line.size)
            press.text(
                area.left + line.x - max(wide, 0) - line.size * 0.45,
                base,
                line.mark,
                line.size,
                line.mark_font,
            )
        press.text(area.left + line.x, base, line.text, line.size, line.font)
        if line.tail:
            press.text(area.right, base, line.tail, line.size * 0.8, align="right")
    return y
