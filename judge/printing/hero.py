"""Prints a hero's sheet on one page: the die, the board with every level, tokens, companions and cards.

Two columns of blocks; a block stays whole. The type shrinks until everything fits; where it would become
small, three columns hold more of a sheet of short lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.core.drawing import Drawing
from judge.core.messages import Phrasebook
from judge.printing.drawings import draw
from judge.printing.lettering import BOLD, REGULAR, clean, width, wrap
from judge.printing.page import Area, Paper, Press, Progress, Sheet

SIZE = 9.0
LEADING = 1.24
LARGEST, LEAST, STEP = 1.15, 0.5, 0.02
COMFORTABLE = 0.9  # in smaller type three columns are tried
GUTTER = 16.0
DIE = 27.0
DIE_ROOM = 44.0
SYMBOL = 1.12  # a drawing is a little higher than the letters beside it
BETWEEN = 0.45
SOFT = 0.35
NAME_SHARE = 0.62  # of a line, at most, where something stands beside the name
ASIDE = 0.8  # the type of what stands there
SHRUNK = 0.9  # how much smaller than that it may become
ASIDE_LINE = 0.8  # its height where it stands under the name


@dataclass(frozen=True, slots=True)
class Face:
    """A face of the die: its drawing, if there is one, and its name."""

    drawing: Drawing | None
    name: str


@dataclass(frozen=True, slots=True)
class Row:
    """One paragraph: a label, then drawings side by side, then words."""

    text: str
    label: str = ""
    drawn: tuple[Drawing, ...] = ()
    is_note: bool = False
    indent: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """A named thing of the sheet; without rows it is the heading of a part."""

    title: str
    aside: str = ""
    rows: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class HeroPaper:
    name: str
    over: str
    die: tuple[Face, ...]
    blocks: tuple[Block, ...]


def hero_pdf(
    hero: HeroPaper, book: Phrasebook, paper: Paper = "a4", sheet: Sheet | None = None,
    progress: Progress | None = None,
) -> bytes:  # fmt: skip
    press = Press(book, paper, hero.name, progress)
    press.expect(1)
    press.frame(sheet or Sheet(hero.over), hero.name)
    area = press.area()
    top = _draw_die(press, hero.die, area) if hero.die else area.top
    columns, scale = _fitted(hero.blocks, area.width, top - area.bottom)
    left, room = area.left, _room(area.width, len(columns))
    for column in columns:
        right = left + room
        _draw_column(press, column, Area(left, area.bottom, right, top), scale)
        left = right + GUTTER
    press.end_page()
    return press.finish()


def _draw_die(press: Press, die: Sequence[Face], area: Area) -> float:
    """The six faces in a row over the whole width; returns where the rest begins."""
    room = area.width / len(die)
    for n, face in enumerate(die, start=1):
        x, y = area.left + (n - 1) * room, area.top - DIE + 6
        press.box(x, y, DIE, DIE, 1.0)
        if face.drawing is not None:
            draw(press, face.drawing, x + 4, y + 4, DIE - 8)
        press.text(x + DIE + 4, y + DIE - 9, str(n), 9, BOLD)
        press.text(x + DIE + 4, y + 5, face.name, 9, room=room - DIE - 8, least=5)
    return area.top - DIE_ROOM + 12


# -- fitting ------------------------------------------------------------------------------------------------


Columns = list[Sequence[Block]]


def _room(wide: float, columns: int) -> float:
    return (wide - GUTTER * (columns - 1)) / columns


def _fitted(blocks: Sequence[Block], wide: float, high: float) -> tuple[Columns, float]:
    """The columns and the scale of the type: two, or three if only that keeps it from being small."""
    two, scale = _in_columns(2, blocks, wide, high)
    if scale >= COMFORTABLE:
        return two, scale
    three, larger = _in_columns(3, blocks, wide, high)
    return (three, larger) if larger > scale else (two, scale)


def _in_columns(n: int, blocks: Sequence[Block], wide: float, high: float) -> tuple[Columns, float]:
    """So many columns, and the largest scale at which all fit; the least one if none does."""
    scale = LARGEST
    while True:
        heights = [_height(block, _room(wide, n), scale) for block in blocks]
        columns, highest = _broken(blocks, heights, n)
        if highest <= high or scale <= LEAST:
            return columns, scale
        scale -= STEP


def _broken(blocks: Sequence[Block], heights: Sequence[float], n: int) -> tuple[Columns, float]:
    """The blocks in n columns, so that the highest is as low as can be, and how high that is."""
    places = [k for k in range(len(blocks) + 1) if k == 0 or blocks[k - 1].rows]  # a heading is no last block
    if n == 1:
        return [blocks], sum(heights)
    best: tuple[Columns, float] = ([blocks], float("inf"))
    for at in places:
        first = sum(heights[:at])
        if first >= best[1]:
            break
        rest, highest = _broken(blocks[at:], heights[at:], n - 1)
        if max(first, highest) < best[1]:
            best = [blocks[:at], *rest], max(first, highest)
    return best


def _height(block: Block, room: float, scale: float) -> float:
    size = SIZE * scale
    if not block.rows:
        return size * LEADING * 1.7
    lines = sum(len(row) for row in (_lines(row, room, size) for row in block.rows))
    notes = sum(len(_lines(row, room, size)) for row in block.rows if row.is_note)
    return size * LEADING * (_head(block, room, size) + lines - notes * 0.15 + BETWEEN)


def _head(block: Block, room: float, size: float) -> float:
    """The lines of a block's head: one more, a low one, if what stands beside the name has no room there."""
    has_room = width(clean(block.aside), REGULAR, size * ASIDE) * SHRUNK <= _beside(block, room, size)
    return 1 if has_room else 1 + ASIDE_LINE


def _beside(block: Block, room: float, size: float) -> float:
    """The room beside a block's name."""
    return room - min(width(clean(block.title), BOLD, size), room * NAME_SHARE) - size * 0.8


def _lines(row: Row, room: float, size: float) -> list[str]:
    indent = _indent(row, size)
    letters = size * 0.85 if row.is_note else size
    return wrap(row.text, REGULAR, letters, room - indent, sum(wide for _, wide in _before(row, size)))


def _indent(row: Row, size: float) -> float:
    return size * (0.6 + row.indent)


def _before(row: Row, size: float) -> Iterator[tuple[str | Drawing, float]]:
    """What stands before the words of a row, each with the room it takes."""
    if row.label:
        yield row.label, width(clean(row.label), BOLD, size) + size * 0.5
    for n, drawing in enumerate(row.drawn):
        changes = n + 1 < len(row.drawn) and row.drawn[n + 1] is not drawing
        is_last = n + 1 == len(row.drawn)
        yield drawing, size * (SYMBOL + (0.5 if is_last else 0.4 if changes else 0.12))


# -- drawing ------------------------------------------------------------------------------------------------


def _draw_column(press: Press, blocks: Sequence[Block], area: Area, scale: float) -> None:
    size = SIZE * scale
    y = area.top
    for block in blocks:
        if not block.rows:
            y -= size * LEADING * 1.7
            press.text(area.left, y + size * 0.55, block.title, size * 1.15, BOLD)
            press.rule(area.left, y + size * 0.2, area.right, y + size * 0.2, 0.9)
            continue
        _draw_head(press, block, area, y - size * LEADING, size)
        base = y - size * LEADING * _head(block, area.width, size)
        for row in block.rows:
            base = _draw_row(press, row, area, base, size)
        y -= _height(block, area.width, scale)


def _draw_head(press: Press, block: Block, area: Area, base: float, size: float) -> None:
    """The name, and small beside or under it what kind of thing it is; a long one shrinks, the name least."""
    most = area.width * (NAME_SHARE if block.aside else 1.0)
    press.text(area.left, base + size * 0.25, block.title, size, BOLD, room=most, least=size * 0.7)
    if not block.aside:
        return
    small = size * ASIDE
    if _head(block, area.width, size) > 1:
        under = base - size * LEADING * ASIDE_LINE
        left = area.left + size * 0.6
        press.text(left, under + size * 0.25, block.aside, small, room=area.width - size * 0.6, gray=SOFT)
        return
    room = _beside(block, area.width, size)
    press.text(area.right, base + size * 0.25, block.aside, small, align="right", room=room, gray=SOFT)


def _draw_row(press: Press, row: Row, area: Area, y: float, size: float) -> float:
    """Draw a row under y; returns where it ends."""
    high = size * LEADING * (0.85 if row.is_note else 1)
    letters, gray = (size * 0.85, SOFT) if row.is_note else (size, 0.0)
    x = area.left + _indent(row, size)
    for n, line in enumerate(_lines(row, area.width, size)):
        y -= high
        at = x
        for part, wide in _before(row, size) if n == 0 else ():
            if isinstance(part, str):
                press.text(at, y + size * 0.25, part, size, BOLD)
            else:
                draw(press, part, at, y + size * 0.05, size * SYMBOL)
            at += wide
        press.text(at, y + size * 0.25, line, letters, gray=gray)
    return y
