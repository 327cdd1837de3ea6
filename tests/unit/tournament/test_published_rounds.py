"""Changes to a round that is being played: only tables without a result move, and the cost is told."""

import dataclasses
import json
import random

import pytest
from click.testing import CliRunner

from judge.cli import cli
from judge.core.errors import InputError
from judge.tournament.checker import faults
from judge.tournament.model import Match, PlayerId, Result, Tournament
from judge.tournament.pairing import Pairing, Table
from judge.tournament.swiss.again import Changed, move, pair_again, seat_late, swap
from judge.tournament.swiss.next_round import pair_swiss, swiss_cost
from tests.seasons import event, played


def published(count: int, rounds: int, done: int, seed: int = 1, **settings) -> Tournament:
    """An event whose last round is out, with results at the first `done` tables."""
    chance, now = random.Random(seed), event(count, **settings)
    for _ in range(rounds - 1):
        now = played(now, pair_swiss(now, seed), chance)
    pairing = pair_swiss(now, seed)
    matches = [
        Match(a=t.a, b=t.b, table=t.number, result=Result.A if n < done else None)
        for n, t in enumerate(pairing.tables)
    ]
    matches += [Match(a=p, result=Result.BYE) for p in pairing.byes]
    return dataclasses.replace(now, rounds=(*now.rounds, tuple(matches)))


def with_round(t: Tournament, changed: Changed) -> Tournament:
    return dataclasses.replace(t, rounds=(*t.rounds[:-1], changed.matches))


def as_pairing(t: Tournament) -> Pairing:
    last = t.rounds[-1]
    tables = tuple(Table(m.table, m.a, m.b) for m in last if m.b)
    return Pairing(len(t.rounds), tables, tuple(m.a for m in last if m.b is None))


@pytest.mark.parametrize("count", [8, 15, 32, 61])
@pytest.mark.parametrize("done", [0, 1, 2])
def test_pairing_again_leaves_played_tables_alone_and_costs_no_more(count, done):
    t = published(count, 4, done)
    first, second, *_ = [m for m in t.rounds[-1] if m.b and not m.result]
    spoilt = with_round(t, swap(t, first.a, second.a))

    changed = pair_again(spoilt)

    assert [m for m in changed.matches if m.b and m.result] == [m for m in t.rounds[-1] if m.b and m.result]
    assert changed.is_optimal
    order = ("rematches", "repeat_byes", "score_gap")
    assert [getattr(changed.after, key) for key in order] <= [getattr(changed.before, key) for key in order]
    before = dataclasses.replace(t, rounds=t.rounds[:-1])
    pairing = dataclasses.replace(as_pairing(with_round(t, changed)), cost=changed.after)
    assert {fault.key for fault in faults(before, pairing)} <= {"fault_avoidable"}


def test_only_the_named_tables_are_paired_again():
    t = published(16, 3, 2)
    kept = {m.table: m for m in t.rounds[-1] if m.table not in (5, 6, 7)}

    changed = pair_again(t, tables=[5, 6, 7])

    assert {m.table: m for m in changed.matches if m.table in kept} == kept
    assert sorted(m.table for m in changed.matches) == list(range(1, 9))


def test_a_table_with_a_result_cannot_be_paired_again():
    with pytest.raises(InputError):
        pair_again(published(8, 2, 2), tables=[1])


def test_two_players_of_unplayed_tables_change_seats_and_the_cost_is_told():
    t = published(8, 3, 1)
    first, second = [m for m in t.rounds[-1] if not m.result][:2]

    changed = swap(t, first.a, second.b)

    assert {table.number for table in changed.tables} == {first.table, second.table}
    assert {frozenset((x.a, x.b)) for x in changed.tables} == {
        frozenset((second.b, first.b)), frozenset((second.a, first.a)),
    }  # fmt: skip
    before = dataclasses.replace(t, rounds=t.rounds[:-1])
    tables = [Table(m.table, m.a, m.b) for m in changed.matches]
    assert changed.after == swiss_cost(before, tables, ())


def test_a_player_whose_match_is_over_keeps_the_seat():
    t = published(8, 2, 1)

    with pytest.raises(InputError):
        swap(t, t.rounds[-1][0].a, t.rounds[-1][1].a)


def test_the_bye_is_a_seat_like_any_other():
    t = published(7, 2, 0)
    bye, first = next(m for m in t.rounds[-1] if m.b is None), t.rounds[-1][0]

    changed = swap(t, bye.a, first.a)

    assert changed.byes == (first.a,)
    assert changed.after.repeat_byes == 0


def late(t: Tournament) -> Tournament:
    newcomer = dataclasses.replace(t.entrants[0], id=PlayerId("late"), name="late")
    return dataclasses.replace(t, entrants=(*t.entrants, newcomer), late={PlayerId("late"): len(t.rounds)})


def test_a_late_player_meets_whoever_had_the_bye():
    t = late(published(7, 2, 1))
    bye = next(m.a for m in t.rounds[-1] if m.b is None)

    changed = seat_late(t, PlayerId("late"))

    assert changed.byes == ()
    assert [(x.number, {x.a, x.b}) for x in changed.tables] == [(4, {bye, "late"})]
    assert [m for m in changed.matches if m.table != 4] == [m for m in t.rounds[-1] if m.b]


def test_a_late_player_sits_out_where_nobody_did():
    t = late(published(8, 2, 1))

    changed = seat_late(t, PlayerId("late"))

    assert changed.byes == ("late",)
    assert changed.tables == ()


def test_a_match_moves_to_another_table_and_back_comes_the_one_there():
    t = published(8, 2, 1)

    changed = move(t, 2, 4)

    second, fourth = (next(m for m in t.rounds[-1] if m.table == n) for n in (2, 4))
    assert [(x.number, x.a) for x in sorted(changed.tables, key=lambda x: x.number)] == [
        (2, fourth.a), (4, second.a),
    ]  # fmt: skip
    with pytest.raises(InputError):
        move(t, 2, 1)


def test_the_command_pairs_unplayed_tables_again_and_tells_both_costs():
    data = {
        "players": ["Ana", "Ben", "Cleo", "Dov", "Eva", "Fay"],
        "rounds": [
            [{"a": "Ana", "b": "Ben", "result": "a"}, {"a": "Cleo", "b": "Dov", "result": "a"},
             {"a": "Eva", "b": "Fay", "result": "a"}],
            [{"a": "Ana", "b": "Cleo", "result": "a", "table": 1}, {"a": "Eva", "b": "Fay", "table": 2},
             {"a": "Ben", "b": "Dov", "table": 3}],
        ],
    }  # fmt: skip

    told = CliRunner().invoke(cli, ["pair", "-", "--again", "--json"], input=json.dumps(data))

    paired = json.loads(told.stdout)
    assert paired["before"] == {"rematches": 1, "repeat_byes": 0, "score_gap": 9, "floats": 1}
    assert paired["cost"] == {"rematches": 0, "repeat_byes": 0, "score_gap": 9, "floats": 1}
    assert {table["table"] for table in paired["tables"]} == {2, 3}
    bracket = {
        "format": "single-elimination",
        "players": ["Ana", "Ben"],
        "rounds": [[{"a": "Ana", "b": "Ben"}]],
    }
    refused = CliRunner().invoke(cli, ["pair", "-", "--again"], input=json.dumps(bracket)).exception
    assert [problem.path for problem in refused.problems] == ["format.kind"]
