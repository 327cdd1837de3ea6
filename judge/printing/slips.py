"""Prints result slips so that a cut stack is in order: cut it, pile up the parts, and tables are sorted.

With k slips a page on P pages, each place on the page holds P consecutive tables from front to back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Literal, TypeVar

from judge.core.messages import Phrasebook
from judge.printing.lettering import BOLD
from judge.printing.page import Area, Paper, Press, Progress, Sheet

PerPage = Literal[2, 4, 6, 8]
Counts = Literal["health", "score", "place"]
GRIDS: dict[int, tuple[int, int]] = {2: (1, 2), 4: (2, 2), 6: (2, 3), 8: (2, 4)}  # columns, rows
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SlipPlayer:
    """`heroes` are what the player brought, `picks` what is played. Names are in the reader's language.

    `starts`: who takes the first turn, None while it is not known.
    """

    name: str = ""
    picks: tuple[str, ...] = ()
    bans: tuple[str, ...] = ()
    starts: bool | None = None
    heroes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Slip:
    """One table. `counts` says what the boxes are for; `url` opens the result page of this table."""

    table: int | None = None
    players: tuple[SlipPlayer, ...] = (SlipPlayer(), SlipPlayer())
    url: str = ""
    counts: Counts = "health"
    best_of: int = 1


def slips_pdf(
    sheet: Sheet, slips: Sequence[Slip], book: Phrasebook, paper: Paper = "a4", per_page: PerPage = 4,
    progress: Progress | None = None,
) -> bytes:  # fmt: skip
    press = Press(book, paper, f"{sheet.event} – {book.sentences['print_slips']}", progress)
    draw_slips(press, sheet, slips, per_page)
    return press.finish()


def blank_slips(count: int, counts: Counts = "health", players: int = 2) -> list[Slip]:
    return [Slip(players=(SlipPlayer(),) * players, counts=counts)] * count


def cut_sorted(items: Sequence[T], per_page: int) -> list[list[T | None]]:
    """Pages of `per_page` places each; reading one place through all pages gives consecutive items."""
    pages = ceil(len(items) / per_page)
    return [
        [
            items[place * pages + page] if place * pages + page < len(items) else None
            for place in range(per_page)
        ]
        for page in range(pages)
    ]


def draw_slips(press: Press, sheet: Sheet, slips: Sequence[Slip], per_page: PerPage = 4) -> None:
    across, down = GRIDS[per_page]
    wide, high = press.width / across, press.height / down
    pages = cut_sorted(slips, per_page)
    words = _Words(press, sheet)
    press.expect(len(pages))
    for page in pages:
        for column in range(1, across):
            press.dashed(column * wide, 0, column * wide, press.height)
        for row in range(1, down):
            press.dashed(0, row * high, press.width, row * high)
        for place, slip in enumerate(page):
            if slip is not None:
                row, column = divmod(place, across)
                x, y = column * wide, press.height - (row + 1) * high
                _draw_slip(press, words, slip, Area(x + 16, y + 13, x + wide - 16, y + high - 14))
        press.end_page()


class _Words:
    """The sentences of a slip, translated once for the whole job."""

    def __init__(self, press: Press, sheet: Sheet) -> None:
        say = press.say
        self.table = say("print_table")
        self.event = sheet.event
        self.round = "" if sheet.round is None else say("print_round", n=sheet.round)
        self.number = say("print_sheet", number=sheet.number) if sheet.number else ""
        self.won, self.draw, self.turns = say("print_won"), say("print_draw"), say("print_turns_at_time")
        self.health, self.score, self.games = say("print_health"), say("print_score"), say("print_games")
        self.counted = {"health": self.health, "score": self.score, "place": say("print_place")}
        self.signature, self.starts = say("print_signature"), say("print_starts")
        self.drops = say("print_slip_drops")
        self.picks, self.bans, self.heroes = say("print_picks"), say("print_bans"), say("print_heroes")


def _draw_slip(press: Press, words: _Words, slip: Slip, area: Area) -> None:
    """Draw a slip. Type grows with the smaller side; extra height becomes room to write in."""
    unit = min(area.width / 265, area.height / 183, 1.7)
    spare = area.height - 183 * unit
    head, foot = 42 * unit + 0.13 * spare, 24 * unit + 0.05 * spare
    _head(press, words, slip, area, head, unit)
    block = (area.height - head - foot) / len(slip.players)
    for n, player in enumerate(slip.players):
        top = area.top - head - n * block
        _player(press, words, slip, player, Area(area.left, top - block, area.right, top), unit)
    below = Area(area.left, area.bottom, area.right, area.bottom + foot)
    _foot(press, words, below, unit, is_duel=len(slip.players) == 2)


def _head(press: Press, words: _Words, slip: Slip, area: Area, head: float, unit: float) -> None:
    edge = area.right
    if slip.url:
        side = head - 3
        press.qr(slip.url, area.right - side, area.top - side, side)
        edge -= side + 10
    number = "" if slip.table is None else str(slip.table)
    base = area.top - head + 7 * unit
    press.text(area.left, area.top - 7 * unit, words.table, 8 * unit)
    if number:
        press.text(area.left, base, number, min(38 * unit, head - 13 * unit), BOLD, room=70 * unit, least=12)
    else:
        press.rule(area.left, base, area.left + 60 * unit, base)
    x = area.left + 78 * unit
    room = edge - x
    press.text(x, area.top - 8 * unit, words.event, 9 * unit, BOLD, room=room, least=5.5)
    press.text(x, area.top - 20 * unit, words.round, 9 * unit, room=room)
    press.text(x, area.top - 31 * unit, words.number, 7 * unit, room=room)
    press.rule(area.left, area.top - head, edge, area.top - head, 1.0)


def _player(press: Press, words: _Words, slip: Slip, player: SlipPlayer, area: Area, unit: float) -> None:
    """Draw a player: name and known facts left, boxes to fill in right, a signature line below."""
    if area.height < 40 * unit:
        _pod_player(press, words, slip, player, area, unit)
        return
    top = area.top - 11 * unit
    box = min(max(24 * unit, area.height * 0.3), 40 * unit)
    left = _boxes(press, words, slip, top, area.right, box, unit)
    room = left - area.left - 6 * unit
    _name(press, player, area.left, top - 12 * unit, room, unit)
    lines = max(1, int((area.height - 48 * unit) / (13 * unit)))
    _known(press, words, player, area.left, top - 24 * unit, room, unit, lines)
    line = area.bottom + 4 * unit
    press.text(area.left, line + 1.5, words.signature, 6.3 * unit)
    press.rule(area.left + 44 * unit, line, area.right - 4 * unit, line, 0.5)


def _pod_player(press: Press, words: _Words, slip: Slip, player: SlipPlayer, area: Area, unit: float) -> None:
    """Draw a player of a pod: name, signature and boxes in one row."""
    box = area.height * 0.66
    bottom = area.bottom + area.height * 0.12
    score = area.right - box * 1.6
    press.box(score, bottom, box * 1.6, box, 0.9)
    if player.name:
        press.text(
            area.left, bottom + box * 0.3, player.name, 11 * unit, BOLD, room=area.width * 0.42, least=6
        )
    else:
        press.rule(area.left, bottom, area.left + area.width * 0.42, bottom)
    press.rule(area.left + area.width * 0.46, bottom, score - 8 * unit, bottom, 0.5)
    press.text(area.left + area.width * 0.46, bottom + 2, words.signature, 5.5 * unit)
    press.text(score - 4 * unit, bottom + box * 0.4, words.counted[slip.counts], 6 * unit, align="right")


def _boxes(
    press: Press, words: _Words, slip: Slip, top: float, right: float, box: float, unit: float
) -> float:
    """Draw the boxes: won, games of a longer match, health or score. Returns the x where they begin."""
    labels = [*([] if slip.counts == "place" else [words.won]), words.counted[slip.counts]]
    if slip.best_of > 1:
        labels.insert(1, words.games)
    step = max(box * 1.45, 36 * unit)
    x = right - step * len(labels)
    for n, label in enumerate(labels):
        wide = box if n == 0 else box * 1.2
        center = x + (n + 1) * step - wide / 2
        press.box(center - wide / 2, top - box, wide, box, 0.9)
        press.text(center, top + 2.5 * unit, label, 6.3 * unit, align="center", room=step - 4)
    return x + step - box


def _name(press: Press, player: SlipPlayer, x: float, y: float, room: float, unit: float) -> None:
    if player.name:
        press.name(x, y, player.name, 13 * unit, BOLD, room=room, least=6)
    else:
        press.rule(x, y - 2, x + room, y - 2)


def _known(
    press: Press, words: _Words, player: SlipPlayer, x: float, y: float, room: float, unit: float, lines: int
) -> None:
    """Draw who starts (a box to tick while unknown), the hero, the bans: one fact a line if they fit."""
    facts = []
    if player.starts is not False:
        facts.append(f"{'►' if player.starts else '☐'} {words.starts}")
    if player.picks:
        facts.append(f"{words.picks} {', '.join(player.picks)}")
    elif player.heroes:
        facts.append(f"{words.heroes} {', '.join(player.heroes)}")
    if player.bans:
        facts.append(f"{words.bans} {', '.join(player.bans)}")
    facts.append(f"☐ {words.drops}")
    if lines < len(facts):
        press.text(x, y, "   ".join(facts), 7.5 * unit, room=room, least=5)
        return
    for n, fact in enumerate(facts):
        press.text(x, y - n * 13 * unit, fact, 9 * unit, room=room, least=5)


def _foot(press: Press, words: _Words, area: Area, unit: float, *, is_duel: bool) -> None:
    """Draw the boxes for a draw and for turns after time was called; only for two players."""
    if not is_duel:
        return
    y = area.bottom + 5 * unit
    side = 13 * unit
    press.box(area.left, y - 3 * unit, side, side, 0.9)
    press.text(area.left + side + 5 * unit, y, words.draw, 9 * unit, room=area.width * 0.3)
    wide = 26 * unit
    press.box(area.right - wide, y - 3 * unit, wide, side, 0.9)
    press.text(area.right - wide - 5 * unit, y, words.turns, 8 * unit, align="right", room=area.width * 0.5)
