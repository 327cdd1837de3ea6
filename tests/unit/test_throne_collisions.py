"""Which timing rules a collision cites, exactly, and whom its sentences name."""

from judge.rules.dice_throne import rule
from judge.schemas.dice_throne import read_table

SPEND = {"by": "B", "spend": "protect"}
TOO_LATE = {
    "by": "A",
    "play": "gone",
    "card": "instant",
    "cost": 0,
    "on": "B",
    "effects": [{"remove": "protect"}],
}
DRAW = {"by": "B", "play": "luck", "card": "instant", "cost": 0, "effects": [{"draw": 1}]}
MAIN = {"by": "A", "play": "purge", "card": "main", "cost": 0, "on": "B", "effects": [{"remove": "all"}]}
SALE = {"by": "B", "sell": 1}


def collision(edition, inner, timing, mode="duel", phase="main-1"):
    players = [{"id": "A"}, {"id": "B", "statuses": {"protect": 2}, "limits": {"protect": 3}}]
    if mode != "duel":
        players.append({"id": "C"})
    table = {"game": "dice-throne", "edition": edition, "mode": mode, "players": players}
    table |= {"turn": {"active": "A", "phase": phase}, "events": [{"collide": inner, "timing": timing}]}
    return rule(read_table(table)).events[0]


def timing_rules(*asked, **more):
    return {each for each in collision(*asked, **more).rules if each.startswith("DT-TIME")}


def test_cards_at_once_under_the_older_books():
    assert timing_rules("fr-2.2", [DRAW, TOO_LATE], "at-once") == {"DT-TIME-01", "DT-TIME-04"}


def test_statuses_alone_in_answer_under_the_older_books():
    rules = timing_rules("ru-2.2", [SPEND, SPEND], "in-answer")

    assert rules == {"DT-TIME-02", "DT-TIME-03", "DT-TIME-05"}


def test_a_status_and_a_card_in_answer_under_the_older_books():
    rules = timing_rules("ru-2.2", [SPEND, TOO_LATE], "in-answer")

    assert rules == {"DT-TIME-02", "DT-TIME-03", "DT-TIME-04", "DT-TIME-05"}


def test_cards_in_answer_under_the_newer_book():
    assert timing_rules("fr-2.4.1", [DRAW, TOO_LATE], "in-answer") == {"DT-TIME-10", "DT-TIME-14"}


def test_a_status_in_answer_under_the_newer_book():
    rules = timing_rules("fr-2.4.1", [TOO_LATE, SPEND], "in-answer")

    assert rules == {"DT-TIME-10", "DT-TIME-11", "DT-TIME-12", "DT-TIME-13", "DT-TIME-14"}


def test_a_third_player_brings_in_the_rule_for_several():
    third = {**DRAW, "by": "C"}

    rules = timing_rules("fr-2.4.1", [TOO_LATE, DRAW, third], "in-answer", mode="king-of-the-hill")

    assert rules == {"DT-TIME-10", "DT-TIME-14", "DT-TIME-16"}


def test_what_is_not_instant_can_be_interrupted():
    assert timing_rules("fr-2.4.1", [MAIN, DRAW], "in-answer") == {"DT-TIME-10", "DT-TIME-14", "DT-TIME-15"}


def test_sentences_name_the_action_that_is_illegal_and_why():
    ruling = collision("fr-2.4.1", [DRAW, SALE], "in-answer")

    inner = [reason for reason in ruling.reasons if reason.key == "collide_inner"]
    assert [(reason.params["k"], reason.params["why"].key) for reason in inner] == [(2, "not_your_turn")]
    assert "DT-SELL-02" in ruling.rules
    assert "DT-SELL-01" not in ruling.rules


def test_sentences_name_the_action_that_is_left_without_effect():
    both = {**TOO_LATE, "effects": [{"remove": "protect", "count": 2}]}

    ruling = collision("fr-2.4.1", [SPEND, both, SPEND], "in-answer")

    without = [reason.params["k"] for reason in ruling.reasons if reason.key == "collide_no_effect"]
    assert without == [1, 3]
