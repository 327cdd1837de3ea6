"""Which timing rules a collision cites, exactly, and whom its sentences name."""

import pytest

from judge.rules.dice_throne import rule
from judge.schemas.dice_throne.table import read_table

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

    assert rules == {"DT-TIME-10", "DT-TIME-11", "DT-TIME-12", "DT-TIME-14"}


def test_the_active_player_who_spends_a_threatened_token_first():
    players = [{"id": "A"}, {"id": "B", "statuses": {"protect": 1}}]
    table = {"game": "dice-throne", "edition": "fr-2.4.1", "players": players, "turn": {"active": "B"}}
    ruling = rule(read_table({**table, "events": [{"collide": [TOO_LATE, SPEND], "timing": "in-answer"}]}))

    assert {each for each in ruling.events[0].rules if "TIME" in each} == {
        "DT-TIME-10", "DT-TIME-11", "DT-TIME-13", "DT-TIME-14",
    }  # fmt: skip
    assert ruling.order[0].decides == ["DT-TIME-10", "DT-TIME-11"]


def test_a_third_player_brings_in_the_rule_for_several():
    third = {**DRAW, "by": "C"}

    rules = timing_rules("fr-2.4.1", [TOO_LATE, DRAW, third], "in-answer", mode="king-of-the-hill")

    assert rules == {"DT-TIME-10", "DT-TIME-14", "DT-TIME-16"}


def test_what_is_not_instant_can_be_interrupted():
    assert timing_rules("fr-2.4.1", [MAIN, DRAW], "in-answer") == {"DT-TIME-10", "DT-TIME-14", "DT-TIME-15"}


def test_sentences_name_the_action_that_is_illegal_and_why():
    ruling = collision("fr-2.4.1", [DRAW, SALE], "in-answer")

    inner = [reason for reason in ruling.reasons if reason.key == "collide_inner"]
    assert [(reason.params["action"].key, reason.params["why"].key) for reason in inner] == [
        ("action_sell", "not_your_turn")
    ]
    assert "DT-SELL-02" in ruling.rules
    assert "DT-SELL-01" not in ruling.rules


def test_sentences_name_the_action_that_is_left_without_effect():
    both = {**TOO_LATE, "effects": [{"remove": "protect", "count": 2}]}

    ruling = collision("fr-2.4.1", [SPEND, both, SPEND], "in-answer")

    without = [
        reason.params["action"].params["k"] for reason in ruling.reasons if reason.key == "collide_no_effect"
    ]
    assert without == [1, 3]


@pytest.mark.parametrize(
    ("edition", "inner", "timing", "key", "decides"),
    [
        ("fr-2.4.1", [SPEND, TOO_LATE], "in-answer", "order_active_instant", ["DT-TIME-10", "DT-TIME-11"]),
        ("fr-2.2", [SPEND, TOO_LATE], "in-answer", "order_begun", ["DT-TIME-05", "DT-STAT-06"]),
        ("fr-2.2", [MAIN, SPEND], "in-answer", "order_interrupts", ["DT-TIME-02"]),
        ("fr-2.4.1", [MAIN, SPEND], "in-answer", "order_interrupts", ["DT-TIME-15"]),
        ("fr-2.4.1", [MAIN, SPEND], "at-once", "order_instant_before_others", ["DT-TIME-15"]),
        ("ru-2.2", [DRAW, TOO_LATE], "at-once", "order_active", ["DT-TIME-01"]),
        ("ru-2.2", [MAIN, DRAW], "in-answer", "order_interrupts", ["DT-TIME-03"]),
    ],
)
def test_an_order_says_why_and_by_which_rule(edition, inner, timing, key, decides):
    players = [{"id": "A"}, {"id": "B", "statuses": {"protect": 2}, "limits": {"protect": 3}}]
    table = {"game": "dice-throne", "edition": edition, "players": players}
    table |= {
        "turn": {"active": "A", "phase": "main-1"},
        "events": [{"collide": inner, "timing": timing}],
    }
    ruling = rule(read_table(table))

    assert ruling.events[0].reasons[1].key == key
    assert ruling.order[0].decides == decides
    assert ruling.events[0].rules[: len(decides)] == decides


def exchange(inner, a=None, b=None, timing="in-answer", **more):
    """The whole ruling of a collision in the Active Player's first Main Phase."""
    players = [{"id": "A", **(a or {})}, {"id": "B", **(b or {})}]
    table = {"game": "dice-throne", "edition": "fr-2.4.1", "players": players}
    table |= {"turn": {"active": "A", "phase": "main-1"}, "events": [{"collide": inner, "timing": timing}]}
    return rule(read_table({**table, **more}))


def inner_verdicts(*asked, **more):
    return exchange(*asked, **more).order[0].verdicts


def costing(cp, by="A"):
    return {"by": by, "play": "luck", "card": "instant", "cost": cp, "effects": [{"draw": 1}]}


def test_what_is_left_after_the_first_card_is_said_of_the_second():
    ruling = exchange([costing(2), costing(2)], a={"cp": 3})

    (why,) = [each.params["why"] for each in ruling.events[0].reasons if each.key == "collide_inner"]
    assert (why.key, why.params["need"], why.params["has"]) == ("not_enough_cp", 2, 1)
    assert ruling.order[0].verdicts == ["legal", "illegal"]


def test_an_upgrade_played_as_a_card_costs_the_difference_also_in_an_exchange():
    barbarian = {"hero": "barbarian", "upgrades": {"smack": 2}, "cp": 1, "hand": 1}

    ruling = exchange([{"by": "A", "play": "smack-3"}, costing(0, "B")], a=barbarian)

    assert ruling.order[0].verdicts == ["legal", "legal"]
    assert (ruling.players["A"].cp, ruling.players["A"].hand) == (0, 0)


def test_an_upgrade_takes_one_card_and_only_what_is_known_of_its_price():
    upgrade = {"by": "A", "upgrade": "rare-art", "level": 3, "cost": 3}
    poor = {"cp": 0, "hand": 1, "upgrades": {"rare-art": 2}}  # what level II cost is not known

    assert inner_verdicts([upgrade, costing(0, "B")], a=poor) == ["legal", "legal"]
    assert inner_verdicts([upgrade, costing(0)], a=poor) == ["legal", "illegal"]


def test_paying_off_a_status_takes_cp_and_no_card():
    held = {"statuses": {"knockdown": 1}}
    pay = {"by": "A", "pay": "knockdown"}

    assert inner_verdicts([pay, costing(0, "B")], a={**held, "cp": 2, "hand": 0}) == ["legal", "legal"]
    assert inner_verdicts([costing(2), pay], a={**held, "cp": 3}) == ["legal", "illegal"]
    assert inner_verdicts([pay, costing(0)], a={**held, "cp": 2, "hand": 1}) == ["legal", "legal"]


def test_spending_a_status_takes_neither_cp_nor_cards():
    poor = {"cp": 0, "hand": 0, "statuses": {"protect": 1}}

    assert inner_verdicts([SPEND, costing(0)], b=poor) == ["legal", "legal"]


def test_a_reading_that_forbids_an_action_forbids_it_in_an_exchange():
    players = [{"id": name, "team": "red" if name in "AB" else "blue"} for name in "ABCD"]
    boost = {"by": "B", "play": "boost", "card": "roll", "cost": 0, "modifier": True, "effects": [{"add": 2}]}
    strike = {"by": "A", "activate": "strike", "on": "C", "effects": [{"deal": 5}]}
    table = {"game": "dice-throne", "edition": "fr-2.2", "mode": "2v2", "players": players}
    events = [strike, {"collide": [boost, costing(0, "C")], "timing": "at-once"}]
    table |= {"turn": {"active": "A"}, "events": events}

    verdicts = {
        letter: rule(read_table({**table, "rulings": {"J-09": letter}})).order[0].verdicts for letter in "ab"
    }

    assert verdicts == {"a": ["legal", "legal"], "b": ["illegal", "legal"]}


# ------------------------------------------------------------------ dice on the table

EVADE = {"by": "B", "spend": "evasive", "dice": [5]}
TO_ONE = {
    "by": "B", "play": "nudge", "card": "roll", "cost": 0,
    "changes": [{"whose": "B", "die": 1, "to": 1, "of": "effect"}],
}  # fmt: skip


def evading(inner, edition, *after):
    strike = {"by": "A", "activate": "strike", "on": "B", "effects": [{"deal": 6}]}
    players = [{"id": "A"}, {"id": "B", "statuses": {"evasive": 1}}]
    events = [strike, {"collide": inner, "timing": "in-answer"}, *after]
    return rule(
        read_table(
            {
                "game": "dice-throne", "edition": edition, "players": players, "turn": {"active": "A"},
                "events": events,
            }
        )
    )  # fmt: skip


def test_dice_are_shown_whichever_action_rolls_them():
    first = evading([costing(0), EVADE, {**TO_ONE, "card": "instant"}], "fr-2.4.1")

    assert first.order[0].verdicts == ["legal", "legal", "legal"]


def test_a_roll_counts_with_the_die_as_changed_whoever_goes_first():
    ruling = evading([EVADE, TO_ONE], "fr-2.2")

    assert ruling.order[0].sequence == [1, 2]
    assert ruling.players["B"].health == 50


def test_dice_of_an_exchange_lie_there_for_what_follows_directly():
    away = [{"whose": "B", "die": 1, "to": 4, "of": "effect"}]

    ruling = evading([EVADE, TO_ONE], "fr-2.2", {**TO_ONE, "play": "late", "changes": away})

    assert ruling.events[2].verdict == "legal"
    assert ruling.players["B"].health == 44


def test_dice_of_an_exchange_are_gone_after_the_next_event():
    ruling = evading([EVADE, TO_ONE], "fr-2.2", costing(0), {**TO_ONE, "play": "late"})

    assert ruling.events[3].verdict == "illegal"
    assert ruling.players["B"].health == 50


def test_each_die_of_a_duel_is_the_one_of_its_roller():
    lower = {"by": "B", "play": "jinx", "card": "instant", "cost": 0}
    lower["changes"] = [{"whose": "A", "die": 1, "to": 1, "of": "defensive"}]
    duel = {"by": "B", "defend": "duel", "dice": [3, 4], "choice": 1}
    strike = {"by": "A", "activate": "strike", "on": "B", "effects": [{"deal": 6}]}
    table = {
        "game": "dice-throne", "players": [{"id": "A"}, {"id": "B", "hero": "gunslinger"}],
        "turn": {"active": "A"}, "events": [strike, {"collide": [duel, lower], "timing": "in-answer"}],
    }  # fmt: skip

    ruling = rule(read_table(table))

    assert ruling.order[0].outcomes == ["resolves", "resolves"]
    assert ruling.players["A"].health == 47


def test_an_illegal_action_of_an_exchange_is_counted_by_a_claim_that_rests_on_it():
    strike = {"by": "A", "activate": "strike", "on": "B", "effects": [{"deal": 9}]}
    dear = {"by": "A", "play": "dear", "card": "roll", "cost": 99, "modifier": True, "effects": [{"add": 4}]}
    table = {
        "game": "dice-throne", "players": [{"id": "A"}, {"id": "B"}], "turn": {"active": "A"},
        "events": [strike, {"collide": [DRAW, dear], "timing": "at-once"}],
        "claims": [{"player": "B", "final": 13}],
    }  # fmt: skip

    (claim,) = rule(read_table(table)).claims

    assert [(mistake.name, mistake.about) for mistake in claim.mistakes] == [
        ("illegal-event-counted", (("event", "2.2"),))
    ]
