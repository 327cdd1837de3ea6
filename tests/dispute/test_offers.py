"""What the desk offers: possible things first, everything by two letters, printed texts as in a file."""

import pytest

from judge.schemas.dice_throne.effects import read_effects
from judge.schemas.dice_throne.shipped import hero_ids, shipped_hero
from judge.services.dispute.case import Case
from judge.services.dispute.dice_throne.answered_events import with_number, with_token
from judge.services.dispute.dice_throne.effect_text import as_file, open_numbers, without_dice
from judge.services.dispute.dice_throne.offers import answers, next_attacker, offers
from judge.services.dispute.dice_throne.questions import question_about
from judge.services.dispute.find_by_name import find_things


def table(*events, **players):
    return {
        "game": "dice-throne",
        "players": [
            {"id": "A", "hero": "barbarian"},
            {"id": "B", "hero": "paladin", "statuses": {"protect": 1}, **players},
        ],
        "events": list(events),
    }


STRIKE = {"by": "A", "activate": "overpower", "on": "B", "effects": [{"deal": 18}]}


def test_after_an_attack_the_defence_comes_first_and_another_attack_is_not_possible():
    made = offers(Case(table(STRIKE)), "B", "en")

    assert made[0].event == {"by": "B", "defend": "divine-defense"}
    assert made[1].event == {"by": "B", "spend": "protect"}
    assert not any(offer.is_now for offer in made if offer.kind in ("offensive", "ultimate"))


def test_against_an_ultimate_nothing_is_possible_but_everything_is_still_there():
    made = offers(Case(table({"by": "A", "activate": "rage", "on": "B"})), "B", "en")

    assert not any(offer.is_now for offer in made)
    assert any(offer.event == {"by": "B", "spend": "protect"} for offer in made)


def test_a_spent_token_is_no_longer_offered():
    made = offers(Case(table(STRIKE, {"by": "B", "spend": "protect"})), "B", "en")

    assert not any(offer.kind == "status" for offer in made)


@pytest.mark.parametrize("hero", [name for name in hero_ids() if shipped_hero(name).abilities])
def test_every_hero_has_something_to_do_at_the_start(hero):
    seats = [{"id": "A", "hero": hero}, {"id": "B", "hero": "treant"}]
    made = offers(Case({"game": "dice-throne", "players": seats, "events": []}), "A", "fr")

    assert len([offer for offer in made if offer.is_now and offer.kind != "common"]) >= 3


@pytest.mark.parametrize("hero", hero_ids())
def test_printed_texts_are_the_same_when_written_into_a_file(hero):
    known = shipped_hero(hero)
    for thing in [*known.abilities.values(), *known.cards.values()]:
        for text in [thing.effects or (), *thing.tier_effects]:
            assert read_effects([as_file(one) for one in text], "x") == text, thing.id


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("overp", "overpower"),
        ("domin", "overpower"),
        ("прево", "overpower"),
        ("defense div", "divine-defense"),
    ],
)
def test_two_letters_and_more_find_things_in_any_language(typed, found):
    assert found in [thing.id for thing in find_things(typed, None)]


def test_this_heros_own_things_are_found_first_and_one_letter_finds_nothing():
    assert find_things("de", None, "paladin")[0].hero == "paladin"
    assert find_things("d", None) == []


def test_the_sum_of_three_dice_can_be_said_as_a_number():
    asked = question_about(Case(table({**STRIKE, "effects": None})), 1, "en")

    assert asked.dice == 3
    assert [row.values for row in asked.numbers if row.word == "deal"] == [list(range(3, 19))]


def test_a_number_takes_the_place_of_the_dice_and_the_rest_of_the_text_stays():
    plain = {key: value for key, value in STRIKE.items() if key != "effects"}

    high = with_number(Case(table(plain)), 1, "deal", 18)["effects"]
    low = with_number(Case(table(plain)), 1, "deal", 9)["effects"]
    assert high == [{"type": "normal", "deal": 18}, {"inflict": "concussion"}]
    assert low == [{"type": "normal", "deal": 9}]


def test_a_token_is_given_and_taken_away_again():
    event = {"by": "B", "defend": "divine-defense", "effects": [{"prevent": 3}]}
    given = with_token(Case(table(STRIKE, event)), 2, "gain", "protect")
    taken = with_token(Case(table(STRIKE, given)), 2, "gain", "protect")

    assert given["effects"] == [{"prevent": 3}, {"gain": "protect"}]
    assert taken["effects"] == [{"prevent": 3}]


def test_an_upgraded_defence_asks_for_its_own_dice():
    upgraded = table(STRIKE, {"by": "B", "defend": "divine-defense"}, upgrades={"divine-defense": 3})
    asked = question_about(Case(upgraded), 2, "en")

    assert asked.dice == 4


def test_one_die_that_does_one_thing_or_another_is_not_added_up():
    absolution = shipped_hero("paladin").cards["absolution"].effects

    assert open_numbers(absolution, 1)["prevent"][1] == [0, 2, 3, 5]
    assert without_dice(absolution) == []


def test_the_desk_asks_for_the_use_of_a_token_that_has_several():
    several = {"by": "A", "spend": "tactical-advantage"}
    (uses,) = question_about(Case(table(several)), 1, "en").rows

    assert [answer.value for answer in uses.answers] == [[n] for n in range(1, 7)]
    assert question_about(Case(table({"by": "A", "spend": "protect"})), 1, "en").rows == []


# -- what saves taps ----------------------------------------------------------------------------------------


def duel(*events, **samurai):
    seats = [{"id": "A", "hero": "samurai", **samurai}, {"id": "B", "hero": "seraph"}]
    return Case({"game": "dice-throne", "players": seats, "events": list(events)})


def test_a_token_with_several_uses_is_offered_in_each_of_its_ways():
    made = offers(duel({"by": "A", "activate": "wakizashi"}, statuses={"honor": 1}), "A", "en")
    honor = {offer.name: offer.is_now for offer in made if offer.event.get("spend") == "honor"}

    assert honor == {"Honor: +1 damage": True, "Honor: +3 damage": False}
    assert [offer.event.get("choice") for offer in made if offer.event.get("spend") == "honor"] == [1, 2]


def test_the_defence_and_tokens_that_answer_an_attack_are_offered_beside_the_attackers_own():
    attack = {"by": "A", "activate": "solemnity"}
    defended = {"by": "B", "defend": "angelic-mantle", "dice": [5]}

    assert answers(duel(), "en") == {}
    assert {who: [o.name for o in mine] for who, mine in answers(duel(attack), "en").items()} == {
        "B": ["Angelic Mantle"]
    }
    assert answers(duel(attack, defended), "en") == {}


def test_the_next_attacker_is_the_other_player_once_an_attack_is_there():
    assert next_attacker(duel()) == ""
    assert next_attacker(duel({"by": "A", "activate": "solemnity"})) == "B"
    assert next_attacker(duel({"by": "B", "activate": "glorious"})) == "A"


def test_what_is_known_in_part_says_so_where_it_is_offered():
    seats = [{"id": "A", "hero": "black-widow"}, {"id": "B", "hero": "seraph"}]
    made = offers(Case({"game": "dice-throne", "players": seats, "events": []}), "A", "en")
    marked = {offer.name: offer.is_partial for offer in made}

    assert (marked["Baton Strike"], marked["Infiltrate"], marked["Elude!"]) == (False, True, True)
    assert not any(offer.is_partial for offer in offers(duel(), "A", "en"))
