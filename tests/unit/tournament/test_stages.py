"""Events of every format in stages, played to the end: the independent checkers find no fault in any round,
and the file of every state reads back as the same event."""

import dataclasses

import pytest

from judge.schemas.tournament.reader import read_event
from judge.schemas.tournament.stages_writer import write_event
from judge.services.event.tournament_files import bracket_file, pair_file, standings_file
from judge.tournament.brackets.plan import size_for
from judge.tournament.formats import play_bracket
from judge.tournament.model import Entrant, Format, Match, PlayerId, Result, Tournament
from judge.tournament.stage_checker import bracket_faults, cut_faults, losses
from judge.tournament.stages import Stage, StagedEvent, Take, event_standings, pair_stage, stage_standings
from tests.staged_events import FIRST, LATER, LIVES, faults_of, play, staged_event


@pytest.mark.parametrize("later", LATER)
@pytest.mark.parametrize("first", dict.fromkeys(FIRST))
def test_every_round_of_every_pair_of_formats_is_sound(first, later):
    for seed in range(4):
        event = staged_event(seed, first=first, later=later)
        for now, number, pairing in play(event, seed):
            assert faults_of(now, number, pairing) == [], (first, later, seed, number, pairing.round)


@pytest.mark.parametrize("seed", range(24))
def test_a_staged_event_written_and_read_is_the_same_event(seed):
    event = staged_event(seed + 1000, most=14)
    for now, number, pairing in play(event, seed):
        if pairing.round % 2 and number == 1:
            continue
        data = write_event(now)
        again = read_event(data)

        assert write_event(again) == data
        assert pair_stage(again, seed) == (number, pairing)
        assert event_standings(again) == event_standings(now)
        for stage in range(1, now.begun + 1):
            assert stage_standings(again, stage) == stage_standings(now, stage)


def test_everybody_has_exactly_one_place_in_the_event():
    for seed in range(20):
        event = staged_event(seed)
        for now, *_ in play(event, seed):
            event = now
        table = event_standings(event)

        assert sorted(line.player for _, line in table) == sorted(e.id for e in event.listed)
        assert [stage for stage, _ in table] == sorted((stage for stage, _ in table), reverse=True)
        ranks = [line.rank for _, line in table]
        assert all(rank == ranks.index(rank) + 1 for rank in ranks)


def swiss_then(kind: str, players: int, size: int) -> StagedEvent:
    entrants = tuple(Entrant(PlayerId(f"P{n:03}"), f"P{n:03}") for n in range(players))
    pairs = list(zip(entrants[: players // 2], entrants[players // 2 :], strict=False))
    first = tuple(
        Match(a=a.id, b=b.id, result=Result.A, health=(50 - n, 0)) for n, (a, b) in enumerate(pairs)
    )
    swiss = Tournament(
        entrants=entrants,
        format=Format(kind="swiss", rounds=1),
        rounds=(first,),
        tiebreakers=("health-diff",),
    )
    cut = Tournament(entrants=entrants, format=Format(kind=kind), tiebreakers=())
    return StagedEvent(stages=(Stage(swiss), Stage(cut, take=Take(top=size))), listed=entrants)


@pytest.mark.parametrize("kind", LIVES)
@pytest.mark.parametrize("size", range(2, 65))
def test_a_cut_of_any_size_plays_to_a_champion(kind, size):
    event = swiss_then(kind, 66, size)
    matches = 0
    while event.tournament(2).rounds == () or play_bracket(event.tournament(2)).champion() is None:
        number, pairing = pair_stage(event)
        now = event.tournament(2)
        assert number == 2
        assert bracket_faults(now, pairing, LIVES[kind]) == []
        if not now.rounds:
            assert cut_faults(event.tournament(1), Take(top=size), [e.id for e in now.entrants]) == []
            assert len(pairing.byes) == size_for(size) - size
        result = tuple(Match(a=t.a, b=t.b, result=Result.B if size % 3 else Result.A) for t in pairing.tables)
        matches += len(result)
        plan = dataclasses.replace(event.stages[1].plan, rounds=(*now.rounds, result))
        stages = (event.stages[0], dataclasses.replace(event.stages[1], plan=plan))
        event = dataclasses.replace(event, stages=stages, _made={})

    lost = losses(event.tournament(2))
    assert sum(lost[e.id] < LIVES[kind] for e in event.tournament(2).entrants) == 1
    assert matches == sum(lost.values())


# -- what a checker must notice -----------------------------------------------------------------------------


def test_the_checker_sees_a_cut_that_leaves_a_better_player_out():
    event = swiss_then("single-elimination", 8, 4)
    before = event.tournament(1)

    assert [f.key for f in cut_faults(before, Take(top=2), ["P000", "P007"])] == ["fault_cut"] * 3
    assert [f.key for f in cut_faults(before, Take(top=4), ["P000"])] == ["fault_cut_size"]
    assert [f.key for f in cut_faults(before, Take(points=3), ["P000", "P001", "P002"])] == ["fault_cut"]


def test_the_checker_sees_a_bracket_out_of_order():
    event = swiss_then("single-elimination", 8, 4)
    _, pairing = pair_stage(event)
    now = event.tournament(2)
    one, two = pairing.tables
    swapped = dataclasses.replace(
        pairing, tables=(dataclasses.replace(one, b=two.b), dataclasses.replace(two, b=one.b))
    )
    after = dataclasses.replace(
        now, rounds=(tuple(Match(a=t.a, b=t.b, result=Result.A) for t in pairing.tables),)
    )

    assert {f.key for f in bracket_faults(now, swapped, 1)} == {"fault_seeds"}
    assert {f.key for f in bracket_faults(after, pairing, 1)} == {"fault_out_of_bracket"}


def test_a_bracket_of_the_next_stage_can_be_drawn_before_it_is_played():
    data = write_event(swiss_then("double-elimination", 12, 6))

    drawn = bracket_file(data)

    assert (drawn["players"], drawn["size"]) == (6, 8)
    assert pair_file(data)["byes"] == ["P000", "P001"]
    assert len(standings_file(data, stage=2)) == 6
