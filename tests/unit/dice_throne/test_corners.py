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


# ------------------------------------------------------------------ rolls that come before an ability

BLIND = {"statuses": {"blind": 1}}
HAZE = {"id": "haze", "when": "end-of-offensive-roll", "spendable": False, "effects": [{"gain_cp": 1}]}


@pytest.mark.parametrize(("die", "taken"), [(1, 0), (2, 0), (3, 6), (6, 6)])
def test_the_ability_of_a_blind_player_waits_for_the_die(die, taken):
    ruling = ruled(STRIKE, {"by": "A", "resolve": "blind", "dice": [die]}, {"advance": "main-2"}, a=BLIND)

    assert ruling.players["B"].health == 50 - taken
    assert ruling.asks == []


def test_a_text_of_somebody_else_does_not_release_an_ability():
    card = {"by": "B", "play": "blind", "card": "roll", "cost": 0, "effects": [{"gain_cp": 1}]}
    ruling = ruled(STRIKE, card, {"by": "A", "resolve": "blind", "dice": [1]}, a=BLIND)

    assert verdicts(ruling) == ["legal"] * 3
    assert ruling.players["B"].health == 50


def test_without_the_die_it_is_asked_for_and_the_ability_goes_on():
    ruling = ruled(STRIKE, {"advance": "main-2"}, a=BLIND)

    assert [ask.what for ask in ruling.asks] == ["dice"]
    assert ruling.players["B"].health == 44


def test_a_status_that_rolls_nothing_holds_no_ability_back():
    ruling = ruled(STRIKE, a={"statuses": {"haze": 1}}, catalogue={"statuses": [HAZE]})

    assert ruling.asks == []
    assert ruling.players["B"].health == 44


def test_an_ultimate_waits_for_no_die():
    ultimate = {**STRIKE, "kind": "ultimate", "effects": [{"deal": 6, "type": "ultimate"}]}
    ruling = ruled(ultimate, a=BLIND)

    assert ruling.asks == []
    assert ruling.players["B"].health == 44


# ------------------------------------------------------------------ the Leader


def hill(*events, healths=(50, 50, 40), **more):
    players = [{"id": name, "health": health} for name, health in zip("ABC", healths, strict=True)]
    table = file(*events, players="ABC", mode="king-of-the-hill", **more)
    return rule(read_table({**table, "players": players}))


@pytest.mark.parametrize(
    ("target", "healths", "drawn"),
    [("B", (40, 50, 40), 1), ("C", (40, 50, 40), 0), ("B", (50, 50, 40), 1), ("C", (50, 50, 40), 0)],
)
def test_whoever_attacks_a_leader_draws_a_card(target, healths, drawn):
    strike = {"by": "A", "activate": "strike", "effects": [{"deal": 6}]}
    ruling = hill(strike, {"by": "A", "target": target}, healths=healths)

    assert ruling.players["A"].hand == 4 + drawn


@pytest.mark.parametrize(("letter", "hand"), [("a", 5), ("b", 4)])
def test_the_card_of_an_attack_without_damage_stays_or_goes_back(letter, hand):
    effects = [{"roll": 1, "on": {"6": [{"deal": 4}]}}]
    strike = {"by": "A", "activate": "strike", "on": ["B"], "dice": [1], "effects": effects}
    ruling = hill(strike, {"advance": "main-2"}, healths=(40, 50, 40), rulings={"J-17": letter})

    assert ruling.players["A"].hand in (4, hand)


# ------------------------------------------------------------------ choices that are made later


def test_of_several_options_every_number_is_offered_and_no_other():
    options = [[{"gain_cp": 1}], [{"gain_cp": 2}], [{"gain_cp": 3}]]
    text = does({"choose": options})

    chosen = [ruled(text, {"by": "A", "choose": n}, phase="main-1") for n in (1, 2, 3)]
    assert [ruling.players["A"].cp for ruling in chosen] == [3, 4, 5]
    for wrong in (0, 4):
        assert reasons(ruled(text, {"by": "A", "choose": wrong}, phase="main-1")) == ["choice_out_of_range"]
    assert [ask.what for ask in ruled(text, phase="main-1").asks] == ["choice"]


def test_what_may_be_done_is_not_asked_for():
    text = does({"may": [{"gain_cp": 1}]})

    assert ruled(text, phase="main-1").asks == []
    assert ruled(text, {"by": "A", "choose": 1}, phase="main-1").players["A"].cp == 3
    assert ruled(text, {"by": "A", "choose": 0}, phase="main-1").players["A"].cp == 2


def test_naming_the_receiver_of_a_token_says_yes():
    text = does({"may": [{"transfer": "poison"}, {"gain_cp": 1}]}, on=["A", "B"])
    ruling = ruled(text, phase="main-1", a={"statuses": {"poison": 1}})

    assert tokens(ruling, "B") == {"poison": 1}
    assert ruling.players["A"].cp == 3
