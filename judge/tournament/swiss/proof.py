"""Proves that no pairing of a round repeats fewer meetings, gives the bye to a lower player, or has a smaller
score gap than one that was found over a part of all pairs.

A pairing without rematches and with the bye at the lowest possible score leaves only the gap. A pair that
crosses score groups forces others across: below an odd number of players somebody must cross, below an even
number nobody or two. So every pair has a least gap of any round it is in; pairs that reach the known gap are
left out, and the matching over all others shows whether a smaller one exists.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from judge.tournament.swiss.contenders import Contender, Draw
from judge.tournament.swiss.matching import Layer, match_in_layers
from judge.tournament.swiss.pair_costs import Board, Bools, Ints, gap, make_board


def is_cheapest(draw: Draw, pairs: Sequence[tuple[Contender, Contender]], bye: Contender | None) -> bool:
    """Whether the pairing is proven to have the least cost; False also where this cannot be shown."""
    if any(b.id in a.met for a, b in pairs) or (bye and not _is_lowest(draw, bye)):
        return False
    known = sum((a.points - b.points) ** 2 for a, b in pairs)
    field = list(draw.contenders)
    if bye is None:
        return not _is_smaller_possible(make_board(draw, field), known, ())
    # Whoever of that score sits out, the others form the same groups.
    out = [n for n, c in enumerate(field) if c.points == bye.points and c.may_have_bye]
    return not _is_smaller_possible(make_board(draw, field), known, out)


def _is_lowest(draw: Draw, bye: Contender) -> bool:
    able = [c.points for c in draw.contenders if c.may_have_bye]
    return bye.may_have_bye and bye.points == min(able)


def _is_smaller_possible(board: Board, known: int, out: Sequence[int]) -> bool:
    """Whether a pairing without rematches has a gap below the known one; one of `out` sits out if there are
    any."""
    n = len(board.contenders)
    i, j = (side.astype(np.int64) for side in np.triu_indices(n, 1))
    least = _least_gaps(board, board.group[out[0]] if out else None)
    useful = least[board.group[i], board.group[j]] < known
    i, j = i[useful], j[useful]
    fresh = _unmet(board, i, j)
    i, j = i[fresh], j[fresh]
    costs = gap(board, i, j)
    if out:
        i = np.concatenate([i, np.array(out, np.int64)])
        j = np.concatenate([j, np.full(len(out), n, np.int64)])
        costs = np.concatenate([costs, np.zeros(len(out), np.int64)])
    if len(i) == 0:
        return False
    pairs = match_in_layers(n + bool(out), i, j, [Layer(costs)])
    if pairs is None:
        return False
    return sum(int(board.points[a] - board.points[b]) ** 2 for a, b in pairs if b < n) < known


def _unmet(board: Board, i: Ints, j: Ints) -> Bools:
    n = len(board.contenders)
    gone = [a * n + b for a, b in (*board.met, *board.barred)]
    return ~np.isin(i * n + j, np.array(gone, np.int64))


def _least_gaps(board: Board, shrunk: int | None) -> Ints:
    """For two groups, the least gap of a round with a pair of theirs; `shrunk`: the group that loses one."""
    points = [int(board.points[start]) for start, _ in board.groups]
    steps = np.array([(points[k] - points[k + 1]) ** 2 for k in range(len(points) - 1)], np.int64)
    is_odd = np.array(
        [(end - (shrunk is not None and k >= shrunk)) % 2 == 1 for k, (_, end) in enumerate(board.groups)]
    )[:-1]
    least = np.zeros((len(points), len(points)), np.int64)
    for g in range(len(points)):
        for h in range(g, len(points)):
            spans = np.zeros(len(steps), np.bool_)
            spans[g:h] = True
            forced = int(steps[is_odd & ~spans].sum()) + int(steps[~is_odd & spans].sum())
            least[g, h] = (points[g] - points[h]) ** 2 + forced
    return least
