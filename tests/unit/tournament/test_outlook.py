"""The outlook says what the results to come can still decide: checked against every result, by other code."""

import dataclasses
import itertools
import random

import pytest

from judge.schemas.tournament.reader import read_event
from judge.services.event.outlooks import outlook_file
from judge.services.event.tournament_files import standings_file
from judge.tournament.formats import pair_round
from judge.tournament.model import Format, Match, Result
from judge.tournament.outlook.needs import outlook
from judge.tournament.stages import Stage, StagedEvent, Take, one_stage
from tests.seasons import event, played

TOP_TWO = {"take": {"top": 2}, "format": "single-elimination"}


def swiss(*rounds, players=("Ana", "Ben", "Cleo", "Dov"), planned=None, **more):
    shape = {"kind": "swiss", "rounds": planned or len(rounds)}
    stage = {"format": shape, "rounds": list(rounds), **more}
    return {"players": list(players), "tiebreakers": [], "stages": [stage, TOP_TWO]}


def said(data, player):
    (line,) = outlook_file(data, player)
    return line


def test_two_leaders_who_draw_are_both_through_where_nobody_can_catch_them():
    data = swiss(
        [{"a": "Ana", "b": "Ben", "result": "a"}, {"a": "Cleo", "b": "Dov", "result": "a"}],
        [{"a": "Ana", "b": "Cleo"}, {"a": "Ben", "b": "Dov"}],
    )

    assert said(data, "Ana") == {
        "player": "Ana", "state": "open", "draw_is_safe": True, "exact": True,
        "needs": "A draw is enough. Even a loss can do if other results or tie-breakers help.",
    }  # fmt: skip
    assert said(data, "Cleo")["draw_is_safe"]
    assert not said(data, "Ben")["draw_is_safe"]
    assert "A win can do" in said(data, "Ben")["needs"]


def test_after_the_last_result_everybody_is_in_or_out():
    data = swiss([{"a": "Ana", "b": "Ben", "result": "a"}, {"a": "Cleo", "b": "Dov", "result": "a"}])

    assert {line["player"]: (line["state"], line["exact"]) for line in outlook_file(data)} == {
        "Ana": ("in", True), "Cleo": ("in", True), "Ben": ("out", True), "Dov": ("out", True),
    }  # fmt: skip


def test_players_level_across_the_edge_are_open_until_somebody_settles_it():
    data = swiss([{"a": "Ana", "b": "Ben", "result": "draw"}, {"a": "Cleo", "b": "Dov", "result": "a"}])

    # Cleo 3; Ana and Ben 1 compete for the second place; Dov 0
    states = {line["player"]: line["state"] for line in outlook_file(data)}
    assert states == {"Cleo": "in", "Ana": "open", "Ben": "open", "Dov": "out"}


def test_without_a_next_stage_it_is_about_first_place():
    data = {
        "players": ["Ana", "Ben", "Cleo", "Dov"], "format": {"kind": "swiss", "rounds": 2}, "tiebreakers": [],
        "rounds": [[{"a": "Ana", "b": "Ben", "result": "a"}, {"a": "Cleo", "b": "Dov", "result": "draw"}]],
    }  # fmt: skip

    states = {line["player"]: line["state"] for line in outlook_file(data)}

    assert states == {"Ana": "open", "Ben": "open", "Cleo": "open", "Dov": "open"}


def test_a_number_of_points_is_exact_however_many_rounds_are_left():
    data = swiss(
        [{"a": "Ana", "b": "Ben", "result": "a"}, {"a": "Cleo", "b": "Dov", "result": "draw"}], planned=3
    )
    data["stages"][1] = {"take": {"points": 7}, "format": "single-elimination"}

    assert said(data, "Ana")["needs"] == "4 more points are enough."
    assert said(data, "Cleo")["needs"] == "6 more points are enough."
    assert said(data, "Ben")["state"] == "out"
    assert all(line["exact"] for line in outlook_file(data))


def test_who_has_dropped_is_out_and_leaves_the_place_to_the_next():
    data = swiss(
        [{"a": "Ana", "b": "Ben", "result": "a"}, {"a": "Cleo", "b": "Dov", "result": "a"}], drops={"Ana": 1}
    )

    assert said(data, "Ana")["state"] == "out"
    assert said(data, "Cleo")["state"] == "in"


def test_in_a_bracket_who_lost_is_out_and_who_is_left_must_win():
    data = {
        "players": ["Ana", "Ben", "Cleo", "Dov"], "format": "single-elimination",
        "rounds": [[{"a": "Ana", "b": "Dov", "result": "a"}, {"a": "Ben", "b": "Cleo"}]],
    }  # fmt: skip

    states = {line["player"]: line["state"] for line in outlook_file(data)}

    assert states == {"Ana": "open", "Ben": "open", "Cleo": "open", "Dov": "out"}


def test_two_of_each_group_go_on():
    group = {"A": 1, "B": 1, "C": 1, "D": 2, "E": 2, "F": 2}
    data = {
        "players": [{"name": name, "group": n} for name, n in group.items()], "tiebreakers": [],
        "stages": [
            {"format": "groups", "rounds": [
                [{"a": "A", "b": "B", "result": "a"}, {"a": "D", "b": "E", "result": "a"}],
                [{"a": "A", "b": "C", "result": "a"}, {"a": "D", "b": "F", "result": "draw"}],
            ]},
            {"take": {"of_each_group": 2}, "format": "single-elimination"},
        ],
    }  # fmt: skip

    states = {line["player"]: line["state"] for line in outlook_file(data)}

    # B and C have 0 and meet; E has 0 and F 1 and meet: each of them can still be second
    assert states == {"A": "in", "B": "open", "C": "open", "D": "in", "E": "open", "F": "open"}
    assert said(data, "F")["needs"].startswith("A draw is enough")


def test_a_rest_to_come_counts_where_rests_are_written_down_as_byes():
    data = {
        "players": ["Ana", "Ben", "Cleo"], "format": "round-robin", "tiebreakers": [],
        "rounds": [[{"a": "Ben", "b": "Cleo", "result": "draw"}, {"a": "Ana", "result": "bye"}]],
    }  # fmt: skip

    # Ana has 3, Ben and Cleo have 1 and 3 more to come from their rests: all can still be first
    assert {line["player"]: line["state"] for line in outlook_file(data)} == dict.fromkeys(
        data["players"], "open"
    )
    assert said(data, "Ana")["needs"].startswith("4 more points are enough")


def test_a_member_finds_the_team():
    data = swiss(
        [{"a": "Foxes", "b": "Owls", "result": "a"}],
        players=[{"name": "Foxes", "members": ["Ann", {"name": "Bob", "heroes": ["monk"]}]}, "Owls"],
    )

    assert said(data, "Bob")["player"] == "Foxes"


def before_a_cut(now, size=4):
    cut = dataclasses.replace(now, format=Format(kind="single-elimination"), rounds=())
    return StagedEvent(stages=(Stage(now), Stage(cut, take=Take(top=size))))


# -- against every result -----------------------------------------------------------------------------------


def last_round(count, rounds, seed):
    """An event whose last round is paired and has some results."""
    chance = random.Random(seed)
    now = dataclasses.replace(
        event(count), format=Format(kind="swiss", rounds=rounds), tiebreakers=("buchholz",)
    )
    for _ in range(rounds - 1):
        now = played(now, pair_round(now, seed), chance)
    pairing = pair_round(now, seed)
    byes = [Match(a=p, result=Result.BYE) for p in pairing.byes]
    tables = [
        Match(a=t.a, b=t.b, result=chance.choice([None, None, None, Result.A, Result.DRAW]))
        for t in pairing.tables
    ]
    return dataclasses.replace(now, rounds=(*now.rounds, (*byes, *tables)))


def with_results(now, results):
    *before, last = now.rounds
    left = iter(results)
    return (*before, tuple(m if m.is_finished else dataclasses.replace(m, result=next(left)) for m in last))


def points_and_buchholz(now, rounds):
    """Recomputed without the engine."""
    points, met = dict.fromkeys((e.id for e in now.entrants), 0), {e.id: [] for e in now.entrants}
    for m in itertools.chain(*rounds):
        if m.b is None:
            points[m.a] += 3
            continue
        met[m.a].append(m.b)
        met[m.b].append(m.a)
        gain = {Result.A: (3, 0), Result.B: (0, 3), Result.NO_SHOW_B: (3, 0), Result.NO_SHOW_A: (0, 3),
                Result.DRAW: (1, 1), Result.DOUBLE_LOSS: (0, 0)}[m.result]  # fmt: skip
        points[m.a] += gain[0]
        points[m.b] += gain[1]
    return {p: (points[p], sum(points[o] for o in met[p])) for p in points}


def truth(now, size):
    """For every player and result of their own: how often surely inside, how often perhaps."""
    open_matches = [m for m in now.rounds[-1] if not m.is_finished]
    seen = {e.id: {} for e in now.entrants}
    for results in itertools.product((Result.A, Result.DRAW, Result.B), repeat=len(open_matches)):
        keys = points_and_buchholz(now, with_results(now, results))
        own = {}
        for m, result in zip(open_matches, results, strict=True):
            own[m.a], own[m.b] = result, {Result.A: Result.B, Result.B: Result.A}.get(result, result)
        for player, key in keys.items():
            above = sum(other > key for other in keys.values())
            level = sum(other == key for other in keys.values())
            outcome = (above + level <= size, above < size)
            seen[player].setdefault(own.get(player), []).append(outcome)
    return seen


@pytest.mark.parametrize("seed", range(40))
def test_states_and_safe_draws_are_those_of_all_results(seed):
    chance = random.Random(seed)
    count, size = chance.choice([6, 7, 8, 9]), chance.choice([1, 2, 4])
    now = last_round(count, 3, seed)
    found = {one.player: one for one in outlook(before_a_cut(now, size))}

    for player, by_result in truth(now, size).items():
        every = [outcome for outcomes in by_result.values() for outcome in outcomes]
        is_in, is_out = all(sure for sure, _ in every), not any(perhaps for _, perhaps in every)
        if all(m.is_finished for m in now.rounds[-1]):
            continue  # settled by the order of entry where players are level
        assert found[player].is_exact
        assert found[player].state == ("in" if is_in else "out" if is_out else "open"), player
        if Result.DRAW in by_result:
            assert found[player].draw_is_safe == (is_in or all(sure for sure, _ in by_result[Result.DRAW]))


@pytest.mark.parametrize("seed", range(12))
def test_nobody_who_is_in_falls_out_and_nobody_who_is_out_comes_in(seed):
    """Two rounds before the end, played out by the engine itself many times."""
    chance = random.Random(seed)
    now = dataclasses.replace(event(16), format=Format(kind="swiss", rounds=5), tiebreakers=("buchholz",))
    for _ in range(3):
        now = played(now, pair_round(now, seed), chance, odd=0.2)
    staged = before_a_cut(now)
    found = outlook(staged, seed)

    inside = {one.player for one in found if one.state == "in"}
    outside = {one.player for one in found if one.state == "out"}
    assert found == outlook(staged, seed)
    assert all(one.is_exact or (0 <= one.chance <= 1 and one.error > 0) for one in found)
    assert sum(one.chance for one in found if one.chance is not None) + len(inside) == pytest.approx(
        4, abs=0.5
    )
    for _ in range(10):
        end = now
        for _ in range(2):
            end = played(end, pair_round(end, chance.randrange(99)), chance, odd=0.3)
        best = {one.player for one in outlook(before_a_cut(end)) if one.state == "in"}
        assert inside <= best
        assert not outside & best


def test_a_round_of_many_tables_is_weighed_by_points_and_still_exact():
    """Sixty-four players, last round paired: too many results to try, but each match stands for itself."""
    now = last_round(64, 6, 3)
    found = outlook(before_a_cut(now))

    assert sum(one.is_exact for one in found) > 48
    assert {one.state for one in found} == {"in", "out", "open"}


def test_the_file_and_the_engine_agree_about_a_whole_event():
    data = swiss([{"a": "Ana", "b": "Ben", "result": "a"}, {"a": "Cleo", "b": "Dov", "result": "a"}])
    through = {line["player"] for line in outlook_file(data) if line["state"] == "in"}

    assert through == {line["player"] for line in standings_file(data)[:2]}
    assert read_event(data).due == 2
    assert one_stage(read_event(data).tournament(1)).due == 1
