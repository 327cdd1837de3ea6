"""Effects entered beside the printed text: a number in place of the dice says nothing against it; another
number, token or kind of damage does."""

import pytest

from judge.services.dispute.case import Case
from judge.services.dispute.dice_throne.answered_events import with_number, with_token
from judge.services.dispute.dice_throne.questions import question_about
from judge.services.dispute.rulings import rule_table

DIFFERS = "differ from the printed"


def table(event, **paladin):
    barbarian = {"id": "A", "hero": "barbarian", "cp": 9, "upgrades": {}}
    players = [barbarian, {"id": "B", "hero": "paladin", "cp": 9, "upgrades": {}, **paladin}]
    strike = {"by": "A", "activate": "overpower", "on": "B"}
    events = [strike, event] if event["by"] == "B" else [event]
    return {"game": "dice-throne", "edition": "fr-2.4.1", "players": players, "events": events}


def note_on(event, **paladin):
    return DIFFERS in rule_table(table(event, **paladin))["events"][-1]["says"]


STRIKE = {"by": "A", "activate": "overpower", "on": "B"}
SMACK = {"by": "A", "activate": "smack", "on": "B"}
GUARD = {"by": "B", "defend": "divine-defense"}


@pytest.mark.parametrize(
    ("event", "effects"),
    [
        (STRIKE, [{"deal": 18}, {"inflict": "concussion"}]),
        (STRIKE, [{"deal": 9}]),
        (SMACK, [{"deal": 6}]),
        (GUARD, [{"prevent": 3}]),
        (GUARD, [{"prevent": 2}, {"deal": 1, "to": "attacker"}, {"gain_cp": 1}]),
    ],
)
def test_what_the_dice_can_bring_agrees_with_the_text(event, effects):
    assert not note_on({**event, "effects": effects})


@pytest.mark.parametrize(
    ("event", "effects"),
    [
        (STRIKE, [{"deal": 19}]),
        (STRIKE, [{"deal": 18}]),  # 14 and more inflict Concussion
        (STRIKE, [{"deal": 9, "type": "pure"}]),
        (STRIKE, [{"deal": 9}, {"heal": 2}]),
        (SMACK, [{"deal": 7}]),
        (GUARD, [{"prevent": 10}]),
        (GUARD, [{"prevent": 3}, {"gain": "protect"}]),  # only its third level gives one
    ],
)
def test_what_they_cannot_bring_is_said_to_differ(event, effects):
    assert note_on({**event, "effects": effects})


def test_the_level_in_play_is_the_text_that_counts():
    event = {**GUARD, "effects": [{"prevent": 3}, {"gain": "protect"}]}

    assert not note_on(event, upgrades={"divine-defense": 3})


def test_an_upgrade_played_before_counts_too():
    upgraded = table(
        {**GUARD, "effects": [{"prevent": 3}, {"gain": "protect"}]}, upgrades={"divine-defense": 2}
    )
    upgraded["turn"] = {"active": "B", "phase": "main-1"}
    upgraded["events"] = [
        {"by": "B", "upgrade": "divine-defense", "level": 3}, {"advance": "turn"}, *upgraded["events"],
    ]  # fmt: skip

    assert DIFFERS not in rule_table(upgraded)["events"][-1]["says"]


@pytest.mark.parametrize("event", [STRIKE, SMACK, GUARD, {"by": "A", "play": "get-some"}])
def test_no_number_that_can_be_tapped_differs(event):
    given = table(event)
    n = len(given["events"])
    for row in question_about(Case(given), n, "en").numbers:
        for value in row.values:
            event = with_number(Case(given), n, row.word, value)
            tapped = {**given, "events": [*given["events"][:-1], event]}
            assert DIFFERS not in rule_table(tapped)["events"][-1]["says"], (row.word, value)


def test_a_token_the_text_never_gives_differs():
    given = table(STRIKE)
    event = with_token(Case(given), 1, "inflict", "poison")

    assert DIFFERS in rule_table({**given, "events": [event]})["events"][0]["says"]


@pytest.mark.parametrize(("level", "dice"), [(1, 3), (2, 4), (3, 4)])
def test_a_defence_asks_for_as_many_dice_as_it_rolls(level, dice):
    given = table(GUARD, upgrades={"divine-defense": level})

    asked = [ask["says"] for ask in rule_table(given)["asks"] if ask["event"] == 2]
    assert asked == [f"What do the dice show ({dice} dice)?"]


def test_the_text_of_a_higher_level_does_not_differ_where_the_file_names_no_level():
    event = {
        "by": "B",
        "defend": "divine-defense",
        "effects": [{"prevent": 3}, {"gain": "protect"}],
    }
    strike = {"by": "A", "activate": "s", "effects": [{"deal": 7, "type": "normal"}]}
    paladin = {"id": "B", "hero": "paladin"}
    table = {
        "game": "dice-throne",
        "edition": "fr-2.4.1",
        "players": [{"id": "A"}, paladin],
        "events": [strike, event],
    }

    assert DIFFERS not in rule_table(table)["events"][1]["says"]
    paladin["upgrades"] = {"divine-defense": 2}
    assert DIFFERS in rule_table(table)["events"][1]["says"]
