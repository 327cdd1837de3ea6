"""When a status may be spent, paid off or resolved, and who chooses; and what the phases do by themselves."""

import pytest

from tests.unit.dice_throne.test_tokens import does, reason, ruled, tokens

STRIKE = {"by": "A", "activate": "strike", "on": "B", "effects": [{"deal": 5}]}
GUARD = {"by": "B", "defend": "guard", "effects": [{"prevent": 1}]}


def spend(token, by="A", **more):
    return {"by": by, "spend": token, **more}


def holding(**held):
    return {"statuses": held}


# ------------------------------------------------------------------ windows


@pytest.mark.parametrize(
    ("phase", "active", "why"),
    [
        ("main-1", "A", ""),
        ("main-2", "A", ""),
        ("upkeep", "A", "window_main"),
        ("main-1", "B", "window_main"),
        (None, "A", ""),
    ],
)
def test_a_status_of_the_main_phase_waits_for_it(phase, active, why):
    ruling = ruled(spend("wellspring", dice=[3]), phase=phase, active=active, a=holding(wellspring=1))

    assert reason(ruling) == why


def test_an_attack_modifier_waits_for_an_own_attack_that_is_large_enough():
    crit = spend("crit", modifier=True)
    large, small = STRIKE, {**STRIKE, "effects": [{"deal": 4}]}
    held = holding(crit=1)

    assert reason(ruled(large, crit, phase="offensive-roll", a=held)) == ""
    assert reason(ruled(small, crit, phase="offensive-roll", a=held)) == "window_after_attacking"
    assert reason(ruled(crit, phase="offensive-roll", a=held)) == "modifier_needs_attack"
    by_defender = ruled(large, {**crit, "by": "B"}, phase="offensive-roll", b=held)
    assert reason(by_defender) == "no_modifier_by_defender"


def test_what_ends_the_offensive_roll_phase_comes_before_the_defence():
    held = holding(accuracy=1)

    assert reason(ruled(STRIKE, spend("accuracy"), phase="offensive-roll", a=held)) == ""
    late = ruled(STRIKE, GUARD, spend("accuracy"), phase="offensive-roll", a=held)
    assert reason(late) == "window_end_of_offensive_roll"


def test_an_answer_to_an_attack_is_the_defenders():
    held = holding(retribution=1)

    assert reason(ruled(STRIKE, spend("retribution", "B"), phase="offensive-roll", b=held)) == ""
    assert reason(ruled(STRIKE, spend("retribution"), phase="offensive-roll", a=held)) == "window_attacked"
    assert reason(ruled(spend("retribution", "B"), b=held)) == "window_attacked"


def test_a_status_against_damage_waits_for_damage():
    held = holding(evasive=1)
    evade = {"dice": [1]}

    assert reason(ruled(STRIKE, spend("evasive", "B", **evade), phase="offensive-roll", b=held)) == ""
    assert (
        reason(ruled(STRIKE, spend("evasive", **evade), phase="offensive-roll", a=held)) == "window_damaged"
    )
    assert reason(ruled(spend("evasive", **evade), a=held)) == "window_damaged"


def test_damage_that_will_come_back_may_be_evaded():
    events = [STRIKE, spend("retribution", "B"), spend("evasive", dice=[1])]

    ruling = ruled(*events, phase="offensive-roll", a=holding(evasive=1), b=holding(retribution=1))

    assert reason(ruling) == ""
    assert ruling.players["A"].health == 50


def test_striking_back_needs_damage_from_an_opponents_offensive_roll():
    held = holding(**{"back-strike": 1})
    back = {"dice": [3]}

    hit = ruled(STRIKE, spend("back-strike", "B", **back), phase="offensive-roll", b=held)

    assert reason(hit) == ""
    assert hit.players["A"].health == 48
    own = ruled({**STRIKE, "effects": [{"deal": 5}, {"deal": 2, "to": "self"}]}, spend("back-strike", **back),
                phase="offensive-roll", a=held)  # fmt: skip
    assert reason(own) == "window_damaged_by_offensive_roll"


def test_a_token_is_spent_once_and_only_where_it_lies():
    held = holding(protect=1)

    ruling = ruled(STRIKE, spend("protect", "B"), spend("protect", "B"), phase="offensive-roll", b=held)

    assert [event.verdict for event in ruling.events] == ["legal", "legal", "illegal"]
    assert reason(ruling) == "token_not_held"
    assert reason(ruled(spend("poison"), a=holding(poison=1))) == "token_not_spendable"


# ------------------------------------------------------------------ paying and resolving


@pytest.mark.parametrize(
    ("phase", "why"),
    [("upkeep", ""), ("income", ""), ("main-1", ""), (None, ""), ("main-2", "wrong_phase")],
)
def test_knockdown_is_paid_off_before_rolling(phase, why):
    ruling = ruled({"by": "A", "pay": "knockdown"}, phase=phase, a={**holding(knockdown=1), "cp": 2})

    assert reason(ruling) == why
    assert ruling.players["A"].cp == (2 if why else 0)
    assert tokens(ruling) == ({"knockdown": 1} if why else {})


def test_paying_needs_the_token_the_price_and_the_turn():
    pay = {"by": "A", "pay": "knockdown"}

    assert reason(ruled(pay, a={"cp": 5})) == "token_not_held"
    assert reason(ruled(pay, a={**holding(knockdown=1), "cp": 1})) == "not_enough_cp"
    assert reason(ruled(pay, active="B", a={**holding(knockdown=1), "cp": 2})) == "not_your_turn"
    assert reason(ruled({"by": "A", "pay": "poison"}, a=holding(poison=1))) == "token_not_payable"


def test_an_upkeep_status_is_resolved_once_in_its_upkeep():
    burn = {"by": "A", "resolve": "burn"}
    held = holding(burn=1)

    assert reason(ruled(burn, phase="upkeep", a=held)) == ""
    assert reason(ruled(burn, burn, phase="upkeep", a=held)) == "already_resolved"
    assert reason(ruled(burn, phase="upkeep")) == "token_not_held"
    assert reason(ruled(burn, phase="main-1", a=held)) == "wrong_phase"
    assert reason(ruled(burn, phase="upkeep", active="B", a=held)) == "not_your_turn"


def test_each_token_that_rolls_has_one_die():
    bleed = {"by": "A", "resolve": "bleed"}
    held = holding(bleed=2)

    both = ruled({**bleed, "dice": [1, 5]}, {"advance": "income"}, phase="upkeep", a=held)

    assert both.players["A"].health == 49
    assert tokens(both) == {"bleed": 1}
    apart = ruled(
        {**bleed, "dice": [1]}, {**bleed, "dice": [2]}, {**bleed, "dice": [3]}, phase="upkeep", a=held
    )
    assert [event.verdict for event in apart.events] == ["legal", "legal", "illegal"]
    assert reason(ruled({**bleed, "dice": [1, 2, 3]}, phase="upkeep", a=held)) == "wrong_number_of_dice"
    assert reason(ruled({**bleed, "dice": [1]}, {**bleed, "dice": [2, 3]}, phase="upkeep", a=held)) == (
        "wrong_number_of_dice"
    )


# ------------------------------------------------------------------ phases


def test_income_is_one_cp_and_one_card_but_for_the_first_turn():
    later = ruled({"advance": "main-1"}, phase="upkeep", a={"cp": 2, "hand": 4})
    first = ruled(
        {"advance": "main-1"}, a={"cp": 2, "hand": 4}, turn={"active": "A", "phase": "upkeep", "first": True}
    )

    assert (later.players["A"].cp, later.players["A"].hand) == (3, 5)
    assert (first.players["A"].cp, first.players["A"].hand) == (2, 4)
    assert "DT-INC-02" in first.events[0].rules


def test_income_at_the_cap_cites_the_cap():
    assert "DT-CP-02" in ruled({"advance": "main-1"}, phase="upkeep", a={"cp": 15}).events[0].rules
    assert "DT-CP-02" not in ruled({"advance": "main-1"}, phase="upkeep", a={"cp": 14}).events[0].rules


@pytest.mark.parametrize(("hand", "kept", "cp"), [(6, 6, 2), (7, 6, 3), (9, 6, 5)])
def test_the_hand_limit_is_six_at_the_end_of_the_turn(hand, kept, cp):
    ruling = ruled({"advance": "turn"}, phase="discard", a={"cp": 2, "hand": hand})

    assert (ruling.players["A"].hand, ruling.players["A"].cp) == (kept, cp)
    assert ("DT-DIS-02" in ruling.events[0].rules) is (hand > 6)


def test_phases_are_not_gone_back_to():
    assert reason(ruled({"advance": "main-1"}, phase="main-2")) == "phase_is_behind"
    assert reason(ruled({"advance": "main-1"}, phase="main-1")) == "phase_is_behind"
    assert reason(ruled({"advance": "defensive-roll"}, phase="offensive-roll")) == "no_attack_no_defence"
    assert reason(ruled({"advance": "targeting-roll"}, phase="offensive-roll")) == "nothing_to_target"
    assert (
        reason(ruled(STRIKE, {"advance": "targeting-roll"}, phase="offensive-roll")) == "no_targeting_phase"
    )


def test_concussion_skips_one_income_and_knockdown_one_offensive_roll():
    ruling = ruled(
        {"advance": "offensive-roll"},
        phase="upkeep",
        a={**holding(concussion=1, knockdown=1), "cp": 2, "hand": 4},
    )

    assert (ruling.players["A"].cp, ruling.players["A"].hand) == (2, 4)
    assert ruling.turn.phase == "main-2"
    assert tokens(ruling) == {}


def test_shadows_last_a_whole_turn_of_their_own():
    old = ruled({"advance": "turn"}, phase="upkeep", a=holding(shadows=1))
    new = ruled(does({"gain": "shadows"}), {"advance": "turn"}, phase="main-1")

    assert tokens(old) == {}
    assert tokens(new) == {"shadows": 1}


def test_the_turn_passes_to_the_next_who_still_stands():
    players = [{"id": "A"}, {"id": "B", "health": 0}, {"id": "C"}]

    ruling = ruled({"advance": "turn"}, phase="discard", players=players, mode="king-of-the-hill")

    assert (ruling.turn.active, ruling.turn.phase) == ("C", "upkeep")


def test_fire_mastery_goes_down_and_poison_hurts_in_upkeep():
    ruling = ruled({"advance": "income"}, phase="upkeep", a=holding(**{"fire-mastery": 3, "poison": 2}))

    assert tokens(ruling) == {"fire-mastery": 2, "poison": 2}
    assert ruling.players["A"].health == 48
    assert "DT-UPK-03" in ruling.events[0].rules


def test_a_status_that_rolls_in_upkeep_asks_for_its_die():
    ruling = ruled({"advance": "income"}, phase="upkeep", a=holding(bleed=1))

    assert [each.what for each in ruling.asks] == ["dice"]
    resolved = ruled(
        {"by": "A", "resolve": "bleed", "dice": [5]},
        {"advance": "income"},
        phase="upkeep",
        a=holding(bleed=1),
    )
    assert resolved.asks == []


# ------------------------------------------------------------------ open while isolated damage waits

BURST = {"deal": 3, "type": "undefendable", "isolated": True}


def open_to_spend(*events):
    ruling = ruled(*events, a=holding(evasive=1), b=holding(evasive=1))
    return {name for name, verbs in ruling.extra.meanwhile.items() if "spend" in verbs}


def test_whoever_is_hit_by_isolated_damage_may_evade_it():
    assert open_to_spend(does(BURST, on="B")) == {"B"}
    assert open_to_spend(does(BURST, on=["A", "B"])) == {"A", "B"}


def test_in_an_exchange_every_answer_means_the_damage_just_dealt():
    unnamed = spend("evasive", "B", dice=[1])
    named = {**unnamed, "against": "isolated"}
    held = {**holding(evasive=2), "limits": {"evasive": 3}}

    ruling = ruled(does(BURST, on="B"), {"collide": [named, unnamed], "timing": "in-answer"}, b=held)

    assert ruling.order[0].verdicts == ["legal", "legal"]


def test_what_was_taken_in_the_same_exchange_is_not_paid_off():
    pay = {"by": "A", "pay": "knockdown"}
    help_up = {
        "by": "B",
        "play": "hand",
        "card": "instant",
        "cost": 0,
        "on": "A",
        "effects": [{"remove": "knockdown"}],
    }

    ruling = ruled({"collide": [pay, help_up], "timing": "at-once"}, a={**holding(knockdown=1), "cp": 2})

    assert ruling.order[0].outcomes == ["resolves", "no effect"]
    assert ruling.players["A"].cp == 2


def test_a_return_is_waited_for_also_beside_own_healing():
    strike = {**STRIKE, "effects": [{"deal": 5}, {"heal": 1}]}
    events = [strike, spend("retribution", "B"), spend("evasive", dice=[1])]

    ruling = ruled(*events, phase="offensive-roll", a=holding(evasive=1), b=holding(retribution=1))

    assert reason(ruling) == ""


# ------------------------------------------------------------------ what resolving does


def test_resolving_an_upkeep_status_says_whose_upkeep_it_is():
    ruling = ruled({"by": "B", "resolve": "burn"}, turn={}, b=holding(burn=1))

    assert (ruling.turn.active, ruling.turn.phase) == ("B", "upkeep")
    assert [each.when for each in ruling.resolutions] == ["upkeep"]


def test_something_else_that_is_resolved_leaves_the_phase_alone():
    odd = {"by": "A", "resolve": "odd-thing", "effects": [{"draw": 1}]}

    ruling = ruled(odd, phase="main-2", a={"statuses": {"odd-thing": 1}, "hand": 1})

    assert (ruling.turn.phase, ruling.players["A"].hand) == ("main-2", 2)


def test_the_owner_of_a_doubloon_is_spared():
    resolve = {"by": "A", "resolve": "cursed-doubloon"}
    held = holding(**{"cursed-doubloon": 2})

    assert ruled(resolve, phase="upkeep", a={**held, "hero": "cursed-pirate"}).players["A"].health == 50
    assert ruled(resolve, phase="upkeep", a=held).players["A"].health == 48


def test_a_passive_does_what_it_says_or_what_the_file_says():
    resolve = {"by": "A", "resolve": "quick-draw"}
    gunslinger = {"hero": "gunslinger", "hand": 1}

    printed = ruled(resolve, phase="upkeep", a=gunslinger)
    given = ruled({**resolve, "effects": [{"draw": 1}]}, phase="upkeep", a=gunslinger)

    assert (tokens(printed), printed.players["A"].hand) == ({"reload": 1}, 1)
    assert (tokens(given), given.players["A"].hand) == ({}, 2)
    assert reason(ruled(resolve, resolve, phase="upkeep", a=gunslinger)) == "already_resolved"
