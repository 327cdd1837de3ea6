"""The shape of an elimination bracket for any number of players from 2: which match feeds which.

Seeding: a bracket of twice the size puts seed 2m+1-s beside seed s, so 1 and 2 can meet only in the final and
the byes fall to the top seeds. In double elimination losers drop in an order that keeps them from earlier
opponents until losers' round 4 of 4 (8 players), 6 of 6 (16), 6 of 8 (32). In the rounds between, where
survivors meet each other, an earlier meeting can repeat sooner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from judge.tournament.model import GrandFinal

Side = Literal["winners", "losers", "final", "third"]
MatchId = str  # W1.1, L2.1, F.1, F.2, T.1


@dataclass(frozen=True, slots=True)
class Seed:
    number: int


@dataclass(frozen=True, slots=True)
class From:
    """Who comes out of a match: its winner or its loser."""

    match: MatchId
    what: Literal["winner", "loser"]


Source = Seed | From


@dataclass(frozen=True, slots=True)
class Node:
    """One match of the plan. `a` and `b` say where its players come from."""

    side: Side
    round: int
    index: int
    a: Source
    b: Source

    @property
    def id(self) -> MatchId:
        if self.side in ("winners", "losers"):
            return f"{self.side[0].upper()}{self.round}.{self.index}"
        return f"{self.side[0].upper()}.{self.round}"


def size_for(players: int) -> int:
    """The next power of two."""
    return max(2, 1 << (players - 1).bit_length())


def seeding(size: int) -> list[int]:
    """Seeds from top to bottom: 1 4 2 3; 1 8 4 5 2 7 3 6; ..."""
    order = [1]
    while len(order) < size:
        order = [s for seed in order for s in (seed, 2 * len(order) + 1 - seed)]
    return order


def single_elimination(players: int, third_place: bool = False) -> list[Node]:
    nodes = _winners(size_for(players))
    last = nodes[-1].round
    if third_place and players >= 4:
        first, second = (From(f"W{last - 1}.{n}", "loser") for n in (1, 2))
        nodes.append(Node("third", 1, 1, first, second))
    return nodes


def _winners(size: int) -> list[Node]:
    seeds = seeding(size)
    nodes = [Node("winners", 1, n // 2 + 1, Seed(seeds[n]), Seed(seeds[n + 1])) for n in range(0, size, 2)]
    matches, number = size // 4, 2
    while matches:
        for n in range(1, matches + 1):
            first, second = (From(f"W{number - 1}.{k}", "winner") for k in (2 * n - 1, 2 * n))
            nodes.append(Node("winners", number, n, first, second))
        matches, number = matches // 2, number + 1
    return nodes


# -- double elimination -------------------------------------------------------------------------------------

Order = Callable[[Sequence[int]], list[int]]


def _natural(losers: Sequence[int]) -> list[int]:
    return list(losers)


def _reverse(losers: Sequence[int]) -> list[int]:
    return list(losers)[::-1]


def _half_shift(losers: Sequence[int]) -> list[int]:
    half = len(losers) // 2
    return [*losers[half:], *losers[:half]]


def _reverse_in_halves(losers: Sequence[int]) -> list[int]:
    half = len(losers) // 2
    return [*_reverse(losers[:half]), *_reverse(losers[half:])]


def _pair_flip(losers: Sequence[int]) -> list[int]:
    return [losers[n ^ 1] if n ^ 1 < len(losers) else losers[n] for n in range(len(losers))]


# Order in which the losers of winners' rounds 1, 2, 3 ... drop in, by bracket size; the last one repeats.
DROP_ORDER: dict[int, tuple[Order, ...]] = {
    4: (_natural, _reverse),
    8: (_natural, _reverse, _natural),
    16: (_natural, _reverse_in_halves, _reverse, _natural),
    32: (_natural, _reverse, _half_shift, _natural),
    64: (_natural, _reverse, _half_shift, _reverse, _natural),
    128: (_natural, _reverse, _half_shift, _pair_flip, _pair_flip, _pair_flip, _natural),
}


def drop_order(size: int, winners_round: int) -> Order:
    orders = DROP_ORDER.get(size, DROP_ORDER[128])
    return orders[min(winners_round, len(orders)) - 1]


def double_elimination(players: int, grand_final: GrandFinal = "reset") -> list[Node]:
    """The plan without the second grand final, which exists only once it is needed (`reset_final`)."""
    size = size_for(players)
    nodes = _winners(size)
    rounds = nodes[-1].round
    losers = _losers(size, rounds)
    nodes += losers
    if grand_final != "skip":
        runner_up = From(losers[-1].id, "winner") if losers else From("W1.1", "loser")
        nodes.append(Node("final", 1, 1, From(f"W{rounds}.1", "winner"), runner_up))
    return nodes


def reset_final() -> Node:
    return Node("final", 2, 1, From("F.1", "loser"), From("F.1", "winner"))


def _losers(size: int, rounds: int) -> list[Node]:
    """The losers' side. Rounds alternate: losers of the winners' side drop in, then the survivors meet."""
    if rounds < 2:
        return []
    dropped = drop_order(size, 1)(range(1, size // 2 + 1))
    nodes = [
        Node(
            "losers", 1, n // 2 + 1, From(f"W1.{dropped[n]}", "loser"), From(f"W1.{dropped[n + 1]}", "loser")
        )
        for n in range(0, size // 2, 2)
    ]
    for winners_round in range(2, rounds + 1):
        number = 2 * winners_round - 2
        count = size >> winners_round
        dropped = drop_order(size, winners_round)(range(1, count + 1))
        for n in range(1, count + 1):
            new = From(f"W{winners_round}.{dropped[n - 1]}", "loser")
            nodes.append(Node("losers", number, n, new, From(f"L{number - 1}.{n}", "winner")))
        for n in range(1, count // 2 + 1):
            first, second = (From(f"L{number}.{k}", "winner") for k in (2 * n - 1, 2 * n))
            nodes.append(Node("losers", number + 1, n, first, second))
    return nodes
