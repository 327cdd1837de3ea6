"""Prints standings with points, record and every tie-breaker; and the plain list of players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

from judge.core.messages import Phrasebook
from judge.printing.columns import draw_rows, plan, typical_width
from judge.printing.lettering import BOLD, REGULAR, clean, width, wrap
from judge.printing.page import Area, Paper, Press, Progress, Sheet, check_code
from judge.printing.sorting import page_range, sorted_by_name

HEAD_SIZE = 7.5
LARGEST, LEAST = 13.0, 9.5
NARROWEST_NAME = 110.0
LEADING = 1.5
CUT_WIDTH = 1.6  # of the line below those who go on
MOST_UPRIGHT = 6


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One player, or a heading; `values` are the tie-breaker columns, as text."""

    rank: int
    player: str
    points: str
    record: str
    values: tuple[str, ...] = ()
    note: str = ""
    heading: str = ""  # instead of a player: what the lines below have in common
    is_above_cut: bool = False  # a line is drawn below: those who follow do not go on


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """`tiebreakers` are the headings in the reader's language; `is_final`: no further round follows."""

    lines: tuple[StandingLine, ...]
    tiebreakers: tuple[str, ...] = ()
    after_round: int | None = None
    is_final: bool = False
    record: str = ""  # the heading of the record, where it is something else than wins, losses and draws


@dataclass(frozen=True, slots=True)
class _Column:
    heading: list[str]
    wide: float


def standings_pdf(
    sheet: Sheet,
    table: StandingsTable,
    book: Phrasebook,
    paper: Paper = "a4",
    progress: Progress | None = None,
) -> bytes:
    press = Press(book, paper, f"{sheet.event} – {book.sentences['print_standings']}", progress)
    draw_standings(press, sheet, table)
    return press.finish()


def draw_standings(press: Press, sheet: Sheet, table: StandingsTable) -> None:
    press.turn(landscape=len(table.tiebreakers) > MOST_UPRIGHT)
    area = press.area()
    size, columns, name_wide = _measure(press, table, area.width)
    head = max(len(c.heading) for c in columns) * (HEAD_SIZE + 1.5) + 6
    rows, pages, size, row_height = _rows(len(table.lines), area.height - head, size)
    press.expect(pages)
    over = replace(sheet, round=None)
    for page in range(pages):
        press.frame(over, _title(press, table), "", page + 1, pages, check_code(table))
        _headings(press, columns, area, size, name_wide)
        top = area.top - head
        for n, line in enumerate(table.lines[page * rows : (page + 1) * rows]):
            bottom = top - (n + 1) * row_height
            if n % 2 == 0:
                press.tint(area.left, bottom, area.width, row_height)
            _row(press, line, columns, area, bottom + (row_height - 0.73 * size) / 2, size, name_wide)
            if line.is_above_cut:
                press.rule(area.left, bottom, area.right, bottom, CUT_WIDTH)
        press.end_page()
    press.turn(landscape=False)


def _title(press: Press, table: StandingsTable) -> str:
    if table.is_final:
        return press.say("print_final_standings")
    if table.after_round is None:
        return press.say("print_standings")
    return press.say("print_standings_after", n=table.after_round)


def _rows(count: int, height: float, size: float) -> tuple[int, int, float, float]:
    """Rows a page, pages, type size and row height: fewest pages, equally full, in the largest type."""

    def pages_at(type_size: float) -> int:
        return max(1, ceil(count / int(height / (type_size * LEADING))))

    pages = pages_at(LEAST)
    while pages_at(size) > pages:
        size -= 0.25
    rows = max(1, ceil(count / pages))
    return rows, pages, size, min(height / rows, size * 2.2)


def _measure(press: Press, table: StandingsTable, room: float) -> tuple[float, list[_Column], float]:
    """The type size, the columns right of the name (points, record, tie-breakers) and the name's room."""
    headings = [press.say("print_points"), table.record or press.say("print_record"), *table.tiebreakers]
    cells = [(line.points, line.record, *line.values) for line in table.lines]
    names = [line.player for line in table.lines]
    name_em = typical_width(names)
    size = LARGEST
    while True:
        columns = [
            _column(heading, [row[n] for row in cells if n < len(row)], size)
            for n, heading in enumerate(headings)
        ]
        name_wide = room - 3.4 * size - sum(c.wide for c in columns) - 12
        if name_wide >= name_em * size or (size <= LEAST and name_wide >= NARROWEST_NAME) or size <= 5:
            return size, columns, name_wide
        size -= 0.5


def _column(heading: str, cells: list[str], size: float) -> _Column:
    needed = max([width(clean(cell), REGULAR, size) for cell in cells], default=0.0)
    head = _head_size(size)
    longest_word = max(width(clean(word), REGULAR, head) for word in heading.split(" "))
    wide = max(needed, longest_word, 3 * size)
    return _Column(wrap(heading, REGULAR, head, wide), wide + 1.1 * size)


def _head_size(size: float) -> float:
    return min(HEAD_SIZE, 0.72 * size)


def _headings(press: Press, columns: list[_Column], area: Area, size: float, name_wide: float) -> None:
    lines = max(len(c.heading) for c in columns)
    head = _head_size(size)

    def base(line: int, of: int) -> float:
        return area.top - (lines - of + line + 1) * (HEAD_SIZE + 1.5)

    rank_right, name_left = area.left + 2.6 * size, area.left + 3.4 * size
    press.text(rank_right, base(0, 1), press.say("print_rank"), head, align="right", room=2.6 * size)
    press.text(name_left, base(0, 1), press.say("print_player"), head)
    x = name_left + name_wide + 6
    for column in columns:
        x += column.wide
        for n, text in enumerate(column.heading):
            press.text(x, base(n, len(column.heading)), text, head, align="right")
    below = area.top - lines * (HEAD_SIZE + 1.5) - 5
    press.rule(area.left, below, area.right, below)


def _row(
    press: Press,
    line: StandingLine,
    columns: list[_Column],
    area: Area,
    y: float,
    size: float,
    name_wide: float,
) -> None:
    if line.heading:
        press.text(area.left + 0.6 * size, y, line.heading, size, BOLD)
        return
    press.text(area.left + 2.6 * size, y, str(line.rank), size, BOLD, "right")
    name = f"{line.player}  ({line.note})" if line.note else line.player
    press.name(area.left + 3.4 * size, y, name, size, room=name_wide, least=6.5)
    x = area.left + 3.4 * size + name_wide + 6
    for n, (column, cell) in enumerate(zip(columns, (line.points, line.record, *line.values), strict=False)):
        x += column.wide
        press.text(x, y, cell, size, BOLD if n == 0 else REGULAR, "right")


# -- the list of players ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayerLine:
    name: str
    detail: str = ""


def draw_players(press: Press, sheet: Sheet, players: Sequence[PlayerLine]) -> None:
    """Draw the players by name, each with a box to tick and a line to write on."""
    by_name = sorted_by_name(players, lambda player: player.name, press.lang)
    area = press.area()
    layout = plan(len(by_name), area, 1.8 + typical_width([p.name for p in by_name]) + 8)
    press.expect(layout.pages)
    size = min(layout.size, 13.0)

    def row(n: int, x: float, y: float) -> None:
        player = by_name[n]
        press.box(x + 3, y - 1, size * 0.8, size * 0.8)
        name_room = layout.column_width * (0.62 if player.detail else 1) - 2 * size
        press.name(x + 1.8 * size, y, player.name, size, room=name_room, least=6.5)
        press.text(
            x + layout.column_width - 4, y, player.detail, size * 0.75, align="right",
            room=layout.column_width * 0.36, least=6,
        )  # fmt: skip

    for page in range(layout.pages):
        first = page * layout.per_page
        last = min(first + layout.per_page, len(by_name)) - 1
        aside = page_range(by_name[first].name, by_name[last].name, press.lang) if by_name else ""
        title = press.say("print_players")
        press.frame(sheet, title, aside, page + 1, layout.pages, check_code(by_name))
        draw_rows(press, area, layout, len(by_name), first, row)
        press.end_page()
