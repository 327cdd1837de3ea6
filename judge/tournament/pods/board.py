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

from judge.tournament.model import Tournament
from judge.tournament.pods.seen import meetings, small_tables
from judge.tournament.swiss.contenders import Contender, Draw

STEP, CLUB, SMALL_AGAIN, BARRED = 2, 1, 240, 1_000_000
REPEAT_WEIGHT = 150  # of an earlier meeting, if the event does not say otherwise

Seats = list[list[int]]  # positions in order of standing, table by table


@dataclass(frozen=True, slots=True)
class Board:
    """What two players at one table cost, and what a small table costs each, by position in the standings."""

    pairs: list[list[int]]
    small: list[int]

    def table(self, players: Sequence[int], biggest: int) -> int:
        cost = sum(self.pairs[a][b] for a, b in combinations(players, 2))
        return cost + (sum(self.small[p] for p in players) if len(players) < biggest else 0)

    def all(self, tables: Seats) -> int:
        biggest = max(map(len, tables))
        return sum(self.table(table, biggest) for table in tables)


def board_of(t: Tournament, field: Sequence[Contender], draw: Draw) -> Board:
    met, again = meetings(t), small_tables(t)
    levels = {points: n for n, points in enumerate(sorted({c.points for c in field}))}
    repeat = REPEAT_WEIGHT if t.format.repeat_weight is None else t.format.repeat_weight

    def between(a: Contender, b: Contender) -> int:
        pair = frozenset((a.id, b.id))
        cost = STEP * (levels[a.points] - levels[b.points]) ** 2 + repeat * met[pair] ** 2
        cost += CLUB if draw.parts_clubs and a.club and a.club == b.club else 0
        return cost + (BARRED if pair in draw.forbidden else 0)

    pairs = [[between(a, b) if a is not b else 0 for b in field] for a in field]
    return Board(pairs, [SMALL_AGAIN * again[c.id] for c in field])
