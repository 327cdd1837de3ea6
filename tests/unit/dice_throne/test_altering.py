"""Dice altered within what a text allows: whose, how many, by how much, and only while they lie there."""

import pytest

from judge.rules.dice_throne import rule
from judge.schemas.dice_throne.table import read_table


def ruled(*events, mode="duel", dice=(1, 2, 3, 4, 6), phase="offensive-roll", a=None, b=None):
    names = "AB" if mode == "duel" else "ABCD"
    players = [{"id": name, "cp": 9, "hand": 9} for name in names]
    if mode == "2v2":
        players = [{**p, "team": "red" if p["id"] in "AB" else "blue"} for p in players]
    players[0] |= a or {}
    players[1] |= b or {}
    turn = {"active": "A", "phase": phase, "attempts": 1, "dice": list(dice)}
    table = {"game": "dice-throne", "mode": mode, "players": players, "turn": turn, "events": list(events)}
    return rule(read_table(table))


def change(die, to, whose="A", of="offensive"):
    return {"whose": whose, "die": die, "to": to, "of": of}


def altering(name, *changes, by="A"):
    return {"by": by, "play": name, "changes": list(changes)}


def reason(ruling, n=-1):
    event = ruling.events[n]
    return "" if event.verdict == "legal" else event.reasons[0].key


@pytest.mark.parametrize(
    ("name", "made", "why"),
    [
        ("tip-it", change(3, 4), ""),
        ("tip-it", change(3, 2), ""),
        ("tip-it", change(3, 5), "die_moves_by_one"),
        ("tip-it", change(3, 3), "die_moves_by_one"),
        ("six-it", change(3, 6), ""),
        ("six-it", change(3, 5), "die_must_become"),
        ("so-wild", change(3, 1), ""),
        ("samesies", change(3, 4), ""),
        ("samesies", change(3, 3), "no_die_to_copy"),
        ("samesies", change(3, 5), "no_die_to_copy"),
        ("try-try-again", change(3, 5), ""),
        ("double-up", change(3, 5), "text_changes_no_dice"),
    ],
)
def test_a_die_becomes_what_the_text_says(name, made, why):
    assert reason(ruled(altering(name, made))) == why


@pytest.mark.parametrize(
    ("name", "by", "why"),
    [
        ("six-it", "A", ""),
        ("six-it", "B", "not_those_dice"),
        ("helping-hand", "B", ""),
        ("helping-hand", "A", "not_those_dice"),
        ("try-try-again", "B", "not_those_dice"),
        ("so-wild", "B", ""),
    ],
)
def test_only_the_dice_that_the_text_means_are_altered(name, by, why):
    assert reason(ruled(altering(name, change(5, 6), by=by))) == why


def test_a_team_mates_dice_may_be_improved():
    by_mate = ruled(altering("try-try-again", change(1, 6), by="B"), mode="2v2")
    by_opponent = ruled(altering("try-try-again", change(1, 6), by="C"), mode="2v2")

    assert reason(by_mate) == ""
    assert "DT-2V2-07" in by_mate.events[0].rules
    assert reason(by_opponent) == "not_those_dice"
    assert "DT-2V2-07" not in ruled(altering("try-try-again", change(1, 6)), mode="2v2").events[0].rules
    assert "DT-2V2-07" not in ruled(altering("so-wild", change(1, 6), by="C"), mode="2v2").events[0].rules


def test_as_many_dice_as_the_text_says():
    two, three = [change(1, 6), change(2, 6)], [change(1, 6), change(2, 6), change(3, 6)]

    assert reason(ruled(altering("so-wild", *two))) == "too_many_dice_changed"
    assert reason(ruled(altering("twice-as-wild", *two))) == ""
    many = ruled(altering("twice-as-wild", *three))
    assert (reason(many), many.events[0].reasons[0].params["n"]) == ("too_many_dice_changed", 2)


def test_an_altered_die_lies_there_altered():
    ruling = ruled(altering("so-wild", change(2, 6)), {"by": "A", "announce": "x", "needs": {"kind": 2}})

    assert [event.verdict for event in ruling.events] == ["legal", "legal"]


STRIKE = {"by": "A", "activate": "strike", "on": "B", "effects": [{"deal": 6}]}
EVADE = {"by": "B", "spend": "evasive", "dice": [4]}


def test_dice_that_activated_an_ability_are_not_altered_any_more():
    ruling = ruled(STRIKE, altering("so-wild", change(1, 6)))

    assert reason(ruling) == "already_activated"
    assert {"DT-ORP-03", "DT-ACT-01"} <= set(ruling.events[1].rules)
    assert "DT-ULT-01" not in ruling.events[1].rules


def test_the_offensive_dice_are_those_of_the_active_player():
    assert reason(ruled(altering("so-wild", change(1, 6, whose="B")))) == "dice_are_gone"


def test_dice_of_an_effect_are_altered_while_they_lie_there():
    evasive = {"statuses": {"evasive": 1}}
    there, beyond = change(1, 2, "B", "effect"), change(2, 2, "B", "effect")

    changed = ruled(STRIKE, EVADE, altering("so-wild", there, by="B"), b=evasive)

    assert reason(changed) == ""
    assert changed.players["B"].health == 50
    assert "DT-DICE-02" in changed.events[2].rules
    assert reason(ruled(STRIKE, EVADE, altering("so-wild", beyond, by="B"), b=evasive)) == "dice_are_gone"
    assert reason(ruled(STRIKE, altering("so-wild", there, by="B"), b=evasive)) == "dice_are_gone"


def test_the_targeting_die_is_altered_while_it_lies_there():
    blow = {"by": "A", "activate": "blow", "effects": [{"deal": 5}]}
    rolled = {"by": "A", "target": "C", "die": 1}
    nudge = altering("so-wild", change(1, 3, of="targeting"), by="D")

    changed = ruled(blow, rolled, nudge, mode="2v2")

    assert reason(changed) == ""
    assert list(changed.resolutions[0].totals) == ["D"]
    assert reason(ruled(blow, nudge, mode="2v2")) == "dice_are_gone"
    assert reason(ruled({**blow, "kind": "ultimate"}, rolled, {**nudge, "by": "A"}, mode="2v2")) == (
        "ultimate_targeting_die"
    )


def test_a_text_of_the_file_may_reroll_any_number():
    effects = [{"reroll": {"count": "any", "whose": "own"}}]
    card = {"by": "A", "play": "again", "card": "roll", "cost": 0, "effects": effects}

    assert reason(ruled({**card, "changes": [change(n, 6) for n in (1, 2, 3)]})) == ""


def holding_back(*effects):
    return {"by": "A", "play": "again", "card": "roll", "cost": 0, "effects": list(effects)}


def wild(count):
    return {"change_die": {"count": count, "whose": "any", "to": "any"}}


IF_HELD = {"if": {"holds": "evasive"}, "effects": [wild(2)]}
TWO = [change(1, 6), change(2, 6)]


@pytest.mark.parametrize(
    ("effects", "held", "changes", "why"),
    [
        ([wild(1), IF_HELD], 1, TWO, ""),
        ([wild(1), IF_HELD], 0, TWO, "too_many_dice_changed"),
        ([wild(1), IF_HELD], 0, TWO[:1], ""),
        ([{"draw": 1}, IF_HELD], 0, TWO[:1], "too_many_dice_changed"),
        ([{"draw": 1}, IF_HELD], 1, TWO, ""),
        ([{"may": [wild(2)]}], 0, TWO, ""),
        ([{"may": [{"draw": 3}, wild(1)]}], 0, TWO, "too_many_dice_changed"),
        ([{"if": {"symbols": {"6": 1}}, "effects": [wild(2)]}], 0, TWO, ""),
        ([wild(2), {"draw": 1}], 0, TWO, ""),
    ],
)
def test_how_many_dice_may_hang_on_what_is_held(effects, held, changes, why):
    card = {**holding_back(*effects), "changes": changes}

    assert reason(ruled(card, a={"statuses": {"evasive": held}})) == why


def test_the_targeting_die_moves_by_one_like_any_other():
    blow = {"by": "A", "activate": "blow", "effects": [{"deal": 5}]}
    rolled = {"by": "A", "target": "C", "die": 2}

    for place in (1, 2):  # there is only one die, however it is counted
        by_one = altering("tip-it", change(place, 3, of="targeting"), by="D")
        by_two = altering("tip-it", change(place, 4, of="targeting"), by="D")

        assert reason(ruled(blow, rolled, by_one, mode="2v2")) == ""
        assert reason(ruled(blow, rolled, by_two, mode="2v2")) == "die_moves_by_one"
