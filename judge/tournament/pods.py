"""Pairing of pods: tables of three and more, where points go by place.

Tables are as even as possible: 6 = 3+3, 7 = 4+3, 10 = 4+3+3. Where no split exists (five at tables of four)
the lowest player who may have a bye gets it. The first round is dealt over the tables by seed, else by lot;
later rounds start with neighbours in the standings and swap two players as long as that makes the round
cheaper. The cost of a set of tables is the sum of:

  pairs at a table: steps between their score groups, squared; earlier meetings, squared; the same club
  players at a smaller table: how often they have sat at one before

The weights are our assumption: one earlier meeting weighs more than one step of points, less than two.
Up to 12 players every way to seat them is tried, so nothing is cheaper; with more it is not proven.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from judge.core.errors import fail
from judge.core.messages import Message
from judge.tournament.history import histories
from judge.tournament.model import SMALLEST_TABLE, USUAL_SIZE, Match, PlayerId, Result, Tournament
from judge.tournament.pairing import Cost, Pairing, seat_all, split
from judge.tournament.swiss.contenders import Contender, Draw, next_draw

STEP, MEETING, CLUB, SMALL_AGAIN, BARRED = 2, 6, 1, 2, 1_000_000
MOST_TRIED = 12
MOST_NAMED = 2  # rematches named at a table; if there are more, they are only counted
REACH = 3  # in a big event two players may swap only within this many tables

Seats = list[list[int]]  # positions in order of standing, table by table


def pods_in(t: Tournament) -> Iterator[Match]:
    return (m for matches in t.rounds for m in matches if m.seats or m.scores is not None)


def meetings(t: Tournament) -> Counter[frozenset[PlayerId]]:
    """How often each two players have sat at the same table."""
    times_met: Counter[frozenset[PlayerId]] = Counter()
    for match in pods_in(t):
        times_met.update(map(frozenset, combinations(match.players, 2)))
    return times_met


def small_tables(t: Tournament) -> Counter[PlayerId]:
    """How often each player has sat at a table smaller than others of its round."""
    times_small: Counter[PlayerId] = Counter()
    for matches in t.rounds:
        pods = [m.players for m in matches if m.seats or m.scores is not None]
        biggest = max(map(len, pods), default=0)
        times_small.update(p for players in pods if len(players) < biggest for p in players)
    return times_small


# -- the cost of a set of tables ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Board:
    """Everything a pairing weighs, by position in the standings."""

    pairs: list[list[int]]
    small: list[int]

    def table(self, players: Sequence[int], biggest: int) -> int:
        cost = sum(self.pairs[a][b] for a, b in combinations(players, 2))
        return cost + (sum(self.small[p] for p in players) if len(players) < biggest else 0)


def _board(t: Tournament, field: Sequence[Contender], forbidden: frozenset[frozenset[PlayerId]]) -> Board:
    met, again = meetings(t), small_tables(t)
    levels = {points: n for n, points in enumerate(sorted({c.points for c in field}))}

    def between(a: Contender, b: Contender) -> int:
        pair = frozenset((a.id, b.id))
        cost = STEP * (levels[a.points] - levels[b.points]) ** 2 + MEETING * met[pair] ** 2
        cost += CLUB if a.club and a.club == b.club else 0
        return cost + (BARRED if pair in forbidden else 0)

    pairs = [[between(a, b) if a is not b else 0 for b in field] for a in field]
    return Board(pairs, [SMALL_AGAIN * again[c.id] for c in field])


# -- seating ------------------------------------------------------------------------------------------------


def pair_pods(t: Tournament, seed: int = 0) -> Pairing:
    draw = next_draw(t, seed)
    size = t.format.pod_size or USUAL_SIZE
    field, byes, tables, is_optimal = _round(t, draw, size)
    biggest = max(map(len, tables))
    lots = random.Random(f"pods/{seed}/{draw.round}")  # noqa: S311 - a stored seed is the point
    seated = []
    for table in tables:
        players = [field[p] for p in sorted(table)]
        why = _why(t, draw.unit, players, biggest)
        lots.shuffle(players)
        seated.append((tuple(c.id for c in players), why))
    entrants = {e.id: e for e in t.entrants}
    reasons = tuple(Message("why_pod_bye", name=c.label, n=size) for c in byes)
    placed = seat_all(seated, entrants)
    cost = pod_cost(t, [table.players for table in placed], [c.id for c in byes])
    return Pairing(draw.round, placed, tuple(c.id for c in byes), cost, is_optimal, seed, reasons)


def _round(t: Tournament, draw: Draw, size: int) -> tuple[list[Contender], Sequence[Contender], Seats, bool]:
    """Who plays, who sits out, the tables, and whether nothing is cheaper. To keep forbidden pairs apart,
    somebody else may sit out; if that does not help either, the error names the fewest such pairs."""
    refused: list[list[str]] = []
    for byes in _byes(draw.contenders, size):
        field = [c for c in draw.contenders if c not in byes]
        sizes = split(len(field), size)
        if not sizes:
            raise fail("players", "tournament_too_few_for_a_table", n=len(field), least=SMALLEST_TABLE)
        tables, is_optimal = _seat(_board(t, field, draw.forbidden), sizes, is_first=not t.rounds)
        barred = [
            f"{field[a].label} – {field[b].label}"
            for table in tables
            for a, b in combinations(sorted(table), 2)
            if frozenset((field[a].id, field[b].id)) in draw.forbidden
        ]
        if not barred:
            return field, byes, tables, is_optimal
        refused.append(barred)
    pairs = min(refused, key=len)
    raise fail("forbidden", "tournament_impossible", n=len(pairs), pairs=pairs)


def _byes(field: Sequence[Contender], size: int) -> Iterator[tuple[Contender, ...]]:
    """Each choice of byes, as few as make the others fit: the lowest without a bye first, then the rest."""
    wanted = next((n for n in range(len(field)) if split(len(field) - n, size)), 0)
    order = sorted(field, key=lambda c: (not c.may_have_bye, c.byes, -c.standing))
    return combinations(order, wanted)


def _seat(board: Board, sizes: list[int], *, is_first: bool) -> tuple[Seats, bool]:
    tables = _dealt(sizes) if is_first else _neighbours(sizes)
    _improve(board, tables, max(sizes))
    if len(board.small) <= MOST_TRIED:
        return _best(board, sizes, tables), True
    return tables, False


def _neighbours(sizes: list[int]) -> Seats:
    tables, first = [], 0
    for size in sizes:
        tables.append(list(range(first, first + size)))
        first += size
    return tables


def _dealt(sizes: list[int]) -> Seats:
    """Deal back and forth over the tables, so that the best seeds do not meet at once."""
    tables: Seats = [[] for _ in sizes]
    player, turn = 0, 0
    while player < sum(sizes):
        order = range(len(sizes)) if turn % 2 == 0 else range(len(sizes) - 1, -1, -1)
        for n in order:
            if len(tables[n]) < sizes[n] and player < sum(sizes):
                tables[n].append(player)
                player += 1
        turn += 1
    return tables


def _improve(board: Board, tables: Seats, biggest: int) -> None:
    """Swap two players of nearby tables as long as that makes the round cheaper."""
    reach = REACH if len(board.small) > 100 else len(tables)
    is_better = True
    while is_better:
        is_better = False
        for table in range(len(tables)):
            for other in range(table + 1, min(len(tables), table + reach + 1)):
                is_better |= _exchange(board, tables[table], tables[other], biggest)


def _exchange(board: Board, table: list[int], other: list[int], biggest: int) -> bool:
    now = board.table(table, biggest) + board.table(other, biggest)
    for x in range(len(table)):
        for y in range(len(other)):
            table[x], other[y] = other[y], table[x]
            if board.table(table, biggest) + board.table(other, biggest) < now:
                return True
            table[x], other[y] = other[y], table[x]
    return False


def _best(board: Board, sizes: list[int], improved: Seats) -> Seats:
    """The cheapest of all ways to seat a small field; skips any that is no cheaper than the best yet."""
    biggest = max(sizes)
    best = improved
    least = sum(board.table(table, biggest) for table in improved)

    def go(free: list[int], left: Counter[int], seated: Seats, cost: int) -> None:
        nonlocal best, least
        if not free:
            best, least = [*seated], cost
            return
        first, rest = free[0], free[1:]
        for size in sorted((n for n in left if left[n]), reverse=True):
            for others in combinations(rest, size - 1):
                table = [first, *others]
                total = cost + board.table(table, biggest)
                if total < least:
                    after = [p for p in rest if p not in others]
                    go(after, left - Counter([size]), [*seated, table], total)

    go(list(range(sum(sizes))), Counter(sizes), [], 0)
    return best


# -- the report ---------------------------------------------------------------------------------------------


def pod_cost(t: Tournament, tables: Sequence[Sequence[PlayerId]], byes: Sequence[PlayerId]) -> Cost:
    """Rematches, squared differences of points over all pairs, and tables of unequal points."""
    points = points_of(t)
    met = meetings(t)
    had = {m.a for matches in t.rounds for m in matches if m.result is Result.BYE}
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    gaps = [(points[a] - points[b]) ** 2 for a, b in pairs]
    return Cost(
        rematches=sum(met[frozenset(pair)] > 0 for pair in pairs),
        repeat_byes=sum(p in had for p in byes),
        score_gap=sum(gaps, Fraction(0)),
        floats=sum(len({points[p] for p in table}) > 1 for table in tables),
    )


def points_of(t: Tournament) -> dict[PlayerId, Fraction]:
    return {player: history.points for player, history in histories(t).items()}


def _why(t: Tournament, unit: int, players: Sequence[Contender], biggest: int) -> tuple[Message, ...]:
    said = [_points_says(t, unit, players)]
    met = meetings(t)
    again = [(a, b) for a, b in combinations(players, 2) if met[frozenset((a.id, b.id))]]
    if len(again) > MOST_NAMED:
        said.append(Message("why_pod_again_many", n=len(again)))
    else:
        said += [
            Message("why_pod_again", a=a.label, b=b.label, n=met[frozenset((a.id, b.id))]) for a, b in again
        ]
    if len(players) < biggest:
        said.append(Message("why_pod_small", n=len(players)))
    return tuple(said)


def _points_says(t: Tournament, unit: int, players: Sequence[Contender]) -> Message:
    if not t.rounds:
        seeded = any(e.seed is not None for e in t.entrants)
        return Message("why_pod_seeded" if seeded else "why_pod_lot")
    low, high = (Fraction(f(c.points for c in players), unit) for f in (min, max))
    if low == high:
        return Message("why_pod_level", points=_shown(low))
    return Message("why_pod_points", low=_shown(low), high=_shown(high))


def _shown(points: Fraction) -> str:
    return str(points.numerator) if points.denominator == 1 else f"{float(points):.2f}"
