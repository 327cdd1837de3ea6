"""The cheapest way to seat players at tables: every way for small fields, a seeded search for larger ones.

All tables are searched as if they had the same size: a table with a seat fewer has a ghost in it. A ghost
costs a player what sitting at a small table costs, and two ghosts never share a table. So one kind of move is
enough: two change places, also across tables of different size, where a player and a ghost do.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import numpy as np
import numpy.typing as npt

from judge.core.budget import spend
from judge.tournament.pods.board import CLUB, STEP, Board, Seats

Ints = npt.NDArray[np.int64]
Costs = npt.NDArray[np.float64]  # whole numbers; only these are multiplied fast

MOST_TRIED = 12  # players up to whom every way is tried
TOGETHER = 24  # tables that are searched at once; a larger field is searched in overlapping stretches
KICKS = 240  # how often a search leaves the nearest optimum to look for a better one
MOST_TOGETHER = 144  # players of those tables
MOST_STRETCHES = 20  # whose kicks are shared by all stretches of a larger field
NEVER = 1e9


def cheapest(board: Board, start: Seats, lots: random.Random) -> tuple[Seats, bool]:
    """The tables, and whether it is proven that none are cheaper."""
    tables = _searched(board, start, lots)
    if len(board.small) <= MOST_TRIED:
        return _best(board, [len(table) for table in start], tables), True
    return tables, False


# -- the search ---------------------------------------------------------------------------------------------


def _searched(board: Board, start: Seats, lots: random.Random) -> Seats:
    biggest, players = max(map(len, start)), len(board.small)
    ghosts = [n for n, table in enumerate(start) if len(table) < biggest]
    at = np.zeros(players + len(ghosts), np.int64)
    for n, table in enumerate(start):
        at[table] = n
    at[players:] = ghosts
    count = len(start)
    together = max(2, min(TOGETHER, MOST_TOGETHER // biggest))
    step = together // 2 if count > together else count
    stretches = range(0, max(1, count - together + step), step)
    kicks = KICKS * min(len(stretches), MOST_STRETCHES) // len(stretches)
    for first in stretches:
        inside = np.flatnonzero((at >= first) & (at < first + together))
        at[inside] = first + _local(_costs(board, inside), at[inside] - first, lots, kicks)
    tables: Seats = [[] for _ in start]
    for player in range(players):
        tables[at[player]].append(player)
    return tables


def _costs(board: Board, inside: Ints) -> Costs:
    """What each two of these cost at one table; numbers beyond the players are ghosts."""
    seated = [n for n in inside.tolist() if n < len(board.small)]
    levels = np.array([board.levels[p] for p in seated], np.float64)
    clubs = np.array([board.clubs[p] for p in seated])
    costs = np.full((len(inside), len(inside)), NEVER, np.float64)
    own = costs[: len(seated), : len(seated)]
    own[:] = STEP * (levels[:, None] - levels[None, :]) ** 2
    own += CLUB * ((clubs[:, None] == clubs[None, :]) & (clubs[:, None] > 0))
    place = {p: n for n, p in enumerate(seated)}
    for n, p in enumerate(seated):
        for other, cost in board.more[p].items():
            if other in place:
                own[n, place[other]] += cost
    small = np.array([board.small[p] for p in seated], np.float64)
    costs[len(seated) :, : len(seated)] = small
    costs[: len(seated), len(seated) :] = small[:, None]
    np.fill_diagonal(costs, 0)
    return costs


def _local(costs: Costs, at: Ints, lots: random.Random, kicks: int) -> Ints:
    """Improve by changes of places; then leave the optimum by a few random ones, and keep what is better."""
    best, least = _improved(costs, at.copy())
    for _ in range(kicks if len(costs) > MOST_TRIED else 0):
        other = best.copy()
        for _ in range(lots.choice((2, 3, 4))):
            a, b = lots.sample(range(len(costs)), 2)
            other[[a, b]] = other[[b, a]]
        other, cost = _improved(costs, other)
        if cost < least:
            best, least = other, cost
    return best


def _improved(costs: Costs, at: Ints) -> tuple[Ints, float]:
    """Make the best change of places until none helps."""
    rows = np.arange(len(costs))
    sums = costs @ (at[:, None] == np.arange(int(at.max()) + 1)).astype(np.float64)
    while True:
        spend()
        change = sums[:, at]
        own = change[rows, rows]
        change -= own[:, None]
        change = change + change.T - 2 * costs
        change[at[:, None] == at[None, :]] = 0
        a, b = divmod(int(change.argmin()), len(costs))
        if change[a, b] >= 0:
            return at, float(own.sum()) / 2
        moved = costs[:, b] - costs[:, a]
        sums[:, at[a]] += moved
        sums[:, at[b]] -= moved
        at[a], at[b] = at[b], at[a]


# -- every way ----------------------------------------------------------------------------------------------


def _best(board: Board, sizes: list[int], known: Seats) -> Seats:
    """The cheapest of all ways to seat a small field; skips any that is no cheaper than the best yet."""
    biggest = max(sizes)
    best, least = known, board.all(known)

    def go(free: list[int], left: Counter[int], seated: Seats, cost: int) -> None:
        nonlocal best, least
        spend()
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
