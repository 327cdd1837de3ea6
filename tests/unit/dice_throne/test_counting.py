"""A table that played on with an illegal event: it counts and brings what it lacked."""

import pytest

from judge.rules.dice_throne import rule_counting
from judge.schemas.dice_throne.table import read_table
from tests.unit.dice_throne.test_corners import STRIKE, file, ruled

CARD = {"by": "A", "play": "a-card", "card": "main", "cost": 3, "effects": [{"gain": "evasive"}]}


def counted(*events, n=1, **more):
    ruling = rule_counting(read_table(file(*events, **{"phase": "main-1", **more})), n)
    return ruling, ruling.events[n - 1].verdict == "legal"


def dials(ruling, player="A"):
    return ruling.players[player].cp, ruling.players[player].hand


@pytest.mark.parametrize(
    ("cp", "hand", "left"), [(2, 4, (0, 3)), (0, 4, (0, 3)), (5, 4, (2, 3)), (5, 0, (2, 0)), (0, 0, (0, 0))]
)
def test_a_card_that_could_not_be_paid_is_paid_with_what_it_costs(cp, hand, left):
    ruling, is_legal = counted(CARD, a={"cp": cp, "hand": hand})

    assert is_legal
    assert dials(ruling) == left
    assert ruling.players["A"].statuses == {"evasive": 1}


def test_a_legal_event_is_not_touched():
    assert dials(counted({**CARD, "cost": 0}, a={"cp": 0, "hand": 3})[0]) == (0, 2)


def test_an_upgrade_that_could_not_be_paid_costs_what_there_is():
    upgrade = {"by": "A", "upgrade": "strike", "level": 2, "cost": 3}

    assert dials(counted(upgrade, a={"cp": 1, "hand": 1})[0]) == (0, 0)


@pytest.mark.parametrize(("held", "left"), [({}, {}), ({"evasive": 2}, {"evasive": 2})])
def test_a_token_that_nobody_held_is_there_once(held, left):
    ruling, is_legal = counted({"by": "A", "spend": "protect"}, a={"statuses": held})

    assert is_legal
    assert ruling.players["A"].statuses == left


def test_paying_off_what_is_not_there_costs_its_price():
    pay = {"by": "A", "pay": "knockdown"}

    assert dials(counted(pay, phase="main-2", a={"cp": 5})[0])[0] == 3
    assert dials(counted(pay, phase="main-1", a={"cp": 0})[0])[0] == 0


def test_a_phase_out_of_order_counts_too():
    ruling, is_legal = counted({"advance": "main-1"}, phase="main-2")

    assert is_legal
    assert ruling.turn.phase == "main-1"


@pytest.mark.parametrize(
    "event",
    [
        {"by": "B", "defend": "guard", "effects": [{"prevent": 2}]},
        {"by": "A", "target": "B"},
        {"by": "B", "roll": [1, 2, 3, 4, 5]},
        {"by": "B", "announce": "strike"},
        {"by": "A", "choose": 1},
        {**CARD, "changes": [{"whose": "A", "die": 1, "to": 6, "of": "targeting"}]},
        {**CARD, "changes": [{"whose": "A", "die": 1, "to": 6, "of": "defensive"}]},
    ],
)
def test_what_has_nothing_to_act_on_cannot_count(event):
    _, is_legal = counted(event)

    assert ruled(event, phase="main-1").events[0].verdict != "legal"
    assert not is_legal


def test_nothing_counts_once_the_game_is_over():
    assert not counted(CARD, b={"health": 0})[1]


def test_a_defence_that_came_too_often_counts_against_an_attack():
    guard = {"by": "B", "defend": "guard", "effects": [{"prevent": 2}]}
    ruling, is_legal = counted(STRIKE, guard, guard, n=3, phase="offensive-roll")

    assert is_legal
    assert ruling.players["B"].health == 46


def test_offensive_dice_that_are_gone_can_still_be_thought_of_as_changed():
    change = {**CARD, "card": "roll", "cost": 0, "changes": [{"whose": "A", "die": 1, "to": 6}]}

    assert counted(STRIKE, change, n=2, phase="offensive-roll")[1]
