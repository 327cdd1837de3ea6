"""What a ruling leaves out: rules it does not rest on, verbs that are not open, answers it does not offer."""

import pytest

from judge.rules.dice_throne.flow.engine import standing
from judge.schemas.dice_throne.table import read_table
from judge.services.dispute.rulings import continue_table
from tests.unit.dice_throne.test_corners import STRIKE, does, file, ruled

TOKEN = {"id": "edge", "polarity": "positive", "stack_limit": 2, "spendable": True, "when": "any"}
ADDS = {**TOKEN, "effects": [{"add": 2}]}
USED = {**TOKEN, "uses": [{"effects": [{"add": 2}]}]}


def last_choice(*events, **more):
    return standing(read_table(file(*events, **more))).pending[-1]


# ------------------------------------------------------------------ verbs that are not open


@pytest.mark.parametrize("token", [ADDS, USED])
def test_a_token_that_adds_damage_is_open_only_beside_an_own_attack(token):
    held = {"a": {"statuses": {"edge": 1}}, "catalogue": {"statuses": [token]}}

    assert "spend" not in ruled(phase="main-1", **held).may["A"]
    assert "spend" in ruled(STRIKE, **held).extra.meanwhile["A"]
    pure = {**STRIKE, "effects": [{"deal": 6, "type": "pure"}]}
    assert "spend" not in ruled(pure, **held).extra.meanwhile["A"]


def test_whoever_is_locked_may_do_nothing():
    locked = does({"lock_actions": True, "to": "target"})

    assert ruled(locked, phase="main-1").may["B"] == []
    assert ruled(phase="main-1", b={"statuses": {"stun": 1}}).may["B"] == []
    assert ruled(phase="main-1").may["B"] != []


def test_a_dispute_without_a_phase_is_not_followed_live():
    assert ruled(STRIKE, phase=None).extra.meanwhile == {}
    assert ruled(STRIKE).extra.meanwhile != {}


# ------------------------------------------------------------------ rules a ruling does not rest on


def test_an_ability_at_its_first_level_rests_on_no_upgrade():
    smack = {"by": "A", "activate": "smack"}
    at = {
        1: {"hero": "barbarian", "upgrades": {"smack": 1}},
        2: {"hero": "barbarian", "upgrades": {"smack": 2}},
    }

    assert "DT-ABL-02" not in ruled(smack, a=at[1]).events[0].rules
    assert "DT-ABL-02" in ruled(smack, a=at[2]).events[0].rules


def test_dice_that_were_rolled_again_count_as_unaltered():
    altered = {"dice": [1, 1, 1, 1, 1], "attempts": 1, "altered": True, "announced": "smack"}
    roll = {"by": "A", "roll": [4, 4, 4, 5, 6]}
    smack = {"by": "A", "announce": "smack"}
    table = {"a": {"hero": "barbarian"}, "turn": altered}

    assert "DT-ORP-03" not in ruled(roll, smack, **table).events[1].rules
    assert "altered" not in continue_table(file(roll, **table))["turn"]
    assert "altered" in continue_table(file(**table))["turn"]


def test_a_new_turn_remembers_nothing_of_the_last():
    table = {"turn": {"dice": [1, 1, 1, 1, 1], "attempts": 2, "altered": True, "announced": "smack"}}

    turn = continue_table(file({"advance": "turn"}, **table))["turn"]

    assert turn == {"active": "B", "attempts": 0, "phase": "upkeep"}


def test_an_upkeep_without_damage_rests_on_no_sum():
    advance = {"advance": "income"}

    assert "DT-UPK-03" not in ruled(advance, phase="upkeep").events[0].rules
    assert "DT-UPK-03" in ruled(advance, phase="upkeep", a={"statuses": {"burn": 1}}).events[0].rules


def test_only_heroes_at_the_table_are_called_known_in_part():
    assert ruled(phase="main-1", a={"hero": "paladin"}).remarks == []
    assert [remark.key for remark in ruled(phase="main-1", a={"hero": "thor"}).remarks] == [
        "hero_known_in_part"
    ]


# ------------------------------------------------------------------ answers that a choice offers


def test_a_choice_offers_each_of_its_options():
    text = {"choose": [[{"gain_cp": 1}], [{"draw": 1}], [{"heal": 1}]]}

    assert last_choice(does(text), phase="main-1").options == (1, 2, 3)


def test_what_may_be_done_may_be_left():
    assert last_choice(does({"gain_cp": 1}, {"may": [{"draw": 1}]}), phase="main-1").options == (1, 0)


@pytest.mark.parametrize(("up_to", "options"), [(2, (0, 1, 2)), ("any", (0, 1, 2, 3)), (5, (0, 1, 2, 3))])
def test_up_to_offers_no_more_than_there_is(up_to, options):
    text = does({"remove": "evasive", "up_to": up_to, "from": "self"})

    assert last_choice(text, phase="main-1", a={"statuses": {"evasive": 3}}).options == options


def test_the_pirate_is_offered_all_that_she_is_given():
    given = does({"inflict": "cursed-doubloon", "count": 2}, by="B", on=["A"])
    pirate = {"hero": "cursed-pirate", "statuses": {"cursed-doubloon": 1}}

    choice = last_choice(given, phase="main-1", a=pirate)

    assert choice.options == (0, 1, 2)
    assert not choice.is_of_event


def test_a_companion_is_offered_what_it_can_take():
    held = {"hero": "huntress", "companions": {"nyra": 3}, "statuses": {"nyras-bond": 1}}
    bond = {"by": "B", "spend": "nyras-bond", "choice": [1]}

    assert last_choice(STRIKE, bond, b=held).options == (0, 1, 2, 3)


# ------------------------------------------------------------------ numbers in sentences


def test_a_wrong_number_of_dice_names_the_number_that_is_rolled():
    text = {"roll": 2, "each": {"6": [{"gain_cp": 1}]}}

    reason = ruled(does(text, dice=[1, 2, 3]), phase="main-1").events[0].reasons[0]

    assert (reason.key, reason.params["need"], reason.params["has"]) == ("wrong_number_of_dice", 2, 3)


@pytest.mark.parametrize("effect", [{"heal": "sum-of-dice"}, {"draw": 1, "per": {"symbol": "a"}}])
def test_dice_of_an_unknown_number_are_asked_for_one_by_one(effect):
    heal = {"deal": "sum-of-dice"} if "heal" in effect else effect

    ask = ruled(does(heal, on=["B"]), phase="main-1").asks[0]

    assert (ask.what, ask.says.params["n"]) == ("dice", 1)


def step(ruling, key):
    return next(step for step in ruling.steps if step.says.key == key)


def test_steps_carry_the_numbers_they_speak_of():
    raised = step(ruled(does({"raise_limit": "evasive", "by": 2}), phase="main-1"), "step_limit_raised")
    assert (raised.value, raised.says.params["n"]) == (5, 5)

    moved = does({"transfer": "poison"}, on=["A", "B"])
    assert step(ruled(moved, phase="main-1", a={"statuses": {"poison": 2}}), "step_moved").value == 1

    refused = does({"gain": "cursed-doubloon"}, choice=0)
    assert step(ruled(refused, phase="main-1", a={"hero": "cursed-pirate"}), "step_refused").value == 0

    more = {"by": "A", "play": "more", "card": "roll", "cost": 0, "modifier": True, "effects": [{"add": 2}]}
    added = step(ruled(STRIKE, more), "step_added")
    assert (added.value, added.says.params["n"], added.says.params["now"]) == (2, 2, 8)


@pytest.mark.parametrize(("times", "said"), [(2, "2"), ("1/2", "1/2"), ("3/2", "3/2")])
def test_a_step_says_by_what_damage_is_multiplied(times, said):
    strike = {**STRIKE, "effects": [{"deal": 6}, {"multiply_damage": times}]}

    assert step(ruled(strike), "step_multiplied").says.params["times"] == said


def test_totals_stand_in_the_order_of_seats_and_a_return_is_worked_out_first():
    heal = does({"heal": 1})
    back = {"by": "B", "spend": "retribution"}

    ruling = ruled(heal, STRIKE, back, a={"health": 40}, b={"statuses": {"retribution": 1}})

    assert list(ruling.resolutions[0].totals) == ["A", "B"]
    assert ruling.players["A"].health == 40 + 1 - 3
