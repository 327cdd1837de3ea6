"""Prints round-robin cross tables: everybody against everybody, one row per player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil

from judge.core.messages import Phrasebook
from judge.printing.lettering import BOLD
from judge.printing.page import Area, Paper, Press, Progress, Sheet, check_code

MOST_COLUMNS, MOST_ROWS = 20, 26
UPRIGHT_COLUMNS = 10


@dataclass(frozen=True, slots=True)
class CrossTable:
    """`cells[i, j]` is player i's result against player j, counted from 0; `points` are the totals."""

    players: tuple[str, ...]
    cells: Mapping[tuple[int, int], str] = field(default_factory=dict)
    points: tuple[str, ...] = ()


Named = Sequence[tuple[str, CrossTable]]  # a group has a name; a plain round robin has none


def cross_table_pdf(
    sheet: Sheet, tables: Named, book: Phrasebook, paper: Paper = "a4", progress: Progress | None = None
) -> bytes:
    press = Press(book, paper, f"{sheet.event} – {book.sentences['print_cross_table']}", progress)
    for name, table in tables:
        draw_cross_table(press, sheet, table, name)
    return press.finish()


def draw_cross_table(press: Press, sheet: Sheet, table: CrossTable, name: str = "") -> None:
    count = len(table.players)
    across, down = max(1, ceil(count / MOST_COLUMNS)), max(1, ceil(count / MOST_ROWS))
    press.turn(landscape=count > UPRIGHT_COLUMNS)
    press.expect(across * down)
    for block in range(across * down):
        row, column = divmod(block, across)
        rows = _share(count, down, row)
        columns = _share(count, across, column)
        title = press.say("print_cross_table")
        code = check_code(table.players, sorted(table.cells.items()), table.points)
        press.frame(sheet, title, name, block + 1, across * down, code)
        _draw_block(press, table, rows, columns)
        press.end_page()
    press.turn(landscape=False)


def _share(count: int, parts: int, n: int) -> range:
    each = ceil(count / parts)
    return range(n * each, min((n + 1) * each, count))


def _draw_block(press: Press, table: CrossTable, rows: range, columns: range) -> None:
    area = press.area()
    high = min(30.0, (area.height - 20) / (len(rows) + 1))
    points = 40.0 if table.points else 0.0
    cell = min(40.0, (area.width * 0.66 - points) / max(1, len(columns)))
    name = area.width - points - cell * len(columns) - 4
    grid = Area(
        area.left + name, area.top - high * (len(rows) + 1), area.left + name + cell * len(columns), area.top
    )
    size = min(12.0, high * 0.5, cell * 0.42)
    for n, column in enumerate(columns):
        x = grid.left + (n + 0.5) * cell
        press.text(x, grid.top - high * 0.65, str(column + 1), size, BOLD, "center", room=cell - 2)
    if table.points:
        x = grid.right + points
        press.text(x, grid.top - high * 0.65, press.say("print_points"), 8, align="right", room=points - 2)
    for n, row in enumerate(rows):
        top = grid.top - (n + 1) * high
        _draw_row(press, table, row, columns, Area(area.left, top - high, grid.left, top), cell, size)
    for n in range(len(rows) + 1):
        y = grid.top - (n + 1) * high
        press.rule(area.left, y, grid.right + points, y, 0.4)
    for n in range(len(columns) + 1):
        x = grid.left + n * cell
        press.rule(x, grid.top - high, x, grid.bottom, 0.4)


def _draw_row(
    press: Press, table: CrossTable, row: int, columns: range, area: Area, cell: float, size: float
) -> None:
    base = area.bottom + (area.height - 0.73 * size) / 2
    press.text(area.left + 20, base, str(row + 1), size, BOLD, "right")
    press.text(area.left + 27, base, table.players[row], size, room=area.width - 31, least=5.5)
    for n, column in enumerate(columns):
        x = area.right + n * cell
        if row == column:
            press.tint(x, area.bottom, cell, area.height, 0.55)
            continue
        text = table.cells.get((row, column), "")
        press.text(x + cell / 2, base, text, size, align="center", room=cell - 3, least=4.5)
    if table.points:
        right = area.right + len(columns) * cell + 40
        press.text(right - 2, base, table.points[row], size, BOLD, "right")
