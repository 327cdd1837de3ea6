"""Swiss pairing: the optimum by brute force and networkx, the checker on seasons, the same bytes."""

import dataclasses
import itertools
import os
import random
import subprocess
import sys

import networkx
import numpy as np
import pytest
from hypothesis import given, settings, strategies

from judge.core.errors import InputError
from judge.tournament.checker import faults
from judge.tournament.model import Format, Match, PlayerId, Result
from judge.tournament.pairing import Cost, Pairing, Table
from judge.tournament.swiss.contenders import Contender, Draw, next_draw
from judge.tournament.swiss.matching import Layer, match_in_layers
from judge.tournament.swiss.next_round import cost_of, pair_swiss
from judge.tournament.swiss.pair_costs import units
from judge.tournament.swiss.proof import is_cheapest
from judge.tournament.swiss.solver import Found, solve, solve_whole
from tests.seasons import event, played, players, season

# The layers a pairing is judged by, written down a second time without numpy.


def layers(draw: Draw, found: Found) -> tuple[int, ...]:
    pairs = [sorted(pair, key=lambda c: draw.contenders.index(c)) for pair in found.pairs]
    scores = sorted({c.points for c in draw.contenders})
    bye = found.bye
    return (
        sum(b.id in a.met for a, b in pairs),
        bye.byes if bye else 0,
        sum(len(a.met.get(b.id, ())) for a, b in pairs),
        int(bye is not None and (bye.has_free_win or bye.enters_now)),
        scores.index(bye.points) if bye else 0,
        sum((a.points - b.points) ** 2 for a, b in pairs),
        len(draw.contenders) - 1 - bye.standing if bye else 0,
        sum(scores.index(a.points) for a, b in pairs if a.points != b.points),
        sum(floats_again(a, b, 0) for a, b in pairs),
        sum(floats_again(a, b, 1) for a, b in pairs),
        sum(a.club is not None and a.club == b.club for a, b in pairs),
    )


def floats_again(a: Contender, b: Contender, ago: int) -> int:
    if a.points == b.points:
        return 0
    return (a.floats[ago] == "down") + (b.floats[ago] == "up")


def every_pairing(people: list[Contender]):
    """All ways to pair these; with an odd number, each in turn sits out."""
    if len(people) % 2:
        for bye in people:
            rest = [c for c in people if c is not bye]
            yield from ((pairs, bye) for pairs, _ in every_pairing(rest))
        return
    if not people:
        yield [], None
        return
    first, *others = people
    for other in others:
        rest = [c for c in others if c is not other]
        yield from (([(first, other), *pairs], None) for pairs, _ in every_pairing(rest))


@pytest.mark.parametrize("count", range(2, 11))
def test_brute_force_over_all_pairings_finds_nothing_better(count):
    for seed in range(4 if count < 9 else 1):
        for now, _ in season(count, min(count + 1, 7), seed * 100 + count, turnover=0.05):
            now = dataclasses.replace(now, entrants=tuple(
                dataclasses.replace(e, club=str(n % 3)) for n, e in enumerate(now.entrants)))  # fmt: skip
            draw = next_draw(now, seed)

            found = solve(draw)

            every = (
                layers(draw, Found(pairs, bye, True)) for pairs, bye in every_pairing(list(draw.contenders))
            )
            assert layers(draw, found) == min(every)


@pytest.mark.parametrize(("count", "rounds"), [(16, 9), (24, 14), (33, 8), (48, 10), (64, 12)])
def test_networkx_on_the_full_graph_agrees(count, rounds):
    for now, _ in season(count, rounds, count, turnover=0.0):
        draw = next_draw(now)

        found = solve(draw)

        assert layers(draw, found) == layers(draw, by_networkx(draw))


def by_networkx(draw: Draw) -> Found:
    graph = networkx.Graph()
    bye = object()
    people = list(draw.contenders)
    nodes = [*people, bye] if len(people) % 2 else people
    for a, b in itertools.combinations(nodes, 2):
        one = Found([], a, True) if b is bye else Found([(a, b)], None, True)
        weight = 0
        for cost in layers(draw, one):
            weight = weight * 10**7 + cost
        graph.add_edge(a, b, weight=-weight)
    pairs = networkx.max_weight_matching(graph, maxcardinality=True)
    out = next((a if b is bye else b for a, b in pairs if bye in (a, b)), None)
    return Found([(a, b) for a, b in pairs if bye not in (a, b)], out, True)


@pytest.mark.parametrize("seed", range(40))
def test_the_checker_accepts_every_round_of_a_season(seed):
    chance = random.Random(seed)
    for now, pairing in season(chance.randint(2, 60), chance.randint(3, 10), seed, turnover=0.04):
        assert faults(now, pairing) == []


@settings(max_examples=60, deadline=None)
@given(
    count=strategies.integers(2, 24),
    rounds=strategies.integers(1, 9),
    seed=strategies.integers(0, 2**32),
    turnover=strategies.sampled_from([0.0, 0.05, 0.2]),
)
def test_whatever_happens_in_an_event_every_round_is_sound(count, rounds, seed, turnover):
    for now, pairing in season(count, rounds, seed, turnover):
        assert faults(now, pairing) == []


def test_a_large_field_is_paired_soundly_and_provably():
    chance = random.Random(1)
    now = event(701)
    for _ in range(4):
        pairing = pair_swiss(now, 5)

        assert faults(now, pairing) == []
        assert pairing.is_optimal
        now = played(now, pairing, chance)


@pytest.mark.parametrize("count", [260, 261])
def test_up_to_512_players_a_round_that_floats_more_than_it_must_is_still_proven(count):
    chance, now = random.Random(1), event(count)
    for _ in range(12):
        now = played(now, pair_swiss(now, 1), chance, odd=0)
    draw = next_draw(now, 1)

    found = solve(draw)

    best = solve_whole(draw, complete_up_to=512)
    assert found.is_proven
    assert cost_of(draw, found) == cost_of(draw, best)


def test_only_a_pairing_with_the_smallest_gap_is_proven():
    one, two, three, four = (e.id for e in players(4))
    now = with_rounds(4, (Match(a=one, b=three, result=Result.A), Match(a=two, b=four, result=Result.A)))
    draw = next_draw(now)
    c = {contender.id: contender for contender in draw.contenders}

    assert is_cheapest(draw, [(c[one], c[two]), (c[three], c[four])], None)
    assert not is_cheapest(draw, [(c[one], c[four]), (c[two], c[three])], None)
    assert not is_cheapest(draw, [(c[one], c[three]), (c[two], c[four])], None)  # they have met


def test_ten_thousand_players_are_paired():
    pairing = pair_swiss(event(10_001), 1)

    assert len(pairing.tables) == 5000
    assert len(pairing.byes) == 1


def with_rounds(count: int, *rounds: tuple[Match, ...]):
    return dataclasses.replace(event(count), rounds=rounds)


def test_a_large_field_whose_leaders_have_met_floats_both():
    first, second = (e.id for e in players(2))
    now = with_rounds(300, (Match(a=first, b=second, result=Result.DRAW),))

    pairing = pair_swiss(now)

    assert faults(now, pairing) == []
    assert (pairing.cost.rematches, pairing.cost.floats, pairing.cost.score_gap) == (0, 2, 2)


def test_a_large_odd_field_in_which_everybody_had_a_bye_gives_it_to_the_last():
    everybody = [e.id for e in players(301)]
    now = with_rounds(301, tuple(Match(a=p, result=Result.BYE) for p in everybody))
    loser = Match(a=everybody[0], b=everybody[7], result=Result.A)
    now = dataclasses.replace(now, rounds=(*now.rounds, (loser,)))

    pairing = pair_swiss(now)

    assert faults(now, pairing) == []
    assert pairing.cost.repeat_byes == 1
    assert pairing.cost.rematches == 0


def test_one_who_has_met_a_whole_large_field_meets_one_again():
    first, *others = (e.id for e in players(258))
    now = with_rounds(258, *((Match(a=first, b=p, result=Result.DRAW),) for p in others))

    pairing = pair_swiss(now)

    assert pairing.cost.rematches == 1
    assert faults(now, pairing) == []


def test_layers_too_large_for_one_solve_are_solved_in_turn():
    chance = random.Random(4)
    i, j = (side.astype(np.int64) for side in np.triu_indices(6, 1))
    for _ in range(30):
        costs = [np.array([chance.choice([0, 0, 2**45]) for _ in i]) for _ in range(4)]
        costs += [np.array([chance.randrange(9) for _ in i])]

        pairs = match_in_layers(6, i, j, [Layer(c) for c in costs])

        edge = {(a, b): n for n, (a, b) in enumerate(zip(i.tolist(), j.tolist(), strict=True))}
        sums = [
            tuple(sum(int(c[edge[pair]]) for pair in every) for c in costs)
            for every in all_matchings(list(range(6)))
        ]
        assert tuple(sum(int(c[edge[pair]]) for pair in pairs) for c in costs) == min(sums)


def all_matchings(nodes: list[int]):
    if not nodes:
        yield []
        return
    first, *others = nodes
    for other in others:
        yield from ([(first, other), *rest] for rest in all_matchings([n for n in others if n != other]))


def test_a_rematch_is_taken_only_when_there_is_no_other_way():
    now = event(4)
    for _ in range(3):
        now = played(now, pair_swiss(now), random.Random(2))
    assert pair_swiss(now).cost.rematches == 2
    assert faults(now, pair_swiss(now)) == []


def test_forbidden_pairs_that_leave_nothing_are_named_and_as_few_as_possible():
    one, two, three, four = (e.id for e in players(4))
    now = event(4, forbidden=((one, two), (one, three), (one, four), (two, three)))

    with pytest.raises(InputError) as caught:
        pair_swiss(now)

    message = caught.value.problems[0].message
    assert message.params["n"] == 1
    assert message.params["pairs"][0] in ("P0001 – P0002", "P0001 – P0003")


def test_weights_refuse_to_wrap_round():
    with pytest.raises(OverflowError):
        units([1, 2**60, 2**60], top=1)


def test_the_one_who_started_less_often_is_named_first():
    now = event(2)
    a, b = (e.id for e in now.entrants)
    match = Match(a=a, b=b, result=Result.A, first="a")
    now = dataclasses.replace(now, rounds=((match,),))

    table = pair_swiss(now).tables[0]

    assert (table.a, table.b) == (b, a)


@pytest.mark.parametrize("pattern", ["slide", "fold", "adjacent", "random"])
def test_every_pattern_pairs_a_season_soundly(pattern):
    chance = random.Random(3)
    now = dataclasses.replace(event(21), format=Format(kind="swiss", pattern=pattern))
    for _ in range(6):
        pairing = pair_swiss(now)
        assert faults(now, pairing) == []
        now = played(now, pairing, chance)


def test_fold_pairs_the_first_with_the_last():
    now = dataclasses.replace(event(6), format=Format(kind="swiss", pattern="fold"))
    now = dataclasses.replace(
        now, entrants=tuple(dataclasses.replace(e, seed=n) for n, e in enumerate(now.entrants, start=1))
    )

    assert [(t.a, t.b) for t in pair_swiss(now).tables] == [
        ("P0001", "P0006"), ("P0002", "P0005"), ("P0003", "P0004"),
    ]  # fmt: skip


# -- the checker itself


def fault_keys(now, *tables: tuple[str, str], byes: tuple[str, ...] = (), **cost) -> set[str]:
    seats = tuple(Table(n, PlayerId(a), PlayerId(b)) for n, (a, b) in enumerate(tables, start=1))
    pairing = Pairing(2, seats, tuple(map(PlayerId, byes)), Cost(**cost))
    return {message.key for message in faults(now, pairing)}


@pytest.fixture
def after_one_round():
    now = event(4)
    p1, p2, p3, p4 = (e.id for e in now.entrants)
    round_1 = (Match(a=p1, b=p2, result=Result.DRAW), Match(a=p3, b=p4, result=Result.DRAW))
    return dataclasses.replace(now, rounds=(round_1,), forbidden=((p1, p3),))


def test_the_checker_finds_each_kind_of_fault(after_one_round):
    now = after_one_round

    assert fault_keys(now, ("P0001", "P0004"), ("P0002", "P0003")) == set()
    assert fault_keys(now, ("P0001", "P0004")) == {"fault_missing"}
    assert "fault_twice" in fault_keys(now, ("P0001", "P0004"), ("P0002", "P0004"))
    assert "fault_not_in_event" in fault_keys(now, ("P0001", "P0004"), ("P0002", "P0009"))
    assert "fault_forbidden" in fault_keys(now, ("P0001", "P0003"), ("P0002", "P0004"))
    assert "fault_avoidable" in fault_keys(now, ("P0001", "P0002"), ("P0003", "P0004"), rematches=2)
    assert "fault_cost" in fault_keys(now, ("P0001", "P0004"), ("P0002", "P0003"), floats=1)
    assert "fault_needless_bye" in fault_keys(now, ("P0001", "P0004"), byes=("P0002", "P0003"))


# -- the same every time

PRINT = """
import random
from tests.seasons import event, played
from judge.services.event.tournament_files import pairing_json
from judge.tournament.swiss.next_round import pair_swiss
now, chance = event(75), random.Random(9)
for _ in range(6):
    pairing = pair_swiss(now, 7)
    print(pairing_json(now, pairing))
    now = played(now, pairing, chance)
"""


def test_five_fresh_processes_print_the_same_bytes():
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PRINT],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": str(n)},
        ).stdout
        for n in range(5)
    }

    assert len(outputs) == 1
