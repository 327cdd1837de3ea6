"""Mending a table: the changes said, carried out on what is shown, give what should be there."""

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.core.errors import InputError
from judge.services.dispute.case import Case
from judge.services.dispute.repair import repair
from judge.services.dispute.rulings import rule_table

DISPUTE = {
    "game": "dice-throne",
    "edition": "fr-2.4.1",
    "players": [
        {"id": "A", "hero": "pyromancer", "cp": 3, "deck": 20, "discard": 2},
        {
            "id": "B",
            "hero": "paladin",
            "deck": 20,
            "statuses": {"protect": 1},
            "upgrades": {"divine-defense": 2},
        },
    ],
    "turn": {"active": "A"},
    "events": [
        {"by": "A", "activate": "strike", "effects": [{"deal": 9}, {"inflict": "burn"}]},
        {"by": "A", "play": "boost", "card": "roll", "cost": 1, "modifier": True, "effects": [{"add": 4}]},
        {"by": "B", "spend": "protect"},
        {"by": "B", "play": "dear", "card": "instant", "cost": 9, "effects": [{"prevent": 3}, {"draw": 1}]},
        {"advance": "main-2"},
        {"by": "A", "sell": 1},
    ],
}
TOKENS = st.dictionaries(st.sampled_from(["protect", "burn", "poison"]), st.integers(1, 3))
SHOWN = st.fixed_dictionaries(
    {},
    optional={
        "health": st.integers(0, 60),
        "cp": st.integers(0, 15),
        "hand": st.integers(0, 9),
        "deck": st.integers(0, 25),
        "discard": st.integers(0, 9),
        "statuses": TOKENS,
        "upgrades": st.dictionaries(st.sampled_from(["divine-defense", "fiery-combo"]), st.integers(2, 3)),
    },
)


def carry_out(shown, changes):
    """What the table shows once every change is made."""
    state = copy.deepcopy(shown)
    for change in changes:
        mine, what = state[change["player"]], change["what"]
        if change["kind"] == "token":
            moved = change["from"] - change["to"]
            mine["statuses"][what] = mine["statuses"].get(what, 0) - moved
            if "to_player" in change:
                theirs = state[change["to_player"]]["statuses"]
                theirs[what] = theirs.get(what, 0) + moved
        elif change["kind"] == "card":
            moved = change["from"] - change["to"]
            mine[what] -= moved
            if "to_player" in change:
                mine[change["to_player"]] += moved
        elif change["kind"] == "board":
            mine["upgrades"][what.removeprefix("upgrades.")] = change["to"]
        else:
            mine[what] = change["to"]
    return state


@settings(deadline=None)
@given(SHOWN, SHOWN)
def test_the_changes_turn_what_is_shown_into_what_should_be(a, b):
    should = rule_table(DISPUTE)["players"]

    found = repair(Case(DISPUTE), {"players": {"A": a, "B": b}})["changes"]
    after = carry_out({"A": a, "B": b}, found)

    for name, state in after.items():
        for key, value in state.items():
            right = should[name].get(key) or (0 if isinstance(value, int) else {})
            if isinstance(value, dict):
                value = {k: n for k, n in value.items() if n}
            assert value == right


def test_a_table_that_shows_what_it_should_needs_no_change():
    should = rule_table(DISPUTE)

    assert repair(Case(DISPUTE), {"players": should["players"]})["changes"] == []


def test_changes_come_shortest_first_and_tokens_are_moved_rather_than_made():
    shown = {"A": {"health": 40, "statuses": {"burn": 1}}, "B": {"health": 44, "statuses": {}}}

    found = repair(Case(DISPUTE), {"players": shown})["changes"]

    assert [(c["kind"], c["player"], c["what"]) for c in found] == [
        ("token", "A", "burn"), ("dial", "A", "health"),
    ]  # fmt: skip
    assert found[0]["to_player"] == "B"
    assert found[0]["says"] == "Move 1 × Burn from A to B."


def test_cards_in_the_wrong_pile_are_moved():
    found = repair(Case(DISPUTE), {"players": {"A": {"hand": 3, "discard": 3}}})["changes"]

    assert [(c["what"], c["to_player"], c["says"]) for c in found] == [
        ("hand", "discard", "A: move 1 card from the hand to the discard pile.")
    ]


def test_an_illegal_event_that_was_counted_is_taken_back():
    found = repair(Case(DISPUTE), illegal=4)["changes"]

    says = {(c["player"], c["what"]): (c["from"], c["to"]) for c in found}
    assert says[("B", "health")] == (45, 44)
    assert says[("B", "cp")] == (0, 2)


def test_a_legal_event_that_is_ruled_out_is_taken_back_with_all_it_did():
    found = repair(Case(DISPUTE), illegal=2)["changes"]

    says = {(c["player"], c["what"]): (c["from"], c["to"]) for c in found}
    assert says[("A", "cp")] == (3, 4)
    assert says[("B", "health")] == (44, 46)
    assert ("A", "discard") in says


def test_team_dials_are_mended_once():
    players = [{"id": name, "team": "red" if name in "AB" else "blue"} for name in "ABCD"]
    table = {"game": "dice-throne", "mode": "2v2", "players": players, "turn": {"active": "A"}}
    table["events"] = [{"by": "A", "activate": "x", "on": "C", "effects": [{"deal": 7}]}]

    shown = {"teams": {"blue": 50, "red": 50}, "players": {"C": {"health": 50}}}
    found = repair(Case(table), shown)["changes"]

    assert [(c["player"], c["from"], c["to"]) for c in found] == [("blue", 50, 43)]


def test_dice_forge_tables_are_mended_too():
    table = {"game": "dice-forge", "players": [{"id": "A", "gold": 5, "feats": ["ferryman"]}, {"id": "B"}]}
    state = rule_table(table)["players"]["A"]
    dice = copy.deepcopy(state["dice"])
    dice[0][0] = "S1"

    shown = {"players": [{"id": "A", "gold": 7, "feats": ["gorgon"], "dice": dice}]}
    found = repair(Case(table), shown)["changes"]

    assert {(c["kind"], c["what"], c["from"], c["to"]) for c in found} == {
        ("board", "dice[1]", "S1", "G1"), ("card", "feats", "gorgon", None),
        ("card", "feats", None, "ferryman"), ("dial", "gold", 7, 5),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("shows", "path"),
    [
        ({"players": {"Z": {}}}, "players.Z"),
        ({"players": {"A": {"helth": 3}}}, "players.A.helth"),
        ({"players": {"A": {"health": "x"}}}, "players.A.health"),
        ({"players": [{"health": 3}]}, "players[1].id"),
        ({"plyers": {}}, "plyers"),
        ({"teams": {"red": 3}}, "teams.red"),
        ([], ""),
    ],
)
def test_a_fault_in_what_is_shown_is_named(shows, path):
    with pytest.raises(InputError) as caught:
        repair(Case(DISPUTE), shows)

    assert caught.value.problems[0].path == path


def test_an_event_that_is_not_there_cannot_be_taken_back():
    with pytest.raises(InputError):
        repair(Case(DISPUTE), illegal=9)


@pytest.mark.parametrize("lang", ["fr", "ru"])
def test_changes_are_said_in_every_language(lang):
    shown = {"A": {"health": 1, "cp": 9, "hand": 9, "deck": 1, "statuses": {"burn": 1}, "side": "cursed"}}

    found = repair(Case(DISPUTE), {"players": shown}, lang=lang)

    assert all(change["says"] for change in found["changes"])
    assert found["says"]


@pytest.mark.parametrize("key", ["teams", "players"])
def test_what_is_shown_has_to_have_its_shape(key):
    with pytest.raises(InputError):
        repair(Case(DISPUTE), {key: False}, path="shows")
