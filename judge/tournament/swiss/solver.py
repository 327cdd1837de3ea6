"""Solves a Swiss round: the optimum of the layered costs in `pair_costs`, not a heuristic.

Nearly always the round splits into independent blocks: of the lowest score group in which somebody may have
the bye, the last in rank gets it, and score groups form blocks with no pairs between them. A pairing that
crosses groups only where the number of players above is odd has the smallest possible score gap
(`lower_bound`). If such a pairing without rematches exists, it is solved block by block and is proven to be
the optimum of the whole field. If not, the whole graph is solved: every pair up to 256 players; above that a
window of near opponents, which grows until a perfect pairing exists. Up to 512 players `proof` then shows
that no pairing has a smaller score gap, or every pair is weighed after all. Blocks above 256 players are cut
into slices along the pattern. That keeps rematches, byes, score gap and floats exact, but may move a pairing
by a few positions inside its group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from judge.core.errors import InputError, problem
from judge.tournament.swiss.contenders import Contender, Draw
from judge.tournament.swiss.matching import Layer, Pairs, match_in_layers
from judge.tournament.swiss.pair_costs import (
    Board,
    Bools,
    Ints,
    club_mates,
    crossing,
    gap,
    lots,
    lower_bound,
    make_board,
    off_pattern,
    repeated_float,
    start_imbalance,
)  # fmt: skip
from judge.tournament.swiss.proof import is_cheapest

COMPLETE = 256  # up to here every possible pair is weighed
PROVEN = 512  # up to here the result is proven; if the window has missed the optimum, every pair is weighed
SLICE = 64  # tables in a slice of a larger block
WINDOW = 8
WIDEST = 512


@dataclass(frozen=True, slots=True)
class Found:
    """A solved round: pairs of contenders (upper first), who sits out, and whether it is proven optimal."""

    pairs: list[tuple[Contender, Contender]]
    bye: Contender | None
    is_proven: bool


def solve(draw: Draw) -> Found:
    solved = _by_blocks(draw) or solve_whole(draw)
    if solved.is_proven or len(draw.contenders) > PROVEN:
        return solved
    if is_cheapest(draw, solved.pairs, solved.bye):
        return replace(solved, is_proven=True)
    return solve_whole(draw, PROVEN)


# -- block by block -----------------------------------------------------------------------------------------


def _by_blocks(draw: Draw) -> Found | None:
    """The optimum if it needs no rematch, no second bye and no float beyond the unavoidable; else None."""
    rest, bye = list(draw.contenders), None
    if len(rest) % 2:
        bye = min((c for c in rest if c.may_have_bye), key=lambda c: (c.points, -c.standing), default=None)
        if bye is None:
            return None
        rest.remove(bye)
    board = make_board(draw, rest)
    pairs: Pairs = []
    for start, end in _blocks(board):
        block_pairs = _block(board, start, end)
        if block_pairs is None:
            return None
        pairs += block_pairs
    if sum((rest[a].points - rest[b].points) ** 2 for a, b in pairs) != lower_bound(board):
        return None
    return Found([(rest[a], rest[b]) for a, b in pairs], bye, is_proven=True)


def _blocks(board: Board) -> list[tuple[int, int]]:
    """Ranges of positions between which nobody has to cross."""
    cuts = [end for _, end in board.groups if end % 2 == 0]
    return list(zip([0, *cuts], cuts, strict=False))


def _block(board: Board, start: int, end: int) -> Pairs | None:
    members = np.arange(start, end)
    if board.group[start] == board.group[end - 1]:
        ideal = _ideal(board, members)
        if _is_perfect(board, ideal):
            return ideal
    if len(members) <= COMPLETE:
        return _among(board, members)
    return _large_block(board, start, end)


def _ideal(board: Board, members: Ints) -> Pairs:
    half = len(members) // 2
    if board.draw.pattern == "slide":
        first, second = members[:half], members[half:]
    elif board.draw.pattern == "fold":
        first, second = members[:half], members[half:][::-1]
    else:
        first, second = members[0::2], members[1::2]
    return list(zip(first.tolist(), second.tolist(), strict=True))


def _is_perfect(board: Board, pairs: Pairs) -> bool:
    """Whether the pairs cost nothing in any layer. (With balanced starts this test cannot tell.)"""
    if board.draw.balances_starts or any(p in board.met or p in board.barred for p in pairs):
        return False
    return not any(board.club[a] == board.club[b] >= 0 for a, b in pairs)


def _among(board: Board, members: Ints) -> Pairs | None:
    """The optimum among these players alone, over every possible pair."""
    x, y = np.triu_indices(len(members), 1)
    free = _open_pairs(board, members)[x, y]
    x, y = x[free], y[free]
    if len(x) == 0:
        return None
    i, j = members[x], members[y]
    layers = [
        Layer(gap(board, i, j)), Layer(repeated_float(board, i, j, 0)), Layer(repeated_float(board, i, j, 1)),
        Layer(club_mates(board, i, j)), Layer(off_pattern(board, i, j)), Layer(start_imbalance(board, i, j)),
        Layer(lots(board, i, j)),
    ]  # fmt: skip
    pairs = match_in_layers(len(members), x, y, layers)
    return pairs and [(int(members[a]), int(members[b])) for a, b in pairs]


def _open_pairs(board: Board, members: Ints) -> Bools:
    """Which pairs may meet: same group, or neighbours across an odd cut; not met before, not forbidden."""
    group = board.group[members]
    step = group[None, :] - group[:, None]
    odd = np.array(board.odd)
    free: Bools = (step == 0) | ((step == 1) & odd[group][:, None])
    at = {int(m): n for n, m in enumerate(members)}
    for n, m in enumerate(members.tolist()):
        for other in board.contenders[m].met:
            k = at.get(board.position.get(other, -1))
            if k is not None:
                free[n, k] = False
    for a, b in board.barred:
        if a in at and b in at:
            free[at[a], at[b]] = False
    return free


def _large_block(board: Board, start: int, end: int) -> Pairs | None:
    """Choose the floaters first, among the few players next to each cut; then pair each group by slices."""
    taken: set[int] = set()
    pairs: Pairs = []
    inside = [g for g, (s, _) in enumerate(board.groups) if start <= s < end]
    for g in inside[:-1]:
        floater = _across(board, board.groups[g], board.groups[g + 1], taken)
        if floater is None:
            return None
        pairs.append(floater)
        taken.update(floater)
    for g in inside:
        members = np.array([m for m in range(*board.groups[g]) if m not in taken], np.int64)
        inside_pairs = _by_slices(board, members)
        if inside_pairs is None:
            return None
        pairs += inside_pairs
    return pairs


def _across(
    board: Board, upper: tuple[int, int], lower: tuple[int, int], taken: set[int]
) -> tuple[int, int] | None:
    above = [m for m in range(*upper) if m not in taken][-2 * WINDOW :]
    below = [m for m in range(*lower) if m not in taken][: 2 * WINDOW]
    pairs = [(a, b) for a in above for b in below if (a, b) not in board.met and (a, b) not in board.barred]
    if not pairs:
        return None
    i, j = (np.array(side, np.int64) for side in zip(*pairs, strict=True))
    costs = [
        repeated_float(board, i, j, 0), repeated_float(board, i, j, 1), club_mates(board, i, j),
        off_pattern(board, i, j), start_imbalance(board, i, j), lots(board, i, j),
    ]  # fmt: skip
    best = min(range(len(pairs)), key=lambda n: tuple(int(layer[n]) for layer in costs))
    return pairs[best]


def _by_slices(board: Board, members: Ints) -> Pairs | None:
    ideal = _ideal(board, members)
    if _is_perfect(board, ideal) or not ideal:
        return ideal
    pairs: Pairs = []
    for n in range(0, len(ideal), SLICE):
        part = ideal[n : n + SLICE]
        if not _is_perfect(board, part):
            slice_pairs = _among(board, np.array(sorted(m for pair in part for m in pair), np.int64))
            if slice_pairs is None:
                return None
            part = slice_pairs
        pairs += part
    return pairs


# -- the whole field ----------------------------------------------------------------------------------------


def solve_whole(draw: Draw, complete_up_to: int = COMPLETE) -> Found:
    """Solve all layers over the whole field. The bye comes first: only layers down to the gap decide it."""
    contenders, bye = list(draw.contenders), None
    is_complete = len(contenders) <= complete_up_to
    if len(contenders) % 2:
        board = make_board(draw, contenders)
        pairs = _widening(board, is_complete, _with_bye)
        if pairs is None:
            raise _impossible(board)
        bye = next(contenders[a] for a, b in pairs if b == len(contenders))
        contenders.remove(bye)
    board = make_board(draw, contenders)
    pairs = _widening(board, is_complete, _all_layers)
    if pairs is None:
        raise _impossible(board)
    return Found([(contenders[a], contenders[b]) for a, b in pairs], bye, is_complete)


Solver = Callable[[Board, Ints, Ints], Pairs | None]


def _widening(board: Board, is_complete: bool, solver: Solver) -> Pairs | None:
    """Solve over every pair, or over a window that grows until a pairing without rematches exists."""
    n = len(board.contenders)
    width = n if is_complete else WINDOW
    while True:
        i, j = _every_pair(n) if width >= n else _near(board, width)
        allowed = _keep(i, j, board.barred)
        i, j = i[allowed], j[allowed]
        if is_complete or width >= WIDEST:  # rematches are allowed only when nothing else is left
            return solver(board, i, j)
        fresh = _keep(i, j, board.met)
        pairs = solver(board, i[fresh], j[fresh])
        if pairs is not None:
            return pairs
        width *= 4


def _every_pair(n: int) -> tuple[Ints, Ints]:
    i, j = np.triu_indices(n, 1)
    return i.astype(np.int64), j.astype(np.int64)


def _near(board: Board, width: int) -> tuple[Ints, Ints]:
    """Pairs near each other in standing, and near the partner the pattern wants."""
    n = len(board.contenders)
    here = np.arange(n)
    steps = {*range(1, width + 1)}
    codes = [here[: n - s] * n + here[s:] for s in steps if s < n]
    for start, end in board.groups:
        for a, b in _ideal(board, np.arange(start, end - (end - start) % 2)):
            around = np.arange(max(start, b - width), min(end, b + width + 1))
            codes.append(np.minimum(a, around)[around != a] * n + np.maximum(a, around)[around != a])
    code = np.unique(np.concatenate(codes))
    return code // n, code % n


def _keep(i: Ints, j: Ints, without: Iterable[tuple[int, int]]) -> Bools:
    drop = set(without)
    return np.array([pair not in drop for pair in zip(i.tolist(), j.tolist(), strict=True)], np.bool_)


def _meetings(board: Board, i: Ints, j: Ints) -> Ints:
    return np.array([board.met.get(pair, 0) for pair in zip(i.tolist(), j.tolist(), strict=True)], np.int64)


def _all_layers(board: Board, i: Ints, j: Ints) -> Pairs | None:
    """The layers of an even field, where the bye is already given."""
    if len(i) == 0:
        return None
    met = _meetings(board, i, j)
    layers = [
        np.minimum(met, 1), met, gap(board, i, j), crossing(board, i, j), repeated_float(board, i, j, 0),
        repeated_float(board, i, j, 1), club_mates(board, i, j), off_pattern(board, i, j),
        start_imbalance(board, i, j), lots(board, i, j),
    ]  # fmt: skip
    return match_in_layers(len(board.contenders), i, j, [Layer(costs) for costs in layers])


def _with_bye(board: Board, i: Ints, j: Ints) -> Pairs | None:
    """The layers of an odd field that decide the bye, which is the last node."""
    n = len(board.contenders)
    met, tables = _meetings(board, i, j), len(i)

    def of_pairs(costs: Ints) -> Layer:
        return Layer(np.concatenate([costs, np.zeros(n, np.int64)]))

    def of_bye(costs: list[int]) -> Layer:
        return Layer(np.concatenate([np.zeros(tables, np.int64), np.array(costs, np.int64)]), once=True)

    everybody = board.contenders
    levels = {points: level for level, points in enumerate(sorted({c.points for c in everybody}))}
    layers = [
        of_pairs(np.minimum(met, 1)),
        of_bye([c.byes for c in everybody]),
        of_pairs(met),
        of_bye([int(c.has_free_win or c.enters_now) for c in everybody]),
        of_bye([levels[c.points] for c in everybody]),
        of_pairs(gap(board, i, j)),  # among equals, the one whose bye leaves the others the better round
        of_bye([n - 1 - c.standing for c in everybody]),
    ]
    i, j = np.concatenate([i, np.arange(n)]), np.concatenate([j, np.full(n, n, np.int64)])
    return match_in_layers(n + 1, i, j, layers)


def _impossible(board: Board) -> InputError:
    """The forbidden pairs leave no pairing: name the fewest that must be allowed."""
    n = len(board.contenders)
    i, j = _every_pair(n)
    barred = np.array([pair in board.barred for pair in zip(i.tolist(), j.tolist(), strict=True)], np.int64)
    if n % 2:
        i, j = np.concatenate([i, np.arange(n)]), np.concatenate([j, np.full(n, n, np.int64)])
        barred = np.concatenate([barred, np.zeros(n, np.int64)])
    pairs = match_in_layers(n + n % 2, i, j, [Layer(barred)]) or []
    names = [
        f"{board.contenders[a].label} – {board.contenders[b].label}"
        for a, b in pairs
        if (a, b) in board.barred
    ]
    return InputError(problem("forbidden", "tournament_impossible", n=len(names), pairs=names))
