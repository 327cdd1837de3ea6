"""Dice Forge table files that cannot be read: the fault is named with its path and what was expected."""

import pytest

from judge.core.errors import InputError
from judge.core.messages import LANGS, Phrasebook
from judge.schemas.dice_forge.table import read_table
from judge.schemas.fixtures import sentences

SIX = ["G1"] * 6


def table(**more):
    return {"game": "dice-forge", "players": [{"id": "A"}, {"id": "B"}, {"id": "C"}], **more}


def seat(**more):
    return table(players=[{"id": "A", **more}, {"id": "B"}])


def event(**more):
    return table(turn={"active": "A", "step": 3}, events=[{"advance": "step"}, more])


def place(**more):
    return {"face": "G3", "die": 1, "over": "G1", **more}


FAULTS = [
    (table(players=[{"id": "A"}]), "players", "df_expected_players"),
    (table(players=[{"id": name} for name in "ABCDE"]), "players", "df_expected_players"),
    (table(players=[{"id": "A"}, {"id": "A"}]), "players[2].id", "df_same_id"),
    (table(players=[{"id": "A"}, {}]), "players[2].id", "expected_text"),
    (table(players=3), "players", "expected_list"),
    (table(mode="duel"), "mode", "unknown_key"),
    (table(edition="fr-2"), "edition", "expected_one_of"),
    (table(turn={"active": "Z"}), "turn.active", "df_unknown_player"),
    (table(turn={"step": 5}), "turn.step", "expected_between"),
    (table(turn={"round": 11}), "turn.round", "expected_between"),
    (table(turn={"phase": 1}), "turn.phase", "unknown_key"),
    (table(pools={"P99": []}), "pools.P99", "df_unknown_pool"),
    (table(pools={"P12": ["G3"]}), "pools.P12", "df_not_in_pool"),
    (table(pools={"P12": ["V4", "V4"]}), "pools.P12", "df_not_in_pool"),
    (table(piles={"medusa": 1}), "piles.medusa", "df_unknown_feat"),
    (table(piles={"gorgon": 4}), "piles.gorgon", "expected_between"),
    (table(piles={"gorgon": 1}, sets={"S4": "triton"}), "piles.gorgon", "df_pile_not_in_use"),
    (table(sets={"S4": "hydra"}), "sets.S4", "expected_one_of"),
    (table(sets={"S9": "hydra"}), "sets.S9", "expected_one_of"),
    (table(boars={"G1": "A"}), "boars.G1", "df_unknown_face"),
    (table(rulings={"DF-AMB-02": "c"}), "rulings.DF-AMB-02", "expected_one_of"),
    (table(rulings={"DF-AMB-99": "b"}), "rulings.DF-AMB-99", "unknown_key"),
    (table(claims=[{"by": "A", "player": "A"}]), "claims[1]", "expected_one_of"),
    (table(claims=[{"by": "A", "player": "Z", "gold": 1}]), "claims[1].player", "expected_one_of"),
    (seat(dice=[["V4", *SIX[:5]], ["V4", *SIX[:5]]]), "players", "df_too_many_faces"),
    (seat(removed=["G3"] * 5), "players", "df_too_many_faces"),
    (seat(removed=["G1"] * 100), "players[1].removed", "expected_at_most_items"),
    (seat(feats=["gorgon"] * 3), "players", "df_too_many_cards"),
    (seat(feats=["gorgon"] * 200), "players[1].feats", "expected_at_most_items"),
    (seat(feats=["gorgon", "triton"]), "players", "df_two_sets"),
    (seat(tokens={"triton": 5}), "players[1].tokens.triton", "expected_between"),
    (table(turn={"due": [{"player": "A", "kind": "bless", "cause": "oust", "left": 9}]}),
     "turn.due[1].left", "expected_between"),
    (event(by="A", does="x", gain={"V": 10**9}), "events[2].gain.V", "expected_between"),
    (event(by="A", does="x", lose={"G": 10**9}), "events[2].lose.G", "expected_between"),
    (event(by="A", bless=["G1", "G1"], hammer=10**9), "events[2].hammer", "expected_between"),
    (event(by="A", bless=["G1", "G1"], choose=["G"] * 25), "events[2].choose", "expected_at_most_items"),
    (event(by="A", offer=[place()] * 25), "events[2].offer", "expected_at_most_items"),
    (event(collide=[{"by": "A", "does": "x"}] * 21), "events[2].collide", "expected_at_most_items"),
    (event(by="A", does="x", shown=["G1"]), "events[2].shown", "df_expected_two_faces"),
    (event(by="A", bless=["G1", "G1"], between={"token": "cerberus"}), "events[2].between.token",
     "expected_one_of"),
    (event(by="A", ship={"face": "G3", "else": {"face": "G4", "else": "G6"}}), "events[2].ship.else.else",
     "unknown_key"),
    (event(by="A", offer=[place(instead="G1")]), "events[2].offer[1].instead", "unknown_key"),
    (seat(gold=-1), "players[1].gold", "expected_at_least"),
    (seat(gold=13), "players[1].gold", "df_over_the_cap"),
    (seat(sun=7), "players[1].sun", "df_over_the_cap"),
    (seat(moon="many"), "players[1].moon", "expected_integer"),
    (seat(silver=1), "players[1].silver", "unknown_key"),
    (seat(dice=[SIX, SIX[:5]]), "players[1].dice[2]", "df_expected_six_faces"),
    (seat(dice=[SIX]), "players[1].dice", "df_expected_two_dice"),
    (seat(dice=[SIX, [*SIX[:5], "G9"]]), "players[1].dice[2][6]", "df_unknown_face"),
    (seat(shown=["G1"]), "players[1].shown", "df_expected_two_faces"),
    (seat(feats=["medusa"]), "players[1].feats[1]", "df_unknown_feat"),
    (seat(island=8), "players[1].island", "expected_one_of"),
    (seat(tokens={"medusa": 1}), "players[1].tokens.medusa", "expected_one_of"),
    (seat(hammer={"lap": 3}), "players[1].hammer.lap", "expected_between"),
    (seat(hammer={"position": 15}), "players[1].hammer.position", "expected_between"),
    (table(players=[{"id": n, "island": 2} for n in "AB"]), "players[2].island", "df_portal_taken"),
    (event(by="A", ofer=[]), "events[2].ofer", "df_unknown_verb"),
    (event(by="A"), "events[2]", "df_no_verb"),
    (event(by="A", feat="gorgon", offer=[]), "events[2]", "df_two_verbs"),
    (event(feat="gorgon"), "events[2].by", "key_missing"),
    (event(by="Z", feat="gorgon"), "events[2].by", "df_unknown_player"),
    (event(by="A", feat="medusa"), "events[2].feat", "df_unknown_feat"),
    (event(by="A", advance="step"), "events[2].by", "unknown_key"),
    (event(advance="phase"), "events[2].advance", "expected_one_of"),
    (event(by="A", offer="G3"), "events[2].offer", "expected_list"),
    (event(by="A", offer=[place(face="G9")]), "events[2].offer[1].face", "df_unknown_face"),
    (event(by="A", offer=[place(die=3)]), "events[2].offer[1].die", "expected_between"),
    (event(by="A", offer=[place(price=1)]), "events[2].offer[1].price", "unknown_key"),
    (event(by="A", offer=[place()], choose="G"), "events[2].choose", "unknown_key"),
    (event(by="A", offer=[place()], extra="yes"), "events[2].extra", "expected_one_of"),
    (event(by="A", bless=["G1"]), "events[2].bless", "df_expected_two_faces"),
    (event(by="A", bless=["G1", "G1"], order=[1, 1]), "events[2].order", "expected_one_of"),
    (event(by="A", bless=["G1", "G1"], cause="luck"), "events[2].cause", "expected_one_of"),
    (event(by="A", bless=["G1", "G1"], choose="X"), "events[2].choose", "expected_one_of"),
    (event(by="A", minor="G1", copy={"player": "Z", "die": 1}), "events[2].copy.player", "df_unknown_player"),
    (event(by="A", token="medusa"), "events[2].token", "expected_one_of"),
    (event(by="A", feat="satyrs", rolls=[{"B": ["G1"]}]), "events[2].rolls[1].B", "df_expected_two_faces"),
    (event(by="A", feat="satyrs", rolls=[{"B": SIX[:2]}] * 2), "events[2].rolls", "df_rolls_twice"),
    (event(by="A", feat="satyrs", oust={"B": SIX[:2], "C": SIX[:2]}), "events[2].oust", "df_one_ousted"),
    (event(by="A", does="x", gain={"X": 1}), "events[2].gain", "expected_one_of"),
    (event(collide=[{"advance": "step"}]), "events[2].collide[1].advance", "df_not_inside_collide"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "path", "key"), FAULTS, ids=[f"{p}-{k}" for _, p, k in FAULTS])
def test_a_fault_is_named_with_its_path(data, path, key):
    with pytest.raises(InputError) as caught:
        read_table(data)

    problem = caught.value.problems[0]
    assert (problem.path, problem.message.key) == (path, key)
    for lang in LANGS:
        assert Phrasebook(lang, sentences(lang)).say(problem.message)


def test_the_faults_of_all_events_are_named_at_once():
    with pytest.raises(InputError) as caught:
        read_table(table(events=[{"by": "A", "feat": "x"}, {"by": "A", "token": "x"}]))

    assert [problem.path for problem in caught.value.problems] == ["events[1].feat", "events[2].token"]


def test_faults_in_every_part_of_a_table_are_named_in_the_order_of_the_file():
    data = table(
        turn={"step": 9, "active": "Z"},
        events=[
            {"by": "A", "feat": "satyrs", "rolls": [{"Z": ["G1"]}], "copy": [{"die": 1}, {"player": "Q"}]}
        ],
        claims=[{"player": "Q", "gold": 1}, {"player": "A", "gold": "x"}],
        pools={"P99": [], "P12": ["G3"]},
        piles={"medusa": 1, "gorgon": 9},
        sets={"S9": "x"},
    )
    data["players"] = [{"id": "A", "gold": 99, "sun": -1, "dice": [SIX, SIX[:5]]}, {"id": "B", "island": 9}]

    with pytest.raises(InputError) as caught:
        read_table(data)

    assert [problem.path for problem in caught.value.problems] == [
        "players[1].gold", "players[1].sun", "players[1].dice[2]", "players[2].island",
        "turn.step", "turn.active",
        "events[1].rolls[1].Z", "events[1].rolls[1].Z",
        "events[1].copy[1].player", "events[1].copy[2].player", "events[1].copy[2].die",
        "claims[1].player", "claims[2].gold",
        "pools.P99", "pools.P12", "piles.medusa", "piles.gorgon", "sets.S9",
    ]  # fmt: skip


def test_the_path_of_a_table_stands_before_the_fault():
    with pytest.raises(InputError) as caught:
        read_table(seat(gold=-1), "tables[2]")

    assert caught.value.problems[0].path == "tables[2].players[1].gold"
