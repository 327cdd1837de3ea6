"""Seeds for a bracket after groups: players of one group meet as late as possible.

Group winners keep the first seeds, the seconds the next ones, and so on; only inside such a tier do players
change seeds, no more than it takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

import rustworkx

from judge.tournament.brackets.plan import seeding, size_for
from judge.tournament.model import PlayerId


def keep_apart(
    order: Sequence[PlayerId], place: Mapping[PlayerId, int], group: Mapping[PlayerId, int]
) -> list[PlayerId]:
    """The players in the order of their seeds. `order` is best first; `place` is the place in the group."""
    seeds: list[PlayerId] = []
    line = {seed: n for n, seed in enumerate(seeding(size_for(len(order))))}
    for _, level in groupby(order, key=lambda player: place[player]):
        tier = list(level)
        seeds += _seated(tier, seeds, group, line, len(order) + 1) if seeds else tier
    return seeds


def _seated(
    tier: list[PlayerId],
    above: list[PlayerId],
    group: Mapping[PlayerId, int],
    line: Mapping[int, int],
    base: int,
) -> list[PlayerId]:
    """One tier in the order of its seeds, which follow those above: the cheapest assignment."""
    first, size = len(above) + 1, len(tier)
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(2 * size))
    costs = [
        [_cost(player, first + n, above, group, line, base) * size**3 + (n - own) ** 2 for n in range(size)]
        for own, player in enumerate(tier)
    ]
    worst = max(map(max, costs)) + 1
    for own in range(size):
        for n in range(size):
            graph.add_edge(own, size + n, worst - costs[own][n])
    matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    seat_of = {min(pair): max(pair) - size for pair in matching}
    return [tier[own] for own in sorted(range(size), key=seat_of.__getitem__)]


def _cost(
    player: PlayerId, seed: int, above: list[PlayerId], group: Mapping[PlayerId, int],
    line: Mapping[int, int], base: int,
) -> int:  # fmt: skip
    """An earlier possible meeting with a group mate outweighs all later ones."""
    rounds = len(line).bit_length() - 1
    mates = (n for n, other in enumerate(above, start=1) if group[other] == group[player])
    return sum(base ** (rounds - (line[mate] ^ line[seed]).bit_length()) for mate in mates)
