"""Prints pairings for the wall: by table, or by name so that every player finds their own line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from judge.core.messages import Phrasebook
from judge.printing.columns import GUTTER, LEAST, Plan, draw_rows, plan, typical_width
from judge.printing.lettering import BOLD, ITALIC
from judge.printing.page import Area, Paper, Press, Progress, Sheet, check_code
from judge.printing.sorting import page_range, sorted_by_name

By = Literal["table", "name"]
Alone = Literal["bye", "half_bye", "missed"]  # why somebody has no opponent
HEAD = 16.0
TABLE_EM = 3.3
GAP_EM = 1.1
NO_TABLE = "–"


@dataclass(frozen=True, slots=True)
class PairingLine:
    """One table. One player alone has the bye, a half bye or misses the round (`alone`); three or more
    are a pod.

    `points` are the players' points before the round, as text; empty if they are not shown. `members` are
    the people of each team, who find their own line by name.
    """

    table: int | None
    players: tuple[str, ...]
    points: tuple[str, ...] = ()
    alone: Alone = "bye"
    members: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class _Seat:
    name: str
    table: int | None
    against: tuple[str, ...]
    alone: Alone


def pairings_pdf(
    sheet: Sheet, lines: Sequence[PairingLine], book: Phrasebook, paper: Paper = "a4", by: By = "table",
    progress: Progress | None = None,
) -> bytes:  # fmt: skip
    title = f"{sheet.event} – {book.sentences['print_pairings']}"
    press = Press(book, paper, title, progress)
    draw_pairings(press, sheet, lines, by)
    return press.finish()


def draw_pairings(press: Press, sheet: Sheet, lines: Sequence[PairingLine], by: By = "table") -> None:
    if by == "name":
        _by_name(press, sheet, lines)
    else:
        _by_table(press, sheet, lines)


def _alone(press: Press, why: Alone) -> str:
    return press.say(f"print_{why}")


# -- by table -----------------------------------------------------------------------------------------------


def _by_table(press: Press, sheet: Sheet, lines: Sequence[PairingLine]) -> None:
    lines = sorted(lines, key=lambda line: (line.table is None, line.table or 0))
    seats = max([2, *(len(line.players) for line in lines)])
    points_em = 1.9 if any(line.points for line in lines) else 0.0
    seat_em = typical_width([p for line in lines for p in line.players]) + GAP_EM + points_em
    area = _below_head(press.area())
    layout = plan(len(lines), area, TABLE_EM + seats * seat_em)
    table_wide = TABLE_EM * layout.size
    seat_wide = (layout.column_width - table_wide) / seats
    points_wide = points_em * layout.size
    names_wide = seat_wide - GAP_EM * layout.size - points_wide

    def row(n: int, x: float, y: float) -> None:
        line = lines[n]
        table = NO_TABLE if line.table is None else str(line.table)
        press.text(x + table_wide - GAP_EM * layout.size, y, table, layout.size, BOLD, "right")
        x += table_wide
        for seat, player in enumerate(line.players):
            press.name(x + seat * seat_wide, y, player, layout.size, room=names_wide, least=LEAST)
            if line.points:
                right = x + (seat + 1) * seat_wide - GAP_EM * layout.size
                press.text(right, y, line.points[seat], layout.size * 0.8, align="right")
        if len(line.players) == 1:
            alone = _alone(press, line.alone)
            press.text(x + seat_wide, y, alone, layout.size, ITALIC, room=names_wide, least=LEAST)

    def head(x: float, y: float) -> None:
        right = x + table_wide - GAP_EM * layout.size
        press.text(right, y, press.say("print_table"), 8, align="right", room=table_wide)
        for seat in range(seats):
            press.text(x + table_wide + seat * seat_wide, y, press.say("print_player"), 8)
            if points_em:
                right = x + table_wide + (seat + 1) * seat_wide - GAP_EM * layout.size
                press.text(right, y, press.say("print_points"), 8, align="right", room=3 * layout.size)

    title = press.say("print_pairings")
    _pages(press, sheet, title, lines, layout, area, row, head, lambda a, b: _tables(lines[a : b + 1]))


def _tables(lines: Sequence[PairingLine]) -> str:
    tables = [line.table for line in lines if line.table is not None]
    return f"{tables[0]} – {tables[-1]}" if tables else ""


# -- by name ------------------------------------------------------------------------------------------------


def _by_name(press: Press, sheet: Sheet, lines: Sequence[PairingLine]) -> None:
    seats = sorted_by_name(_seats(lines), lambda seat: seat.name, press.lang)
    others = max([1, *(len(line.players) - 1 for line in lines)])
    name_em = typical_width([seat.name for seat in seats]) + GAP_EM
    area = _below_head(press.area())
    layout = plan(len(seats), area, TABLE_EM + (1 + others) * name_em)
    table_wide = TABLE_EM * layout.size
    name_wide = (layout.column_width - table_wide) / (1 + others)
    room = name_wide - GAP_EM * layout.size
    against_x = name_wide + table_wide

    def row(n: int, x: float, y: float) -> None:
        seat = seats[n]
        press.name(x + 3, y, seat.name, layout.size, room=room - 3, least=LEAST)
        table = NO_TABLE if seat.table is None else str(seat.table)
        press.text(x + against_x - GAP_EM * layout.size, y, table, layout.size, BOLD, "right")
        if not seat.against:
            alone = _alone(press, seat.alone)
            press.text(x + against_x, y, alone, layout.size, ITALIC, room=room, least=LEAST)
        for k, other in enumerate(seat.against):
            press.name(x + against_x + k * name_wide, y, other, layout.size * 0.9, room=room, least=LEAST)

    def head(x: float, y: float) -> None:
        press.text(x + 3, y, press.say("print_player"), 8)
        press.text(x + against_x - GAP_EM * layout.size, y, press.say("print_table"), 8, align="right")
        press.text(x + against_x, y, press.say("print_against"), 8)

    title = press.say("print_pairings")
    _pages(
        press, sheet, title, seats, layout, area, row, head,
        lambda a, b: page_range(seats[a].name, seats[b].name, press.lang),
    )  # fmt: skip


def _seats(lines: Sequence[PairingLine]) -> list[_Seat]:
    """A line for every player and team, and one for every member of a team."""
    return [
        _Seat(shown, line.table, line.players[:n] + line.players[n + 1 :], line.alone)
        for line in lines
        for n, name in enumerate(line.players)
        for shown in (name, *(f"{member} ({name})" for member in (line.members[n] if line.members else ())))
    ]


# -- both ---------------------------------------------------------------------------------------------------


def _below_head(area: Area) -> Area:
    return Area(area.left, area.bottom, area.right, area.top - HEAD)


def _pages(
    press: Press, sheet: Sheet, title: str, rows: Sequence[object], layout: Plan, area: Area,
    row: Callable[[int, float, float], None], head: Callable[[float, float], None],
    part: Callable[[int, int], str],
) -> None:  # fmt: skip
    code = check_code(rows)
    press.expect(layout.pages)
    for page in range(layout.pages):
        first = page * layout.per_page
        last = min(first + layout.per_page, len(rows)) - 1
        aside = part(first, last) if layout.pages > 1 else ""
        press.frame(sheet, title, aside, page + 1, layout.pages, code)
        for column in range(min(layout.columns, -(-(last - first + 1) // layout.rows))):
            head(area.left + column * (layout.column_width + GUTTER), area.top + 5)
        draw_rows(press, area, layout, len(rows), first, row)
        press.end_page()
