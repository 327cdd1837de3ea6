"""Every condition of `if` at its edge: met exactly at its number, not one below, not by somebody else."""

import pytest

from tests.unit.dice_throne.test_corners import STRIKE, does, ruled
from tests.unit.dice_throne.test_words_act import CATALOGUE

MET = [{"gain": "evasive"}]
INFLICT = {"by": "A", "activate": "curse", "effects": [{"deal": 2}, {"inflict": "poison"}]}
CURSE_SELF = {"by": "A", "activate": "curse", "effects": [{"deal": 2}, {"inflict": "poison", "to": "self"}]}
PLAIN = {"by": "A", "activate": "rest", "effects": [{"draw": 1}]}


def is_met(asked, *before, by="A", dice=None, **more):
    """Whether a text of a card that asks this runs its part."""
    event = {
        "by": by,
        "play": "a-card",
        "card": "instant",
        "cost": 0,
        "effects": [{"if": asked, "effects": MET}],
    }
    event |= {"dice": dice} if dice else {}
    ruling = ruled(*before, event, **more)
    assert ruling.events[-1].verdict == "legal", ruling.events[-1]
    return bool(ruling.players[by].statuses.get("evasive"))


def holder(**statuses):
    return {"statuses": dict(statuses)}


@pytest.mark.parametrize(
    ("asked", "before", "more", "expected"),
    [
        ({"has": {"poison": 2}}, [], {"a": holder(poison=2)}, True),
        ({"has": {"poison": 2}}, [], {"a": holder(poison=1)}, False),
        ({"has": {"poison": 1}}, [], {}, False),
        ({"has": {"poison": 1, "bleed": 1}}, [], {"a": holder(poison=1)}, False),
        ({"target_has": {"poison": 1}}, [STRIKE], {"b": holder(poison=1)}, True),
        ({"target_has": {"poison": 1}}, [STRIKE], {"a": holder(poison=1)}, False),
        ({"upgrades_at_least": 1}, [], {"a": {"upgrades": {"strike": 2}}}, True),
        ({"upgrades_at_least": 2}, [], {"a": {"upgrades": {"strike": 2}}}, False),
        ({"own_attack": True}, [STRIKE], {}, True),
        ({"own_attack": True}, [PLAIN], {}, False),
        ({"own_attack": True}, [], {}, False),
        ({"own_attack": False}, [], {}, True),
        ({"own_attack": True}, [STRIKE], {"by": "B"}, False),
        ({"attacked": True}, [STRIKE], {"by": "B"}, True),
        ({"attacked": True}, [STRIKE], {}, False),
        ({"attacked": True}, [PLAIN], {"by": "B"}, False),
        ({"attacked": True}, [], {}, False),
        ({"attack_at_least": 6}, [STRIKE], {}, True),
        ({"attack_at_least": 7}, [STRIKE], {}, False),
        ({"attack_at_least": 1}, [], {}, False),
        ({"attack_at_least": 1}, [PLAIN], {}, False),
        ({"inflicted": True}, [INFLICT], {"by": "B"}, True),
        ({"inflicted": True}, [INFLICT], {}, False),
        ({"inflicted": True}, [CURSE_SELF], {}, True),
        ({"inflicted": True}, [], {}, False),
        ({"inflicted": True}, [STRIKE], {"by": "B"}, False),
        ({"spent": "protect"}, [], {}, False),
        ({"would_defeat": True}, [STRIKE], {"by": "B", "b": {"health": 6}}, True),
        ({"would_defeat": True}, [STRIKE], {"by": "B", "b": {"health": 7}}, False),
        ({"would_defeat": True}, [], {"a": {"health": 1}}, False),
        ({"phase": ["offensive-roll"]}, [], {}, True),
        ({"phase": ["main-1"]}, [], {}, False),
        ({"phase": ["main-1", "main-2"]}, [], {"phase": "main-2"}, True),
        ({"phase": ["main-1"]}, [], {"phase": None}, True),
        ({"not": {"phase": ["main-1"]}}, [], {}, True),
    ],
)
def test_a_condition_holds_exactly_at_its_edge(asked, before, more, expected):
    assert is_met(asked, *before, **more) is expected


def test_a_token_spent_on_this_attack_is_remembered():
    protect = {"by": "B", "spend": "protect"}

    assert is_met({"spent": "protect"}, STRIKE, protect, b=holder(protect=1), by="B")
    assert not is_met({"spent": "protect"}, STRIKE, b=holder(protect=1), by="B")


@pytest.mark.parametrize(
    ("asked", "dice", "expected"),
    [
        ({"straight": "small"}, [1, 2, 3, 4, 6], True),
        ({"straight": "small"}, [1, 2, 3, 5, 6], False),
        ({"kind": 3}, [1, 1, 1, 5, 6], True),
        ({"kind": 4}, [1, 1, 1, 5, 6], False),
        ({"sum_at_least": 14}, [1, 1, 1, 5, 6], True),
        ({"sum_at_least": 15}, [1, 1, 1, 5, 6], False),
        ({"sum_at_most": 14}, [1, 1, 1, 5, 6], True),
        ({"sum_at_most": 13}, [1, 1, 1, 5, 6], False),
    ],
)
def test_a_condition_on_dice_is_met_by_the_dice_of_the_text(asked, dice, expected):
    assert is_met(asked, dice=dice) is expected


@pytest.mark.parametrize(
    "asked", [{"straight": "small"}, {"kind": 3}, {"symbols": {"leaf": 1}}, {"sum_at_least": 1}]
)
def test_without_dice_a_condition_on_dice_asks_for_them(asked):
    ruling = ruled(does({"if": asked, "effects": MET}), phase="main-1")

    assert [ask.what for ask in ruling.asks] == ["dice"]
    assert ruling.players["A"].statuses == {}


def test_a_number_that_no_source_gives_is_asked_for():
    ruling = ruled(does({"if": {"upgrades_at_least": None}, "effects": MET}), phase="main-1")

    assert [ask.what for ask in ruling.asks] == ["effects"]
    assert ruling.players["A"].statuses == {}


@pytest.mark.parametrize(
    ("effects", "expected"),
    [
        ([{"remove": "poison", "count": 2}, {"if": {"removed_at_least": 2}, "effects": MET}], True),
        ([{"remove": "poison", "count": 2}, {"if": {"removed_at_least": 3}, "effects": MET}], False),
        ([{"remove": "poison"}, {"remove": "bleed"}, {"if": {"none_removed": True}, "effects": MET}], False),
        ([{"remove": "bleed"}, {"if": {"none_removed": True}, "effects": MET}], True),
    ],
)
def test_a_text_knows_what_it_has_removed(effects, expected):
    ruling = ruled(does(*effects, on="A"), phase="main-1", a=holder(poison=3))

    assert bool(ruling.players["A"].statuses.get("evasive")) is expected


@pytest.mark.parametrize(
    ("asked", "companions", "expected"),
    [
        ({"companion_at_least": {"cat": 5}}, {"cat": 5}, True),
        ({"companion_at_least": {"cat": 5}}, {"cat": 4}, False),
        ({"companion_at_least": {"cat": 5, "bot": 1}}, {"cat": 5}, False),
        ({"companion_at_least": {"bot": 1}}, {"cat": 5}, False),
        ({"active": "cat"}, {"cat": 1}, True),
        ({"active": "cat"}, {"cat": 0}, False),
        ({"downed": "cat"}, {"cat": 0}, True),
        ({"downed": "cat"}, {"cat": 1}, False),
    ],
)
def test_a_condition_on_companions(asked, companions, expected):
    keeper = {"hero": "keeper", "companions": companions}

    assert is_met(asked, a=keeper, catalogue=CATALOGUE) is expected


@pytest.mark.parametrize(
    ("held", "wanted", "expected"),
    [
        ({"bleed": 2}, {"bleed": 2}, True),
        ({"bleed": 1}, {"bleed": 2}, False),
        ({}, {"bleed": 1}, False),
        ({"bleed": 2}, {"bleed": 2, "poison": 1}, False),
    ],
)
def test_whoever_damaged_a_holder_in_this_turn_is_remembered(held, wanted, expected):
    events = [STRIKE, {"advance": "main-2"}]

    assert is_met({"damaged_holder_of": wanted}, *events, b={"statuses": held}) is expected
    assert not is_met({"damaged_holder_of": wanted}, *events, b={"statuses": held}, by="B")
