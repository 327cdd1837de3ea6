"""Which dice meet an Activation Condition, and which part of it is said to be missing."""

import pytest

from judge.rules.dice_throne import rule
from judge.schemas.dice_throne.table import read_table

DIE = ["sword", "sword", "sword", "heart", "heart", "skull"]


def announced(needs, dice):
    event = {"by": "A", "announce": "an-art", "needs": needs}
    table = {
        "game": "dice-throne", "players": [{"id": "A", "die": DIE}, {"id": "B"}], "events": [event],
        "turn": {"active": "A", "phase": "offensive-roll", "attempts": 1, "dice": dice},
    }  # fmt: skip
    return rule(read_table(table)).events[0]


def is_met(needs, dice):
    return announced(needs, dice).verdict == "legal"


def missing(needs, dice):
    """The key of what is missing, with what is wanted and what is there."""
    (reason,) = announced(needs, dice).reasons
    return reason.key, reason.params["need"], reason.params["has"]


@pytest.mark.parametrize(
    ("size", "dice", "met"),
    [
        ("small", [1, 2, 3, 4, 6], True),
        ("small", [2, 4, 5, 6, 6], False),
        ("small", [1, 2, 4, 5, 6], False),
        ("large", [2, 3, 4, 5, 6], True),
        ("large", [1, 3, 4, 5, 6], False),
    ],
)
def test_a_straight_has_no_gap(size, dice, met):
    assert is_met({"straight": size}, dice) is met


def test_of_a_kind_counts_the_commonest_number():
    assert is_met({"kind": 3}, [4, 4, 4, 1, 2])
    assert not is_met({"kind": 3}, [4, 4, 1, 1, 2])


def test_every_symbol_of_a_condition_is_needed():
    assert is_met({"symbols": {"sword": 3, "heart": 1}}, [1, 2, 3, 4, 6])
    assert not is_met({"symbols": {"sword": 3, "heart": 1}}, [1, 2, 3, 3, 6])
    assert not is_met({"symbols": {"sword": 3, "heart": 1}}, [1, 2, 4, 4, 6])


def test_the_symbol_that_is_missing_is_named():
    needs = {"symbols": {"sword": 2, "heart": 1}}

    assert missing(needs, [1, 2, 6, 6, 6]) == ("activation_symbols", 1, 0)
    assert missing(needs, [1, 4, 4, 6, 6]) == ("activation_symbols", 2, 1)


def test_a_straight_that_is_too_short_says_how_long_it_is():
    assert missing({"straight": "small"}, [1, 2, 3, 5, 5]) == ("activation_straight", 4, 3)


def test_too_few_of_a_kind_says_how_many_there_are():
    assert missing({"kind": 4}, [2, 2, 2, 5, 5]) == ("activation_kind", 4, 3)


def test_of_a_condition_in_two_parts_the_missing_one_is_named():
    assert missing({"straight": "small", "kind": 3}, [1, 2, 3, 4, 4]) == ("activation_kind", 3, 2)
    assert missing({"kind": 3, "symbols": {"skull": 1}}, [1, 1, 1, 4, 4]) == ("activation_symbols", 1, 0)


def test_a_line_that_nobody_knows_is_asked_for():
    """The file's condition is met, but no printed line of the ability is."""
    event = {"by": "A", "activate": "smack", "needs": {"symbols": {"sword": 2}}}
    table = {
        "game": "dice-throne", "players": [{"id": "A", "hero": "barbarian"}, {"id": "B"}], "events": [event],
        "turn": {"active": "A", "phase": "offensive-roll", "dice": [1, 1, 6, 6, 4]},
    }  # fmt: skip

    ruling = rule(read_table(table))

    assert [each.what for each in ruling.asks] == ["dice"]
    assert ruling.players["B"].health == 50
