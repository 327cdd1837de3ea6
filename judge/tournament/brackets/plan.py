"""The shape of an elimination bracket for any number of players from 2: which match feeds which.

Seeding: a bracket of twice the size puts seed 2m+1-s beside seed s, so 1 and 2 can meet only in the final and
the byes fall to the top seeds. In double elimination losers drop in an order that repeats as few meetings as
possible.
"""

from __future__ import annotations

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

# How the losers of winners' rounds 1, 2, 3 ... are reordered as they drop in, by bracket size: match number
# n, counted from 0, goes to place n XOR mask. So half the number of matches shifts by half, all ones reverse,
# all ones but the first bit reverse inside each half. Of all masks (to 64 players) or of those that a search
# tried (128, 256) these repeat the fewest meetings before the grand final, if every match is a toss-up: 0.50,
# 0.63, 0.75, 0.73, 0.70, 0.71 and 0.70 per event of 4 to 256 players.
DROP_MASKS: dict[int, tuple[int, ...]] = {
    4: (0, 0),
    8: (0, 1, 0),
    16: (0, 2, 0, 0),
    32: (0, 3, 3, 0, 0),
    64: (0, 8, 6, 1, 1, 0),
    128: (0, 7, 10, 6, 1, 1, 0),
    256: (0, 24, 11, 14, 5, 0, 1, 0),
}
LARGEST = max(DROP_MASKS)


def drop_mask(size: int, winners_round: int) -> int:
    """A bracket beyond the table shifts its first rounds by half and goes on as the largest one does."""
    if size <= LARGEST:
        return DROP_MASKS[size][winners_round - 1]
    return (size >> winners_round) // 2 if winners_round == 2 else drop_mask(size // 2, winners_round - 1)


def dropped(size: int, winners_round: int, count: int) -> list[int]:
    """The matches of a winners' round in the order in which their losers drop in, counted from 1."""
    mask = drop_mask(size, winners_round)
    return [(n ^ mask) + 1 for n in range(count)]


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
    first = dropped(size, 1, size // 2)
    nodes = [
        Node("losers", 1, n // 2 + 1, From(f"W1.{first[n]}", "loser"), From(f"W1.{first[n + 1]}", "loser"))
        for n in range(0, size // 2, 2)
    ]
    for winners_round in range(2, rounds + 1):
        number = 2 * winners_round - 2
        count = size >> winners_round
        order = dropped(size, winners_round, count)
        for n in range(1, count + 1):
            new = From(f"W{winners_round}.{order[n - 1]}", "loser")
            nodes.append(Node("losers", number, n, new, From(f"L{number - 1}.{n}", "winner")))
        for n in range(1, count // 2 + 1):
            upper, lower = (From(f"L{number}.{k}", "winner") for k in (2 * n - 1, 2 * n))
            nodes.append(Node("losers", number + 1, n, upper, lower))
    return nodes
