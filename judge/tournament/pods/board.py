"""What it costs to seat two players at one table, and a player at a small one.

The cost of a set of tables is the sum of:

  pairs at a table: steps between their score groups, squared; earlier meetings, squared; the same club
  players at a smaller table: how often they have sat at one before

The weights are our assumption. An earlier meeting weighs as much as three to four steps of points, so that in
fields of 16 to 40 players hardly anybody meets again; the event may set it (`repeat_weight`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from judge.tournament.model import PlayerId, Tournament
from judge.tournament.pods.seen import meetings, small_tables
from judge.tournament.swiss.contenders import Contender, Draw

STEP, CLUB, SMALL_AGAIN, BARRED = 2, 1, 240, 1_000_000
REPEAT_WEIGHT = 150  # of an earlier meeting, if the event does not say otherwise

Seats = list[list[int]]  # positions in order of standing, table by table


@dataclass(frozen=True, slots=True)
class Board:
    """What two players at one table cost, and what a small table costs each, by position in the standings.
    Only what differs from the distance of their points is kept by pairs, since most have never met."""

    levels: list[int]  # score groups, counted from the lowest
    clubs: list[int]  # 0: none, or club mates need not be parted
    more: list[dict[int, int]]  # what a pair costs besides
    small: list[int]

    def pair(self, a: int, b: int) -> int:
        mates = CLUB if self.clubs[a] and self.clubs[a] == self.clubs[b] else 0
        return STEP * (self.levels[a] - self.levels[b]) ** 2 + mates + self.more[a].get(b, 0)

    def table(self, players: Sequence[int], biggest: int) -> int:
        cost = sum(self.pair(a, b) for a, b in combinations(players, 2))
        return cost + (sum(self.small[p] for p in players) if len(players) < biggest else 0)

    def all(self, tables: Seats) -> int:
        biggest = max(map(len, tables))
        return sum(self.table(table, biggest) for table in tables)


def board_of(t: Tournament, field: Sequence[Contender], draw: Draw) -> Board:
    again = small_tables(t)
    levels = {points: n for n, points in enumerate(sorted({c.points for c in field}))}
    clubs = {club: n for n, club in enumerate(sorted({c.club for c in field if c.club}), start=1)}
    return Board(
        [levels[c.points] for c in field],
        [clubs[c.club] if draw.parts_clubs and c.club else 0 for c in field],
        _more(t, field, draw),
        [SMALL_AGAIN * again[c.id] for c in field],
    )


def _more(t: Tournament, field: Sequence[Contender], draw: Draw) -> list[dict[int, int]]:
    """What earlier meetings and forbidden pairs cost, by position."""
    repeat = REPEAT_WEIGHT if t.format.repeat_weight is None else t.format.repeat_weight
    place = {c.id: n for n, c in enumerate(field)}
    more: list[dict[int, int]] = [{} for _ in field]

    def add(pair: frozenset[PlayerId], cost: int) -> None:
        a, b = (place.get(player) for player in pair)
        if a is not None and b is not None:
            more[a][b] = more[b][a] = more[a].get(b, 0) + cost

    for pair, times in meetings(t).items():
        add(pair, repeat * times**2)
    for pair in draw.forbidden:
        add(pair, BARRED)
    return more
