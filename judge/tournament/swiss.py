"""Swiss pairing: the optimum of the layered costs in `pair_costs`, not a heuristic.

Nearly always the round falls apart: with the bye given to the lowest who may have it, score groups split
into blocks that need not touch each other, and a pairing that crosses groups only where the number of players
above is odd has the least score gap there can be (`lower_bound`). If such a pairing without rematches exists,
it is found block by block and is the optimum of the whole field, proven. If not, the whole graph is solved:
complete up to 256 players, above that over a window of near opponents that grows until a perfect pairing
exists. Blocks above 256 players are cut into slices along the pattern, which leaves rematches, byes, score
gap and floats exact and may move a pairing by a few positions inside its group.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from judge.core.errors import InputError, problem
from judge.tournament.contenders import Contender, Draw, next_draw
from judge.tournament.matching import Layer, Pairs, match_in_layers
from judge.tournament.model import PlayerId, Tournament
from judge.tournament.pair_costs import (
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
from judge.tournament.pairing import Cost, Pairing, seat
from judge.tournament.why import Reasons

COMPLETE = 256  # up to here every possible pair is weighed
SLICE = 64  # tables in a slice of a larger block
WINDOW = 8


@dataclass(frozen=True, slots=True)
class Found:
    """Pairs of contenders (upper first), whoever sits out, and whether nothing better can exist."""

    pairs: list[tuple[Contender, Contender]]
    bye: Contender | None
    is_proven: bool


def pair_swiss(tournament: Tournament, seed: int = 0) -> Pairing:
    """The next round. Raises InputError if the forbidden pairs leave no pairing."""
    draw = next_draw(tournament, seed)
    found = solve(draw)
    pairs = sorted(found.pairs, key=lambda p: (-p[0].points, -p[1].points, p[0].standing))
    entrants = {e.id: e for e in tournament.entrants}
    reasons = Reasons(tournament, draw, found.bye)
    explained = [(*_first_second(draw, a, b), reasons.table(a, b)) for a, b in pairs]
    byes = (found.bye.id,) if found.bye else ()
    return Pairing(
        round=draw.round,
        tables=seat(explained, entrants),
        byes=byes,
        cost=cost_of(draw, found),
        is_optimal=found.is_proven,
        seed=seed,
        bye_why=reasons.bye_itself(),
    )


def _first_second(draw: Draw, a: Contender, b: Contender) -> tuple[PlayerId, PlayerId]:
    """`a` is the player with the better standing, or the one who has started less often."""
    if draw.balances_starts and a.starts > b.starts:
        a, b = b, a
    return a.id, b.id


def cost_of(draw: Draw, found: Found) -> Cost:
    differences = [a.points - b.points for a, b in found.pairs]
    return Cost(
        rematches=sum(b.id in a.met for a, b in found.pairs),
        repeat_byes=int(found.bye is not None and found.bye.byes > 0),
        score_gap=Fraction(sum(d * d for d in differences), draw.unit**2),
        floats=sum(d != 0 for d in differences),
    )


def solve(draw: Draw) -> Found:
    return _by_blocks(draw) or _whole(draw)


# -- block by block -----------------------------------------------------------------------------------------


def _by_blocks(draw: Draw) -> Found | None:
    """The optimum if it needs no rematch, no second bye and no float beyond the unavoidable; else None."""
    rest, bye = list(draw.contenders), None
    if len(rest) % 2:
        bye = max((c for c in rest if c.may_have_bye), key=lambda c: c.standing, default=None)
        if bye is None:
            return None
        rest.remove(bye)
    board = make_board(draw, rest)
    pairs: Pairs = []
    for start, end in _blocks(board):
        found = _block(board, start, end)
        if found is None:
            return None
        pairs += found
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
    """No cost in any layer: nothing can be better. (Where starts are balanced, that cannot be seen so.)"""
    if board.draw.balances_starts or any(p in board.met or p in board.barred for p in pairs):
        return False
    return not any(board.club[a] == board.club[b] >= 0 for a, b in pairs)


def _among(board: Board, members: Ints) -> Pairs | None:
    """The optimum among these alone, every possible pair weighed."""
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
    """Floaters first, by the costs of the few who stand next to each cut; then each group by slices."""
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
        found = _by_slices(board, members)
        if found is None:
            return None
        pairs += found
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
            found = _among(board, np.array(sorted(m for pair in part for m in pair), np.int64))
            if found is None:
                return None
            part = found
        pairs += part
    return pairs


# -- the whole field ----------------------------------------------------------------------------------------


def _whole(draw: Draw) -> Found:
    board = make_board(draw, draw.contenders)
    n = len(draw.contenders)
    if n <= COMPLETE:
        i, j = (side.astype(np.int64) for side in np.triu_indices(n, 1))
        pairs = _solve_whole(board, i, j)
        is_proven = True
    else:
        pairs, is_proven = _solve_window(board), False
    if pairs is None:
        raise _impossible(board)
    contenders = draw.contenders
    bye = next((contenders[a] for a, b in pairs if b == n), None)
    tables = [(contenders[a], contenders[b]) for a, b in pairs if b < n]
    return Found(tables, bye, is_proven)


def _solve_window(board: Board) -> Pairs | None:
    """Rematches are let in only when the widest window has no pairing without."""
    n, width = len(board.contenders), WINDOW
    widest = min(n, 1024)
    while True:
        i, j = _near(board, width)
        fresh = _keep(i, j, board.met)
        pairs = _solve_whole(board, i[fresh], j[fresh])
        if pairs is None and width >= widest:
            pairs = _solve_whole(board, i, j)
        if pairs is not None or width >= n:
            return pairs
        width = min(width * 4, n)


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


def _solve_whole(board: Board, i: Ints, j: Ints, barred_too: bool = False) -> Pairs | None:
    """All layers at once. With an odd number the last node is the bye."""
    n = len(board.contenders)
    if board.barred and not barred_too:
        keep = _keep(i, j, board.barred)
        i, j = i[keep], j[keep]
    met = np.array([board.met.get(p, 0) for p in zip(i.tolist(), j.tolist(), strict=True)], np.int64)
    barred = np.array([p in board.barred for p in zip(i.tolist(), j.tolist(), strict=True)], np.int64)
    costs = [
        barred, (met > 0).astype(np.int64), None, met, None, None,
        gap(board, i, j), crossing(board, i, j), repeated_float(board, i, j, 0),
        repeated_float(board, i, j, 1), club_mates(board, i, j), off_pattern(board, i, j),
        start_imbalance(board, i, j), lots(board, i, j),
    ]  # fmt: skip
    bye = board.contenders if n % 2 else ()
    of_bye = [[c.byes for c in bye], [int(c.has_free_win or c.enters_now) for c in bye],
              [n - 1 - c.standing for c in bye]]  # fmt: skip
    layers = []
    byes = iter(of_bye)
    for column in costs:
        if column is None:
            alone = np.array(next(byes), np.int64)
            layers.append(Layer(np.concatenate([np.zeros(len(i), np.int64), alone]), once=True))
        else:
            layers.append(Layer(np.concatenate([column, np.zeros(len(bye), np.int64)])))
    i = np.concatenate([i, np.arange(len(bye))])
    j = np.concatenate([j, np.full(len(bye), n, np.int64)])
    return match_in_layers(n + n % 2, i, j, layers) if len(i) else None


def _impossible(board: Board) -> InputError:
    """The forbidden pairs leave no pairing: name the fewest that must be allowed."""
    n = len(board.contenders)
    i, j = (side.astype(np.int64) for side in np.triu_indices(n, 1))
    pairs = _solve_whole(board, i, j, barred_too=True) or []
    names = [
        f"{board.contenders[a].id} – {board.contenders[b].id}" for a, b in pairs if (a, b) in board.barred
    ]
    return InputError(problem("forbidden", "tournament_impossible", n=len(names), pairs=names))
