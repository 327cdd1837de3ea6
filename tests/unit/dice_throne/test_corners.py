"""Small print: what waits for an answer, what a token remembers, what an ability aims at."""

import pytest

from judge.rules.dice_throne import rule
from judge.schemas.dice_throne.table import read_table
from judge.services.dispute.rulings import continue_table

STRIKE = {"by": "A", "activate": "strike", "effects": [{"deal": 6}]}
GUARD = {"by": "B", "defend": "guard"}
AGAIN = {
    "by": "B",
    "play": "again",
    "card": "roll",
    "cost": 0,
    "effects": [{"extra_roll_attempt": "defensive-roll"}],
}


def file(
    *events, phase="offensive-roll", a=None, b=None, players="AB", mode="duel", edition="fr-2.4.1", **more
):
    seats = [{"id": name} for name in players]
    if mode in ("2v2", "3v3"):
        half = len(players) // 2
        seats = [{**seat, "team": "red" if n < half else "blue"} for n, seat in enumerate(seats)]
    seats[0].update(a or {})
    seats[1].update(b or {})
    turn = {"active": "A", **({"phase": phase} if phase else {}), **more.pop("turn", {})}
    table = {"game": "dice-throne", "edition": edition, "mode": mode, "players": seats, "turn": turn}
    return {**table, "events": list(events), **more}


def ruled(*events, **more):
    return rule(read_table(file(*events, **more)))


def does(*effects, by="A", **more):
    return {"by": by, "does": "something", "effects": list(effects), **more}


def verdicts(ruling):
    return [event.verdict for event in ruling.events]


def reasons(ruling, n=-1):
    return [reason.key for reason in ruling.events[n].reasons]


def tokens(ruling, player="A"):
    return ruling.players[player].statuses


# ------------------------------------------------------------------ another attempt at a defence

ROLLED = {
    **GUARD,
    "dice": [1, 1, 1],
    "effects": [{"roll": 3, "each": {"1": [{"prevent": 1}]}}, {"gain": "evasive"}],
}
SECOND = {**GUARD, "effects": [{"prevent": 1}]}


def test_another_attempt_takes_the_dice_of_the_first_before_they_count():
    ruling = ruled(STRIKE, ROLLED, AGAIN, SECOND)

    assert verdicts(ruling) == ["legal"] * 4
    assert tokens(ruling, "B") == {}
    assert ruling.players["B"].health == 50 - 6 + 1


def test_the_dice_of_a_defence_count_once_anything_else_follows():
    card = {"by": "B", "play": "something", "card": "roll", "cost": 0, "effects": [{"gain_cp": 1}]}

    assert tokens(ruled(STRIKE, ROLLED, card, AGAIN, SECOND), "B") == {"evasive": 1}


@pytest.mark.parametrize("effect", [{"extra_roll_attempt": "offensive-roll"}, {"gain_cp": 1}])
def test_only_another_attempt_at_the_defence_keeps_its_dice_waiting(effect):
    ruling = ruled(STRIKE, ROLLED, {**AGAIN, "effects": [effect]})

    assert tokens(ruling, "B") == {"evasive": 1}


def test_an_attempt_for_somebody_else_lets_the_dice_count():
    again = {**AGAIN, "by": "D", "on": ["D"]}
    strike = {**STRIKE, "on": ["C"]}
    rolled = {**ROLLED, "by": "C"}

    ruling = ruled(strike, rolled, again, {**SECOND, "by": "C"}, players="ABCD", mode="2v2")

    assert tokens(ruling, "C") == {"evasive": 1}
    assert reasons(ruling) == ["already_defended"]


def test_a_mate_may_give_the_attempt():
    effects = [{"gain_cp": 1}, {"extra_roll_attempt": "defensive-roll", "to": "chosen-player"}]
    again = {**AGAIN, "by": "D", "on": ["C"], "effects": effects}
    strike = {**STRIKE, "on": ["C"]}

    ruling = ruled(strike, {**ROLLED, "by": "C"}, again, {**SECOND, "by": "C"}, players="ABCD", mode="2v2")

    assert tokens(ruling, "C") == {}
    assert verdicts(ruling) == ["legal"] * 4


# ------------------------------------------------------------------ tokens


def test_the_older_tokens_go_first():
    gained = does({"gain": "evasive", "count": 2})
    spent = does({"remove": "evasive"})
    held = {"statuses": {"evasive": 1}}

    assert continue_table(file(gained, spent, phase="main-1", a=held))["players"][0]["fresh"] == {
        "evasive": 2
    }
    assert continue_table(file(gained, spent, phase="main-1"))["players"][0]["fresh"] == {"evasive": 1}


# ------------------------------------------------------------------ aiming

ROLL = {"by": "A", "roll": [1, 1, 1, 2, 6]}


def test_an_ability_that_makes_the_target_discard_needs_one():
    ruling = ruled(
        {"by": "A", "activate": "raid", "effects": [{"discard": 1, "to": "target"}]},
        players="ABCD",
        mode="2v2",
    )

    assert [ask.what for ask in ruling.asks] == ["target"]


@pytest.mark.parametrize(
    "effect", [{"discard": 1, "to": "self"}, {"discard": 1, "to": "all-opponents"}, {"draw": 1}]
)
def test_an_ability_that_names_others_needs_no_target(effect):
    ruling = ruled({"by": "A", "activate": "raid", "effects": [effect]}, players="ABCD", mode="2v2")

    assert ruling.asks == []
