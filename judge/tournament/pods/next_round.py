"""Pairing of pods: tables of three and more, where points go by place.

Tables are as even as possible: 6 = 3+3, 7 = 4+3, 10 = 4+3+3. Where no split exists (five at tables of four)
the lowest player who may have a bye gets it. The first round is dealt over the tables by seed, else by lot;
later rounds start with neighbours in the standings and change players as long as that makes the round cheaper
(`board` has the costs, `search` the search). At a table everybody gets the seat they have had least often.
Up to 12 players every way to seat them is tried, so nothing is cheaper; with more it is not proven.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, islice, permutations

from judge.core.errors import fail
from judge.core.messages import Message
from judge.tournament.history import histories
from judge.tournament.model import SMALLEST_TABLE, USUAL_SIZE, PlayerId, Result, Tournament
from judge.tournament.pairing import Cost, Pairing, seat_all, split
from judge.tournament.pods.board import Board, Seats, board_of
from judge.tournament.pods.seen import meetings, seats_taken
from judge.tournament.swiss.contenders import Contender, Draw, next_draw

MOST_NAMED = 2  # rematches named at a table; if there are more, they are only counted
MOST_BYES_TRIED = 3_000  # choices of byes, times the players, tried to keep forbidden pairs apart
MOST_ORDERS = 6  # players at a table up to whom every order of seats is weighed


# -- seating ------------------------------------------------------------------------------------------------


def pair_pods(t: Tournament, seed: int = 0) -> Pairing:
    draw = next_draw(t, seed)
    size = t.format.pod_size or USUAL_SIZE
    field, byes, tables, is_optimal = _round(t, draw, size)
    biggest = max(map(len, tables))
    lots = random.Random(f"pods/{seed}/{draw.round}")  # noqa: S311 - a stored seed is the point
    taken, met = seats_taken(t), meetings(t)
    is_seeded = any(e.seed is not None for e in t.entrants)
    seated = []
    for table in tables:
        players = [field[p] for p in sorted(table)]
        why = _why(t, met, draw.unit, players, biggest, is_seeded)
        lots.shuffle(players)
        seated.append((_in_seats([c.id for c in players], taken), why))
    reasons = tuple(Message("why_pod_bye", name=c.label, n=size) for c in byes)
    placed = seat_all(seated, t)
    cost = pod_cost(t, [table.players for table in placed], [c.id for c in byes])
    return Pairing(draw.round, placed, tuple(c.id for c in byes), cost, is_optimal, seed, reasons)


def _in_seats(players: list[PlayerId], taken: Counter[tuple[PlayerId, int]]) -> tuple[PlayerId, ...]:
    """The order of seats that repeats earlier seats least; among equal orders the one drawn by lot."""

    def repeats(order: Sequence[PlayerId]) -> int:
        return sum(2 * taken[player, seat] + 1 for seat, player in enumerate(order) if taken[player, seat])

    if len(players) <= MOST_ORDERS:
        return min(permutations(players), key=repeats)
    order: list[PlayerId] = []
    for seat in range(len(players)):
        order.append(min((p for p in players if p not in order), key=lambda p: taken[p, seat]))
    return tuple(order)


def _round(t: Tournament, draw: Draw, size: int) -> tuple[list[Contender], Sequence[Contender], Seats, bool]:
    """Who plays, who sits out, the tables, and whether nothing is cheaper. To keep forbidden pairs apart,
    somebody else may sit out; if that does not help either, the error names the fewest such pairs."""
    refused: list[list[str]] = []
    for byes in _byes(draw.contenders, size):
        field = [c for c in draw.contenders if c not in byes]
        sizes = split(len(field), size)
        if not sizes:
            raise fail("players", "tournament_too_few_for_a_table", n=len(field), least=SMALLEST_TABLE)
        tables, is_optimal = _seat(board_of(t, field, draw), sizes, draw)
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
    return islice(combinations(order, wanted), max(3, MOST_BYES_TRIED // max(1, len(field))))


def _seat(board: Board, sizes: list[int], draw: Draw) -> tuple[Seats, bool]:
    from judge.tournament.pods.search import cheapest  # numpy takes longer to load than all else

    lots = random.Random(f"tables/{draw.seed}/{draw.round}")  # noqa: S311 - a stored seed is the point
    return cheapest(board, _dealt(sizes) if draw.round == 1 else _neighbours(sizes), lots)


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


def _why(
    t: Tournament,
    met: Counter[frozenset[PlayerId]],
    unit: int,
    players: Sequence[Contender],
    biggest: int,
    is_seeded: bool,
) -> tuple[Message, ...]:
    said = [_points_says(t, unit, players, is_seeded)]
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


def _points_says(t: Tournament, unit: int, players: Sequence[Contender], is_seeded: bool) -> Message:
    if not t.rounds:
        return Message("why_pod_seeded" if is_seeded else "why_pod_lot")
    low, high = (Fraction(f(c.points for c in players), unit) for f in (min, max))
    if low == high:
        return Message("why_pod_level", points=_shown(low))
    return Message("why_pod_points", low=_shown(low), high=_shown(high))


def _shown(points: Fraction) -> str:
    return str(points.numerator) if points.denominator == 1 else f"{float(points):.2f}"
