"""Exact least-cost perfect matching over layered costs, solved by rustworkx on whole numbers.

The result is sorted: rustworkx gives the same pairs in every process, but in no fixed order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import rustworkx

from judge.core.budget import CHECKED_EVERY, spend
from judge.tournament.swiss.pair_costs import Ints, units

Pairs = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Layer:
    """One cost per edge. `once`: at most one edge of a matching costs anything here (the bye)."""

    costs: Ints
    once: bool = False

    def bound(self, tables: int) -> int:
        most = int(self.costs.max(initial=0))
        return most if self.once else most * tables


def match_in_layers(nodes: int, i: Ints, j: Ints, layers: Sequence[Layer]) -> Pairs | None:
    """The perfect matching with the lexicographically least layer sums, or None if there is none.

    As many layers as fit into the solver's integers are solved together; their exact sums then serve as
    bounds for the next, larger set, until all layers are in. An edge that costs more in a layer than the
    optimum's whole sum cannot be in it and is left out from then on. (Were even exact sums too large, the
    lowest layers would stay undecided; no event a file can describe comes near that.)
    """
    layers = [Layer(_smallest_unit(layer.costs), layer.once) for layer in layers]
    sums: list[int] = []
    while True:
        count, bounds = _as_many_as_fit(layers, sums, nodes // 2)
        pairs, chosen = _solve(nodes, i, j, _weights(layers[:count], bounds))
        if pairs is None or count == len(layers) or count == len(sums):
            return pairs
        sums = [int(layer.costs[chosen].sum()) for layer in layers[:count]]
        useful = np.all([layer.costs <= total for layer, total in zip(layers, sums, strict=False)], axis=0)
        i, j = i[useful], j[useful]
        layers = [Layer(layer.costs[useful], layer.once) for layer in layers]


def _smallest_unit(costs: Ints) -> Ints:
    """The same costs in the largest unit that keeps them whole: score gaps are mostly multiples of 9."""
    common = int(np.gcd.reduce(costs)) if len(costs) else 0
    return costs // common if common > 1 else costs


def _as_many_as_fit(layers: Sequence[Layer], sums: list[int], tables: int) -> tuple[int, list[int]]:
    bounds = sums + [layer.bound(tables) for layer in layers[len(sums) :]]
    for count in range(len(layers), 0, -1):
        try:
            units(bounds[:count], int(layers[0].costs.max(initial=0)))
        except OverflowError:
            continue
        return count, bounds[:count]
    raise OverflowError("one layer alone is too large")


def _weights(layers: Sequence[Layer], bounds: Sequence[int]) -> list[int]:
    """Each edge's weight: numpy adds layers that fit together into 62 bits, Python integers add the rest."""
    scale = units(bounds, 0)
    chunks: list[tuple[int, Ints]] = []
    for layer, unit, bound in zip(reversed(layers), reversed(scale), reversed(bounds), strict=True):
        most = int(layer.costs.max(initial=0))
        if most == 0:
            continue
        if chunks and (unit // chunks[-1][0] * (max(most, bound) + 1)).bit_length() < 62:
            chunks[-1][1].__iadd__(layer.costs * (unit // chunks[-1][0]))
        else:
            chunks.append((unit, layer.costs.copy()))
    if not chunks:
        return [0] * len(layers[0].costs)
    total: list[int] = [unit_cost * chunks[0][0] for unit_cost in chunks[0][1].tolist()]
    for unit, costs in chunks[1:]:
        total = [w + unit * c for w, c in zip(total, costs.tolist(), strict=True)]
    return total


def _solve(nodes: int, i: Ints, j: Ints, weights: list[int]) -> tuple[Pairs | None, Ints]:
    spend(CHECKED_EVERY)
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(nodes))
    top = max(weights, default=0) + 1
    graph.add_edges_from(list(zip(i.tolist(), j.tolist(), range(len(weights)), strict=True)))
    matching = rustworkx.max_weight_matching(
        graph, max_cardinality=True, weight_fn=lambda edge: top - weights[edge], verify_optimum=False
    )
    if 2 * len(matching) < nodes:
        return None, np.zeros(0, np.int64)
    pairs = sorted((min(a, b), max(a, b)) for a, b in matching)
    chosen = np.array(sorted(graph.get_edge_data(a, b) for a, b in pairs), np.int64)
    return pairs, chosen
