"""A recorded game of Dice Forge, from set-up to the final score."""

import pytest

from judge.paths import FIXTURES
from judge.rules.dice_forge import as_table, rule
from judge.rules.expectations import differences
from judge.schemas.dice_forge.table import read_table
from judge.schemas.files import read_file
from judge.services.dispute.rulings import continue_file, rule_file, rule_table

GAME = read_file(FIXTURES / "dice-forge" / "games" / "four-players.yaml")


def test_the_recorded_game_ends_with_the_recorded_score():
    ruling = rule_table(GAME)

    assert list(differences(GAME["expect"], ruling)) == []
    assert {event["verdict"] for event in ruling["events"]} == {"legal"}
    assert ruling["outcome"]["scores"] == {"Ana": 22, "Ben": 65, "Cleo": 41, "Dov": 98}


def test_the_recorded_game_has_36_turns():
    turns = sum(event == {"advance": "turn"} for event in GAME["events"])

    assert turns == 36
    assert rule_table(GAME)["turn"]["round"] == 9


@pytest.mark.parametrize("share", [0.1, 0.35, 0.6, 0.85])
def test_the_game_can_be_continued_from_the_state_after_any_event(share):
    table = read_table(GAME)
    at = int(len(table.events) * share)
    so_far = rule(table, after=at)

    continued = rule(read_table({**as_table(so_far), "events": GAME["events"][at:]}))

    whole = rule(table)
    assert len(so_far.events) == at
    assert (continued.players, continued.outcome) == (whole.players, whole.outcome)


def test_what_is_lost_to_caps_adds_up_over_a_continued_game():
    table = read_table(GAME)
    half = len(table.events) // 2
    before = rule(table, after=half)
    after = rule(read_table({**as_table(before), "events": GAME["events"][half:]}))

    for name, lost in rule(table).lost.items():
        for resource, n in lost.items():
            parts = (ruling.lost.get(name, {}).get(resource, 0) for ruling in (before, after))
            assert sum(parts) == n


def test_the_state_after_an_event_knows_the_rolls_of_the_same_step_that_are_entered_later():
    mirror = [["MIRROR", "G1", "G1", "G1", "G1", "S1"], ["G1", "G1", "G1", "G1", "M1", "V2"]]
    table = {
        "game": "dice-forge",
        "players": [{"id": "Ana", "dice": mirror}, {"id": "Ben"}, {"id": "Cleo"}],
        "turn": {"active": "Ana", "step": 1},
        "events": [
            {"by": "Ana", "bless": ["MIRROR", "G1"], "copy": {"player": "Ben", "die": 2}},
            {"by": "Ben", "bless": ["S1", "V2"]},
        ],
    }

    first = rule_file(table, after=1)

    assert [event["verdict"] for event in first["events"]] == ["legal"]
    assert first["players"]["Ana"]["glory"] == 2
    assert continue_file(table, after=1)["players"][0]["glory"] == 2


def test_a_huge_gain_is_one_line_and_an_illegal_offering_has_few_reasons():
    faces = ["G3", "M1", "G4", "S1", "G6", "CH1", "V3", "S2", "M2", "V4", "CH2", "ALL1"] * 2
    table = {
        "game": "dice-forge",
        "players": [{"id": "Ana"}, {"id": "Ben"}],
        "turn": {"active": "Ana", "step": 3},
        "events": [{"by": "Ana", "does": "x", "gain": {"V": 9999}}, {"by": "Ana", "offer": faces}],
    }

    ruling = rule_file(table)

    assert ruling["players"]["Ana"]["hundreds"] == 99
    assert len([step for step in ruling["steps"] if step["events"] == [1]]) <= 4
    assert len([step for step in ruling["steps"] if step["events"] == [2]]) <= 12
