"""Tokens, cards and CP at their edges: exactly at the limit, one over it, the last one, the wrong moment."""

import pytest

from judge.rules.dice_throne import rule
from judge.schemas.dice_throne.table import read_table


def ruled(*events, phase="main-1", a=None, b=None, active="A", **more):
    players = [{"id": "A", **(a or {})}, {"id": "B", **(b or {})}]
    turn = {"active": active, **({"phase": phase} if phase else {})}
    table = {"game": "dice-throne", "edition": "fr-2.4.1", "players": players, "turn": turn}
    return rule(read_table({**table, "events": list(events), **more}))


def does(*effects, by="A", **more):
    return {"by": by, "does": "something", "effects": list(effects), **more}


def reason(ruling, n=-1):
    event = ruling.events[n]
    return "" if event.verdict == "legal" else event.reasons[0].key


def tokens(ruling, player="A"):
    return ruling.players[player].statuses


# ------------------------------------------------------------------ placing and taking


@pytest.mark.parametrize(
    ("held", "gained", "now", "lost"), [(0, 3, 3, 0), (2, 1, 3, 0), (2, 2, 3, 1), (3, 1, 3, 1)]
)
def test_tokens_beyond_the_limit_are_not_placed(held, gained, now, lost):
    ruling = ruled(does({"gain": "evasive", "count": gained}), a={"statuses": {"evasive": held}})

    assert tokens(ruling) == {"evasive": now}
    assert ruling.lost.get("A", {}).get("evasive", 0) == lost


def test_the_owner_of_a_token_may_hold_more_of_it():
    doubloons = does({"gain": "cursed-doubloon", "count": 6})

    assert tokens(ruled(doubloons, a={"hero": "cursed-pirate"})) == {"cursed-doubloon": 5}
    assert tokens(ruled(doubloons)) == {"cursed-doubloon": 3}


def test_a_second_keg_explodes_the_first_and_stays():
    keg = does({"inflict": "powder-keg"}, on="B")

    assert ruled(keg).players["B"].health == 50
    second = ruled(keg, b={"statuses": {"powder-keg": 1}})
    assert second.players["B"].health == 47
    assert tokens(second, "B") == {"powder-keg": 1}


def test_one_token_of_several_goes():
    ruling = ruled(does({"remove": "poison"}, on="A"), a={"statuses": {"poison": 3}})

    assert tokens(ruling) == {"poison": 2}
    (step,) = [step for step in ruling.steps if step.says.key == "step_removed"]
    assert step.value == 1


def test_what_is_not_there_is_not_said_to_go():
    ruling = ruled(does({"remove": "poison"}, on="A"))

    assert [step for step in ruling.steps if step.says.key == "step_removed"] == []


def steps(ruling, key):
    return [step for step in ruling.steps if step.says.key == key]


def test_the_limit_is_spoken_of_only_where_it_bites():
    (step,) = steps(
        ruled(does({"gain": "evasive", "count": 3}), a={"statuses": {"evasive": 1}}), "step_limit"
    )

    assert (step.value, step.says.params["n"], step.says.params["limit"]) == (3, 1, 3)
    assert steps(ruled(does({"gain": "evasive"}), a={"statuses": {"evasive": 1}}), "step_limit") == []


def test_a_keg_below_a_raised_limit_does_not_explode():
    keg = does({"inflict": "powder-keg"}, on="B")

    ruling = ruled(keg, b={"statuses": {"powder-keg": 1}, "limits": {"powder-keg": 2}})

    assert ruling.players["B"].health == 50
    assert tokens(ruling, "B") == {"powder-keg": 2}


def test_nothing_explodes_that_is_not_there():
    ruling = ruled(does({"explode": "powder-keg"}))

    assert ruling.players["A"].health == 50


def test_a_status_that_the_attack_inflicted_can_be_warded_off():
    strike = {"by": "A", "activate": "strike", "on": "B", "effects": [{"inflict": "poison"}, {"deal": 2}]}
    ward = {"by": "B", "defend": "ward", "effects": [{"prevent_status": 1}]}

    ruling = ruled(strike, ward, phase="offensive-roll", b={"statuses": {"burn": 1}})

    assert tokens(ruling, "B") == {"burn": 1}


# ------------------------------------------------------------------ CP and cards


@pytest.mark.parametrize(("cp", "now", "lost"), [(12, 15, 0), (13, 15, 1), (15, 15, 3)])
def test_cp_beyond_the_cap_are_lost(cp, now, lost):
    ruling = ruled(does({"gain_cp": 3}), a={"cp": cp})

    assert ruling.players["A"].cp == now
    assert ruling.lost.get("A", {}).get("cp", 0) == lost


@pytest.mark.parametrize(
    ("deck", "pile", "hand", "left", "reshuffled"), [(3, 5, 6, 1, 0), (1, 5, 6, 4, 1), (1, 0, 5, 0, 0)]
)
def test_an_empty_deck_is_made_from_the_pile(deck, pile, hand, left, reshuffled):
    ruling = ruled(does({"draw": 2}), a={"hand": 4, "deck": deck, "discard": pile})

    assert (ruling.players["A"].hand, ruling.players["A"].deck) == (hand, left)
    assert sum(step.says.key == "step_reshuffled" for step in ruling.steps) == reshuffled
    assert ruling.lost.get("A", {}).get("cards", 0) == 6 - hand


def test_a_deck_that_is_just_used_up_is_not_shuffled():
    ruling = ruled(does({"draw": 2}), a={"hand": 4, "deck": 2, "discard": 5})

    assert (ruling.players["A"].deck, ruling.players["A"].discard) == (0, 5)


def test_selling_gives_one_cp_for_each_card_and_lays_it_on_the_pile():
    ruling = ruled({"by": "A", "sell": 3}, a={"cp": 2, "hand": 3, "deck": 9, "discard": 1})

    assert ruling.events[0].verdict == "legal"
    state = ruling.players["A"]
    assert (state.cp, state.hand, state.discard) == (5, 0, 4)
    assert "DT-SELL-03" not in ruling.events[0].rules


def test_a_sale_at_the_cap_cites_the_cap():
    assert "DT-SELL-03" not in ruled({"by": "A", "sell": 2}, a={"cp": 13}).events[0].rules
    assert "DT-SELL-03" in ruled({"by": "A", "sell": 2}, a={"cp": 14}).events[0].rules


@pytest.mark.parametrize(
    ("phase", "why"), [("main-1", ""), ("main-2", ""), ("discard", ""), ("upkeep", "wrong_phase"), (None, "")]
)
def test_cards_are_sold_in_main_and_discard_phases(phase, why):
    assert reason(ruled({"by": "A", "sell": 1}, phase=phase)) == why
    assert reason(ruled({"by": "B", "sell": 1}, phase=phase)) == "not_your_turn"


def test_more_cards_than_there_are_cannot_be_sold():
    ruling = ruled({"by": "A", "sell": 3}, a={"hand": 2})

    assert reason(ruling) == "not_enough_cards"
    assert ruling.players["A"].hand == 2


# ------------------------------------------------------------------ playing and upgrading


@pytest.mark.parametrize(
    ("kind", "phase", "by", "why"),
    [
        ("main", "main-2", "A", ""),
        ("main", "main-1", "B", "not_your_turn"),
        ("main", "upkeep", "A", "wrong_phase"),
        ("roll", "offensive-roll", "B", ""),
        ("roll", "main-1", "A", "wrong_phase"),
        ("instant", "discard", "B", ""),
    ],
)
def test_a_card_is_played_in_its_time(kind, phase, by, why):
    card = {"by": by, "play": "luck", "card": kind, "cost": 0, "effects": [{"draw": 1}]}

    assert reason(ruled(card, phase=phase)) == why


def test_the_phase_of_a_main_card_is_cited():
    card = {"by": "A", "play": "luck", "card": "main", "cost": 0, "effects": [{"draw": 1}]}

    assert "DT-MAIN-01" in ruled(card).events[0].rules
    assert "DT-MAIN-02" in ruled(card, phase="main-2").events[0].rules


def test_a_card_takes_its_price_and_leaves_the_hand():
    card = {"by": "A", "play": "luck", "card": "main", "cost": 3, "effects": [{"gain": "evasive"}]}

    just = ruled(card, a={"cp": 3, "hand": 1, "deck": 5, "discard": 0})

    state = just.players["A"]
    assert (state.cp, state.hand, state.discard) == (0, 0, 1)
    assert reason(ruled(card, a={"cp": 2, "hand": 1})) == "not_enough_cp"
    assert reason(ruled(card, a={"cp": 3, "hand": 0})) == "no_card_in_hand"


@pytest.mark.parametrize(
    ("held", "level", "why", "cited"),
    [
        ({}, 2, "", set()),
        ({}, 3, "", {"DT-UPG-02"}),
        ({"smack": 2}, 3, "", {"DT-UPG-03"}),
        ({"smack": 2}, 2, "level_already_reached", set()),
        ({"smack": 3}, 3, "level_already_reached", set()),
    ],
)
def test_an_upgrade_goes_up(held, level, why, cited):
    barbarian = {"hero": "barbarian", "upgrades": held, "cp": 9}

    ruling = ruled({"by": "A", "upgrade": "smack", "level": level, "cost": 4}, a=barbarian)

    assert reason(ruling) == why
    if not why:
        assert {"DT-UPG-02", "DT-UPG-03"} & set(ruling.events[0].rules) == cited


def test_an_upgrade_costs_the_difference_only_above_level_two():
    upgrade = {"by": "A", "upgrade": "smack", "level": 3}
    first = ruled(upgrade, a={"hero": "barbarian", "cp": 5, "hand": 1})
    second = ruled(upgrade, a={"hero": "barbarian", "cp": 5, "hand": 1, "upgrades": {"smack": 2}})

    assert (first.players["A"].cp, first.players["A"].hand) == (2, 0)
    assert (second.players["A"].cp, second.players["A"].hand) == (4, 0)


def test_without_a_level_the_next_one_is_meant():
    barbarian = {"hero": "barbarian", "cp": 5}

    second = ruled({"by": "A", "upgrade": "smack"}, a=barbarian)
    third = ruled({"by": "A", "upgrade": "smack"}, a={**barbarian, "upgrades": {"smack": 2}})
    beyond = ruled({"by": "A", "upgrade": "smack", "cost": 0}, a={**barbarian, "upgrades": {"smack": 3}})

    assert second.players["A"].cp == 3
    assert third.players["A"].cp == 4
    assert reason(beyond) == "level_already_reached"
