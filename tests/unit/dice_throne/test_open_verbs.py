"""What a player may do next: one card, one CP or one token more or less, the phase before and after."""

import pytest

from judge.services.dispute.case import Case
from tests.unit.dice_throne.test_corners import STRIKE, file, ruled, verdicts

ROLLING = ["roll", "announce", "activate"]
CARDS = ["play-main", "play-instant", "upgrade", "sell"]


def may(*events, who="A", **more):
    return Case(file(*events, **more)).now.may[who]


@pytest.mark.parametrize(
    ("phase", "verbs"),
    [
        ("upkeep", ["play-instant"]),
        ("main-1", CARDS),
        ("offensive-roll", [*ROLLING, "play-roll", "play-instant"]),
        ("defensive-roll", ["play-roll", "play-instant"]),
        ("main-2", CARDS),
        ("discard", ["play-instant", "sell"]),
        (None, [*ROLLING, "play-main", "play-roll", "play-instant", "upgrade", "sell"]),
    ],
)
def test_one_card_opens_what_the_phase_allows_and_none_closes_it(phase, verbs):
    assert may(phase=phase, a={"hand": 1}) == verbs
    assert may(phase=phase, a={"hand": 0}) == [verb for verb in verbs if verb in ROLLING]


@pytest.mark.parametrize(
    ("phase", "cp", "who", "is_open"),
    [
        ("main-1", 2, "A", True),
        ("main-1", 1, "A", False),
        ("upkeep", 2, "A", True),
        ("main-2", 2, "A", False),
        (None, 2, "A", True),
        ("main-1", 2, "B", False),
    ],
)
def test_knockdown_is_paid_off_before_the_own_roll(phase, cp, who, is_open):
    down = {"hand": 0, "cp": cp, "statuses": {"knockdown": 1}}

    assert ("pay" in may(phase=phase, a=down, b=down, who=who)) is is_open


@pytest.mark.parametrize(
    ("phase", "hero", "is_open"),
    [
        ("offensive-roll", "black-widow", True),
        ("offensive-roll", "samurai", False),
        ("upkeep", "black-widow", False),
        ("main-1", "samurai", True),
    ],
)
def test_upgrades_in_a_roll_phase_are_for_the_hero_whose_board_says_so(phase, hero, is_open):
    assert ("upgrade" in may(phase=phase, a={"hero": hero})) is is_open


# ------------------------------------------------------------------ tokens with several uses


def holding(status, count=1, **more):
    return {"hand": 0, "statuses": {status: count}, **more}


@pytest.mark.parametrize(
    ("held", "phase", "is_open"),
    [
        (holding("synth", 2, hero="artificer"), "main-1", True),
        (holding("synth", 1, hero="artificer"), "main-1", False),
        (holding("synth", 2, hero="artificer"), "upkeep", False),
        (holding("tactical-advantage", 1), "upkeep", True),
        (holding("something-else", 1), "upkeep", True),
        (holding("poison", 1), "upkeep", False),
    ],
)
def test_a_token_is_offered_while_one_of_its_uses_is_open(held, phase, is_open):
    assert ("spend" in may(phase=phase, a=held)) is is_open


@pytest.mark.parametrize(
    ("dealt", "is_open"),
    [({"deal": 6}, True), ({"deal": 6, "type": "pure"}, False), ({"draw": 1}, False)],
)
def test_a_modifier_is_offered_for_damage_that_can_be_increased(dealt, is_open):
    strike = {**STRIKE, "effects": [dealt]}

    assert ("spend" in may(strike, a=holding("honor"))) is is_open
    assert ("spend" in may(strike, b=holding("honor"), who="B")) is False


def test_chi_that_came_in_this_turn_does_not_add_yet():
    fresh = holding("chi", 1, fresh={"chi": 1})
    both = holding("chi", 2, fresh={"chi": 1})

    assert "spend" not in may(STRIKE, a=fresh)
    assert "spend" in may(STRIKE, a=both)
    added = {"by": "A", "spend": "chi", "choice": [2]}
    assert verdicts(ruled(STRIKE, added, a=fresh)) == ["legal", "illegal"]
    assert verdicts(ruled(STRIKE, added, added, a=both)) == ["legal", "legal", "illegal"]


ONCE = {"id": "spark", "spendable": True, "uses": [{"effects": [{"gain_cp": 1}], "per_turn": 1}]}


def test_a_use_that_counts_per_turn_is_offered_once():
    spark = {"by": "A", "spend": "spark"}
    more = {"phase": "main-1", "a": holding("spark", 2), "catalogue": {"statuses": [ONCE]}}

    assert "spend" in may(**more)
    assert "spend" not in may(spark, **more)
    assert verdicts(ruled(spark, spark, **more)) == ["legal", "illegal"]


def test_a_use_with_a_price_in_cards_needs_them():
    use = {"price": {"cards": 2, "spark": 1}, "effects": [{"gain_cp": 3}]}
    catalogue = {"statuses": [{"id": "spark", "spendable": True, "uses": [use]}]}
    spark = {"by": "A", "spend": "spark"}

    paid = ruled(spark, phase="main-1", a={**holding("spark"), "hand": 2}, catalogue=catalogue)
    short = ruled(spark, phase="main-1", a={**holding("spark"), "hand": 1}, catalogue=catalogue)

    assert (paid.players["A"].cp, paid.players["A"].hand) == (5, 0)
    assert short.events[0].reasons[0].params["thing"].key == "cards_in_hand"
    assert short.events[0].reasons[0].params["has"] == 1


@pytest.mark.parametrize(("attempts", "is_open"), [(2, True), (3, False)])
def test_the_last_roll_attempt_closes_rolling(attempts, is_open):
    table = file(phase="offensive-roll")
    table["turn"] |= {"attempts": attempts, "dice": [1, 1, 1, 2, 3]}

    assert ("roll" in Case(table).now.may["A"]) == is_open


def test_only_a_hero_known_in_part_is_remarked_on():
    seated = [{"id": "A", "hero": "paladin"}, {"id": "B", "hero": "barbarian"}]
    table = {**file(), "players": seated, "rulings": {"J-08": "a"}}

    assert [remark.key for remark in Case(table).ruling.remarks] == ["point_was_split"]
