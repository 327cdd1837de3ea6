"""What a card's text asks for before it is carried out, in which order it is, and what is cited."""

import pytest

from judge.core.messages import Ref
from tests.unit.dice_throne.test_tokens import does, reason, ruled

HEAL_OR_DRAW = {
    "choose": [[{"pay_cp": 2}, {"gain": "evasive"}], [{"pay_cp": 4}, {"gain": "protect"}], [{"draw": 1}]]
}


def card(*effects, cost=0, by="A", kind="instant", **more):
    return {"by": by, "play": "trick", "card": kind, "cost": cost, "effects": list(effects), **more}


@pytest.mark.parametrize(
    ("choice", "cp", "why"),
    [
        (1, 3, ""), (1, 2, "not_enough_cp"), (2, 5, ""), (2, 4, "not_enough_cp"),
        (3, 1, ""), (3, 0, "not_enough_cp"),
    ],
)  # fmt: skip
def test_the_option_that_is_taken_is_paid_beside_the_card(choice, cp, why):
    ruling = ruled(card(HEAL_OR_DRAW, cost=1, choice=choice), a={"cp": cp, "hand": 3})

    assert reason(ruling) == why
    if why:  # the card stays in the hand, and nothing is paid
        assert (ruling.players["A"].cp, ruling.players["A"].hand) == (cp, 3)


@pytest.mark.parametrize(("choice", "why"), [(1, "not_enough_cp"), (0, "")])
def test_what_may_be_paid_is_paid_only_if_wanted(choice, why):
    may = {"may": [{"pay_cp": 2}, {"draw": 1}]}

    assert reason(ruled(card({"heal": 1}, may, choice=choice), a={"cp": 1})) == why


def test_a_price_that_is_lacking_is_said_once():
    ruling = ruled(card({"choose": [[{"draw": 1}], [{"heal": 1}]]}, cost=5, choice=1), a={"cp": 1})

    assert [each.key for each in ruling.events[0].reasons] == ["not_enough_cp"]


def test_what_comes_before_and_after_a_then_is_all_done():
    ruling = ruled(card({"gain_cp": 1}, {"then": [{"draw": 1}]}, {"gain_cp": 2}), a={"cp": 0, "hand": 1})

    assert (ruling.players["A"].cp, ruling.players["A"].hand) == (3, 1)


def test_an_upgrade_of_the_same_price_costs_nothing_more():
    upgrade = {"by": "A", "upgrade": "an-art", "level": 3, "cost": 2}

    ruling = ruled(upgrade, a={"cp": 0, "upgrades": {"an-art": {"level": 2, "cost": 2}}})

    assert reason(ruling) == ""
    assert ruling.players["A"].cp == 0


def test_dice_outside_the_roll_phases_are_spoken_of_only_where_dice_are_changed():
    nothing = {"heal": 1}

    assert "DT-CARD-06" not in ruled(card(nothing)).events[0].rules
    assert "DT-CARD-06" not in ruled(card(nothing, kind="roll")).events[0].rules
    bleed = {"by": "A", "resolve": "bleed", "dice": [2]}
    change = {"changes": [{"whose": "A", "die": 1, "to": 5, "of": "upkeep"}]}
    held = {"statuses": {"bleed": 1}}
    instant = ruled(
        bleed, {"by": "A", "play": "luck", "card": "instant", "cost": 0, **change}, phase="upkeep", a=held
    )
    roll = ruled(
        bleed, {"by": "A", "play": "luck", "card": "roll", "cost": 0, **change}, phase="upkeep", a=held
    )
    assert (reason(instant), "DT-CARD-06" in instant.events[1].rules) == ("", True)
    assert (reason(roll), "DT-CARD-06" in roll.events[1].rules) == ("wrong_phase", True)


def test_a_chosen_players_isolated_damage_is_the_one_that_is_answered():
    players = [{"id": name, "team": "red" if name in "AB" else "blue"} for name in "ABCD"]
    strike = {"by": "C", "activate": "strike", "on": "A", "effects": [{"deal": 6}]}
    burst = does({"deal": 4, "type": "undefendable", "isolated": True}, by="C", on="A")
    save = card({"prevent": 3, "to": "chosen-player"}, by="B", on="A", against="isolated")

    ruling = ruled(strike, burst, save, phase=None, active="C", players=players, mode="2v2")

    assert reason(ruling) == ""
    assert [each.totals["A"].final for each in ruling.resolutions] == [1, 6]


def test_the_thing_whose_text_is_unknown_is_named_in_the_question():
    (ask,) = ruled({"by": "A", "spend": "synth"}, a={"statuses": {"synth": 3}}).asks

    assert ask.says.params["thing"] == Ref("status", "synth")
