"""Pairing and standings: how near the optimum, how much faster than a plain solver, how it grows.

Histories are paired by the engine itself with results by lot and 5% draws. "Cost" is n x score gap plus the
distance from the pattern; the score gap, rematches and byes must be equal before costs are compared.
"""

from __future__ import annotations

import dataclasses
import itertools
import os
import random
import subprocess
import sys
from collections.abc import Iterator

import networkx
import numpy as np

from bench import fastest
from judge.tournament.model import Entrant, Format, Match, PlayerId, Result, Tournament
from judge.tournament.outlook.needs import outlook
from judge.tournament.stages import Stage, StagedEvent, Take
from judge.tournament.standings import LiveStandings, standings
from judge.tournament.swiss.again import pair_again
from judge.tournament.swiss.contenders import Draw, next_draw
from judge.tournament.swiss.next_round import cost_of, pair_swiss
from judge.tournament.swiss.pair_costs import gap, make_board, off_pattern
from judge.tournament.swiss.solver import Found, solve, solve_whole

Ratio = tuple[str, float, float | None, str]


def history(count: int, rounds: int, seed: int) -> Tournament:
    chance = random.Random(seed)
    entrants = tuple(Entrant(PlayerId(f"P{n:05}"), f"P{n:05}") for n in range(count))
    now = Tournament(entrants=entrants, format=Format(kind="swiss"))
    for _ in range(rounds):
        found = solve(next_draw(now, seed))
        matches = [Match(a=found.bye.id, result=Result.BYE)] if found.bye else []
        for a, b in found.pairs:
            result = Result.DRAW if chance.random() < 0.05 else chance.choice([Result.A, Result.B])
            health = {Result.A: (9, 0), Result.B: (0, 9), Result.DRAW: (0, 0)}[result]
            matches.append(Match(a=a.id, b=b.id, result=result, health=health))
        now = dataclasses.replace(now, rounds=(*now.rounds, tuple(matches)))
    return now


def cost(draw: Draw, found: Found) -> int:
    rest = [c for c in draw.contenders if c is not found.bye]
    board = make_board(draw, rest)
    at = {c.id: n for n, c in enumerate(rest)}
    pairs = [sorted((at[a.id], at[b.id])) for a, b in found.pairs]
    i, j = (np.array(side, np.int64) for side in zip(*pairs, strict=True))
    return int(gap(board, i, j).sum()) * len(rest) + int(off_pattern(board, i, j).sum())


def above_optimum(draw: Draw, complete_up_to: int = 10**9) -> float:
    """Our cost / the optimum of the whole graph; infinite if a more important layer is worse."""
    ours, best = solve(draw), solve_whole(draw, complete_up_to)
    mine, least = cost_of(draw, ours), cost_of(draw, best)
    important = ("rematches", "repeat_byes", "score_gap")
    if any(getattr(mine, layer) > getattr(least, layer) for layer in important):
        return float("inf")
    return (cost(draw, ours) + 1) / (cost(draw, best) + 1)


def by_networkx(draw: Draw) -> None:
    """The same costs on the full graph, as a plain program would do it."""
    board = make_board(draw, draw.contenders)
    n = len(draw.contenders)
    i, j = np.triu_indices(n, 1)
    weights = gap(board, i, j) * n * n + off_pattern(board, i, j)
    graph = networkx.Graph()
    for a, b, w in zip(i.tolist(), j.tolist(), weights.tolist(), strict=True):
        if (a, b) not in board.met:
            graph.add_edge(a, b, weight=-w)
    networkx.max_weight_matching(graph, maxcardinality=True)


def ratios() -> Iterator[Ratio]:
    yield from optimum()
    yield from speed()
    yield from standings_after_one_result()
    yield from outlook_before_a_cut()
    yield from pairing_again()
    yield from same_bytes()


def optimum() -> Iterator[Ratio]:
    sizes = [(8, 5), (16, 5), (16, 12), (32, 5), (32, 16), (33, 8), (64, 5), (64, 24), (101, 9), (128, 12),
             (256, 5), (256, 16)]  # fmt: skip
    worst = [above_optimum(next_draw(history(n, r, s))) for n, r in sizes for s in range(3)]
    yield "cost / full optimum, n <= 256", max(worst), 1.0, f"{len(worst)} histories of 5 to 24 rounds"
    worst = [above_optimum(next_draw(history(512, 5, s))) for s in range(2)]
    yield "cost / full optimum, n = 512", max(worst), 1.01, "2 histories"
    yield "cost / full optimum, n = 1024", above_optimum(next_draw(history(1024, 5, 0))), 1.01, "1 history"
    sparse = above_optimum(next_draw(history(4096, 5, 0)), complete_up_to=0)
    yield "cost / sparse optimum, n = 4096", sparse, 1.01, "1 history, window of 8"


def speed() -> Iterator[Ratio]:
    for n, goal in ((64, 1 / 15), (256, 1 / 25)):
        draws = [next_draw(history(n, 5, s)) for s in range(3)]
        ours = [fastest(lambda d=d: solve(d), 0.5) for d in draws]
        plain = [fastest(lambda d=d: by_networkx(d), 0.5) for d in draws]
        ratio = sorted(a / b for a, b in zip(ours, plain, strict=True))[1]
        yield f"ours / networkx on the full graph, {n}", ratio, goal, f"{1 / ratio:.0f} times as fast"
    large, small = history(4096, 5, 1), history(1024, 5, 1)
    times = [fastest(lambda t=t: pair_swiss(t), 3) for t in (large, small)]
    note = f"{times[0]:.2f} s for 4096, standings and reasons included"
    yield "time at 4096 / time at 1024, a whole round", times[0] / times[1], 6, note
    solving = [fastest(lambda d=d: solve(d), 2) for d in (next_draw(large), next_draw(small))]
    note = f"{solving[0] * 1000:.0f} ms for 4096"
    yield "time at 4096 / time at 1024, pairing alone", solving[0] / solving[1], 6, note


def standings_after_one_result() -> Iterator[Ratio]:
    tiebreakers = ("wins-vs-tied", "median-buchholz", "omw", "health-diff")
    event = dataclasses.replace(history(4096, 12, 2), tiebreakers=tiebreakers)
    scratch = fastest(lambda: standings(event), 3)
    live = LiveStandings(event)
    turned = {Result.A: Result.B, Result.B: Result.A, Result.DRAW: Result.A, Result.BYE: Result.BYE}
    *before, last = event.rounds
    changed = dataclasses.replace(last[5], result=turned[last[5].result], health=None)
    other = dataclasses.replace(event, rounds=(*before, (*last[:5], changed, *last[6:])))
    versions = itertools.cycle((other, event))

    def correct() -> None:
        live.update(next(versions), last[5].players)
        live.table()

    once = fastest(correct, 2)
    yield "standings after one result / from scratch", once / scratch, 0.2, f"4096 x 12: {once * 1000:.0f} ms"


def outlook_before_a_cut() -> Iterator[Ratio]:
    """Sixty-four players, six rounds, two of them left: everybody's outlook for the top eight."""
    tiebreakers = ("wins-vs-tied", "median-buchholz", "omw", "health-diff")
    swiss = Format(kind="swiss", rounds=6)
    event = dataclasses.replace(history(64, 4, 3), tiebreakers=tiebreakers, format=swiss)
    cut = dataclasses.replace(event, format=Format(kind="single-elimination"), rounds=())

    def everybody() -> None:
        outlook(StagedEvent(stages=(Stage(event), Stage(cut, take=Take(top=8)))))

    once, table = fastest(everybody, 1), fastest(lambda: standings(event), 1)
    yield (
        "outlook two rounds before the end / standings",
        once / table,
        20,
        f"64 players: {once * 1000:.0f} ms",
    )


def pairing_again() -> Iterator[Ratio]:
    """Half of 512 tables have their results; the others are paired again."""
    before = history(1024, 5, 4)
    pairing = pair_swiss(before)
    matches = tuple(
        Match(a=t.a, b=t.b, table=t.number, result=Result.A if t.number % 2 else None) for t in pairing.tables
    )
    published = dataclasses.replace(before, rounds=(*before.rounds, matches))
    whole, part = fastest(lambda: pair_swiss(before), 3), fastest(lambda: pair_again(published), 3)
    note = f"{part * 1000:.0f} ms for 256 of 512 tables"
    yield "pairing again half of a round / a whole round, 512 tables", part / whole, 1, note


PRINT = """
from bench.tournament import history
from judge.tournament.swiss.next_round import pair_swiss
print(pair_swiss(history(256, 5, 3), 7))
"""


def same_bytes() -> Iterator[Ratio]:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PRINT],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": str(n)},
        ).stdout
        for n in range(5)
    }
    yield "different outputs of five fresh processes", float(len(outputs)), 1, "256 players, same seed"
