"""The cost of pairing two contenders, layer by layer, and all layers packed into one whole number.

Every layer outweighs all layers below it together, so the least sum is the lexicographic optimum:

  rematch tables > second bye > earlier meetings > free win or entry this round > points of the bye
  > score gap squared > rank of the bye, then its lot > floats in high groups > float repeated from last
  round > from the round before > club mates > distance from the pattern > who starts > lot

How this fits the solver's 128-bit integers at 4096 players: a layer's unit need only exceed the sum of the
lower layers *in the optimum*. `units` multiplies bounds of that sum, not of the worst case: inside one block
of score groups the bounds are small, and for the whole field the upper layers are solved first, alone, and
their exact values then bound the second solve. The lot, which only makes the optimum unique, gets the bits
that are left. Above 2**120 `units` raises instead of overflowing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from judge.tournament.model import PlayerId
from judge.tournament.swiss.contenders import Contender, Draw, groups_of

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

LIMIT_BITS = 120
LOT_BITS = 24


@dataclass(slots=True)
class Board:
    """The field as columns. Position n is contender n of the draw (without whoever has the bye already)."""

    contenders: Sequence[Contender]
    draw: Draw
    points: Ints
    group: Ints  # number of the score group, 0 is the highest
    place: Ints  # position inside the group
    low: Ints  # first position of the group that pairs inside it
    high: Ints  # last one
    size: Ints
    floats: tuple[Ints, Ints]  # 1 floated down, -1 up: last round, the round before
    club: Ints  # number of the club, -1 none
    starts: Ints
    groups: list[tuple[int, int]]
    odd: list[bool]  # after each group: has the field down to here an odd number of players
    met: dict[tuple[int, int], int]
    barred: set[tuple[int, int]]
    position: dict[PlayerId, int]


_DIRECTION = {"down": 1, "up": -1, "": 0}


def make_board(draw: Draw, contenders: Sequence[Contender]) -> Board:
    groups = groups_of(contenders)
    odd = [end % 2 == 1 for _, end in groups]
    n = len(contenders)
    group, place, low, high, size = (np.zeros(n, np.int64) for _ in range(5))
    for g, (start, end) in enumerate(groups):
        group[start:end], place[start:end], size[start:end] = g, np.arange(end - start), end - start
        low[start:end] = 1 if start % 2 else 0
        high[start:end] = end - start - 1 - (1 if odd[g] else 0)
    clubs = {club: k for k, club in enumerate(sorted({c.club for c in contenders if c.club}))}
    at = {c.id: k for k, c in enumerate(contenders)}
    return Board(
        contenders, draw,
        np.array([c.points for c in contenders], np.int64), group, place, low, high, size,
        (
            np.array([_DIRECTION[c.floats[0]] for c in contenders], np.int64),
            np.array([_DIRECTION[c.floats[1]] for c in contenders], np.int64),
        ),
        np.array([clubs.get(c.club or "", -1) if draw.parts_clubs else -1 for c in contenders], np.int64),
        np.array([c.starts for c in contenders], np.int64),
        groups, odd, _meetings(contenders, at), _barred(draw, at), at,
    )  # fmt: skip


def _meetings(contenders: Sequence[Contender], at: dict[PlayerId, int]) -> dict[tuple[int, int], int]:
    return {
        (k, at[other]): len(rounds)
        for k, c in enumerate(contenders)
        for other, rounds in c.met.items()
        if other in at and k < at[other]
    }


def _barred(draw: Draw, at: dict[PlayerId, int]) -> set[tuple[int, int]]:
    pairs = (sorted(at[p] for p in pair if p in at) for pair in draw.forbidden)
    return {(pair[0], pair[1]) for pair in pairs if len(pair) == 2}


def lower_bound(board: Board) -> int:
    """The smallest score gap any pairing can have: below an odd number of players somebody must cross."""
    points = [int(board.points[start]) for start, _ in board.groups]
    return sum((points[g] - points[g + 1]) ** 2 for g in range(len(points) - 1) if board.odd[g])


# -- layers: each returns one number per pair (i above j) ----------------------------------------------------


def gap(board: Board, i: Ints, j: Ints) -> Ints:
    return np.asarray((board.points[i] - board.points[j]) ** 2)


def crossing(board: Board, i: Ints, j: Ints) -> Ints:
    """A pair across groups costs more the higher its upper group is, so that leaders meet each other."""
    last = len(board.groups)
    return np.where(board.group[i] != board.group[j], last - board.group[i] - 1, 0)


def repeated_float(board: Board, i: Ints, j: Ints, rounds_ago: int) -> Ints:
    """How many of the two would float again in the same direction as `rounds_ago` rounds ago."""
    then = board.floats[rounds_ago]
    crosses = board.group[i] != board.group[j]
    return np.where(crosses, (then[i] == 1).astype(np.int64) + (then[j] == -1), 0)


def club_mates(board: Board, i: Ints, j: Ints) -> Ints:
    return np.asarray((board.club[i] == board.club[j]) & (board.club[i] >= 0), np.int64)


def off_pattern(board: Board, i: Ints, j: Ints) -> Ints:
    """Distance from the pattern. Across groups the last of the upper should meet the first of the lower."""
    p, q = board.place[i], board.place[j]
    inside = PATTERN_DISTANCE[board.draw.pattern](board, i, p, q)
    across = (board.size[i] - 1 - p) + q
    return np.where(board.group[i] == board.group[j], inside, across)


def _slide(board: Board, i: Ints, p: Ints, q: Ints) -> Ints:
    half = (board.high[i] - board.low[i] + 1) // 2
    return np.asarray(np.abs(np.abs(p - q) - half))


def _fold(board: Board, i: Ints, p: Ints, q: Ints) -> Ints:
    return np.asarray(np.abs(p + q - board.low[i] - board.high[i]))


def _adjacent(board: Board, i: Ints, p: Ints, q: Ints) -> Ints:
    return np.asarray(np.abs(p - q) - 1)


PATTERN_DISTANCE = {"slide": _slide, "fold": _fold, "adjacent": _adjacent, "random": _adjacent}


def start_imbalance(board: Board, i: Ints, j: Ints) -> Ints:
    """How uneven the two's starts are after this table, if the one who started less often goes first."""
    if not board.draw.balances_starts:
        return np.zeros(len(i), np.int64)
    less, more = np.minimum(board.starts[i], board.starts[j]), np.maximum(board.starts[i], board.starts[j])
    return np.asarray((less + 1) ** 2 + (more - 1) ** 2)


def lots(board: Board, i: Ints, j: Ints) -> Ints:
    """A random number for each pair of standings; the same seed gives the same numbers."""
    standing = np.array([c.standing for c in board.contenders], np.uint64)
    high, low = np.maximum(standing[i], standing[j]), np.minimum(standing[i], standing[j])
    x = high * np.uint64(2**32) + low + np.uint64((board.draw.seed * 0x9E3779B97F4A7C15 + 1) % 2**64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):  # splitmix64
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return ((x ^ (x >> np.uint64(31))) >> np.uint64(64 - LOT_BITS)).astype(np.int64)


def units(bounds: Sequence[int], top: int) -> list[int]:
    """The unit of each layer, highest first, when layer n adds up to at most bounds[n] in the optimum.

    `top` is the largest cost one pair has in the highest layer.
    """
    result = [1]
    for bound in reversed(bounds[1:]):
        result.append(result[-1] * (bound + 1))
    if (result[-1] * (top + 1)).bit_length() > LIMIT_BITS:
        raise OverflowError("pairing weights over 120 bits")
    return result[::-1]
