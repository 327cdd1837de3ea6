"""The later heroes, of which no source gives everything: what is known acts, what is not is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from judge.rules.catalog import Ability, Card, Effect, Hero, Status
from judge.schemas.dice_throne.shipped import hero_ids, shipped_hero, statuses_of
from judge.services.dispute.rulings import rule_table
from tests.unit.dice_throne.heroes.walk import Answers, answers, lines, meeting, missing, ruled, strike

LATER = {name: hero for name in hero_ids() if (hero := shipped_hero(name)) and hero.is_partial}
every_hero = pytest.mark.parametrize("hero", LATER.values(), ids=LATER)
# Typed from the sheets: spaces of the board and of upgrade cards, upgrades, other cards, tokens.
COUNTS = {
    "black-panther": (8, 0, 0, 2), "black-widow": (13, 8, 6, 3), "captain-marvel": (12, 0, 0, 3),
    "doctor-strange": (7, 0, 0, 3), "loki": (11, 0, 0, 3), "scarlet-witch": (11, 0, 0, 4),
    "spider-man": (11, 4, 10, 3), "thor": (12, 9, 6, 3), "cyclops": (8, 0, 0, 3), "gambit": (7, 0, 0, 3),
    "iceman": (8, 0, 0, 2), "jean-grey": (7, 0, 0, 4), "psylocke": (7, 0, 0, 3), "rogue": (7, 0, 0, 3),
    "storm": (7, 0, 0, 3), "wolverine": (8, 0, 0, 2), "headless-horseman": (14, 7, 7, 3),
    "forgemaster": (9, 0, 3, 0), "necromancer": (8, 0, 0, 3), "pale-lady": (14, 0, 0, 3),
    "raveness": (12, 8, 6, 3), "druid": (11, 3, 11, 3), "duelist": (11, 5, 9, 2), "sun-elf": (12, 6, 9, 2),
    "mythic-brawler": (11, 6, 9, 4), "santa": (0, 0, 0, 2), "krampus": (0, 0, 0, 2),
    "alchemist": (0, 0, 0, 1),
}  # fmt: skip
MOUNTAINS, ENERGY = {"statuses": {"strength-of-the-mountain": 2}}, {"statuses": {"kinetic-energy": 5}}
# Worked out by hand: the hero's dice or tokens, what is activated, and the damage that follows.
DAMAGE: list[tuple[str, list[int], dict[str, Any], dict[str, Any], int]] = [
    ("spider-man", [1, 4, 4, 6, 6], {"activate": "spider-reflexes", "dice": [2, 3]}, {}, 5),
    ("spider-man", [1, 1, 1, 1, 1], {"activate": "punch"}, {"upgrades": {"punch": 2}}, 7),
    ("black-widow", [3, 3, 3, 1, 1], {"activate": "widows-gauntlets"}, {"upgrades": {"hacked": 2}}, 7),
    ("black-widow", [1, 2, 3, 4, 6], {"activate": "hacked"}, {"upgrades": {"grapple": 2, "vengeance": 2}}, 5),
    ("thor", [1, 1, 1, 6, 6], {"activate": "chain-lightning", "dice": [2, 6, 5]}, {}, 13),
    ("thor", [1, 1, 1, 4, 6], {"activate": "hammered"}, {}, 4),
    ("headless-horseman", [1, 1, 1, 4, 4], {"activate": "ride-down"}, {}, 6),
    ("druid", [1, 1, 1, 4, 6], {"activate": "ferocity"}, {"side": "cat"}, 6),
    ("druid", [1, 1, 1, 4, 6], {"activate": "ferocity"}, {"side": "bear"}, 4),
    ("druid", [4, 4, 4, 4, 1], {"activate": "maul", "dice": [3, 6]}, {}, 9),
    ("mythic-brawler", [1, 1, 1, 1, 4], {"activate": "clobber"}, MOUNTAINS, 7),
    ("sun-elf", [1, 4, 4, 4, 6], {"activate": "scorching-staff", "dice": [1]}, {}, 7),
    ("black-panther", [1, 1, 1, 4, 4], {"activate": "vibranium-claws"}, ENERGY, 6),
    ("cyclops", [1, 1, 1, 4, 4], {"activate": "hand-to-hand"}, {}, 4),
]  # fmt: skip


def texts(hero: Hero) -> list[Ability | Card | Status]:
    own = [status for status in statuses_of([hero.id]).values() if hero.id in status.owners]
    return [*hero.abilities.values(), *hero.cards.values(), *own]


def ways(hero: Hero, text: tuple[Effect, ...], line: int) -> Iterator[dict[str, Any]]:
    """The dice and each series of choices that a text may want; some options are closed at times."""
    wanted = answers(hero, text, 1)
    for choices in product((1, 2, 3), repeat=len(wanted.choices)):
        yield Answers(wanted.dice, [*([line] if line and choices else []), *choices]).event(1)


@every_hero
def test_it_has_what_its_sheet_has(hero):
    upgrades = [card for card in hero.cards.values() if card.upgrades]
    own = [status for status in statuses_of([hero.id]).values() if hero.id in status.owners]
    # The Druid's forms, the Duelist's track and the Sun Elf's dial stand on cards of their own.
    besides = [ability for ability in hero.abilities if ability in ("forms", "footwork", "dusk-and-dawn")]
    tokens = [status for status in own if status.id != "sun-dial"]

    spaces = len(hero.abilities) - len(besides)
    assert (spaces, len(upgrades), len(hero.cards) - len(upgrades), len(tokens)) == COUNTS[hero.id]


@every_hero
def test_what_is_not_said_in_effect_words_is_marked(hero):
    for thing in texts(hero):
        unknown = thing.effects is None and not getattr(thing, "uses", ())
        assert unknown or thing.effects is not None or thing.uses
        if thing.says:
            assert set(thing.says) == {"en", "fr", "ru"}, thing.id
            assert thing.is_partial or unknown, thing.id


@every_hero
def test_every_space_is_refused_on_dice_that_just_miss_it_and_acts_on_those_that_meet_it(hero):
    for ability in hero.abilities.values():
        if ability.kind not in ("offensive", "ultimate"):
            continue
        assert ability.needs is not None, ability.id
        upgrades = dict([ability.comes_with]) if ability.comes_with else {}
        me = {"hero": hero.id, "upgrades": upgrades, "side": ability.side or None}
        turn = {"phase": "offensive-roll", "attempts": 1}
        for n, line in enumerate(lines(ability.needs)):
            text = (*(ability.tier_effects[n] if ability.tier_effects else ()), *(ability.effects or ()))
            rulings = [
                ruled(
                    {"by": "A", "activate": ability.id, "on": "B", **each},
                    a=me,
                    dice=meeting(hero, line),
                    **turn,
                )
                for each in ways(hero, text, n + 1 if ability.tier_effects else 0)
            ]
            ruling = next((one for one in rulings if one.events[0].verdict != "illegal"), None)

            assert ruling is not None, (ability.id, rulings[0].events[0].reasons)
            asked = {ask.what for ask in ruling.asks}
            assert ("effects" in asked) == (ability.effects is None or ability.is_partial), (
                ability.id,
                asked,
            )
        first = lines(ability.needs)[0]
        short = ruled({"by": "A", "activate": ability.id, "on": "B"}, a=me, dice=missing(hero, first), **turn)
        assert short.events[0].verdict == "illegal", ability.id


@every_hero
def test_a_text_that_the_file_gives_is_not_asked_for(hero):
    for ability in hero.abilities.values():
        if ability.kind == "offensive" and ability.comes_with is None:
            event = {"by": "A", "activate": ability.id, "effects": [{"deal": 5, "type": "normal"}]}
            ruling = ruled(event, a={"hero": hero.id, "side": ability.side or None}, phase="offensive-roll")

            assert not ruling.asks, ability.id
            assert ruling.players["B"].health == 35


@every_hero
def test_every_defence_that_is_known_answers_an_attack(hero):
    for ability in hero.abilities.values():
        if ability.kind == "defensive":
            assert ability.needs is not None
            for count in {ability.needs.dice, ability.needs.most_dice or ability.needs.dice}:
                event = {"by": "A", "defend": ability.id, "dice": [1] * count}
                ruling = ruled(strike("B"), event, a={"hero": hero.id}, active="B", phase="offensive-roll")

                assert ruling.events[1].verdict == "legal", (ability.id, ruling.events[1].reasons)
            event["dice"] = [1] * (count + 1)
            ruling = ruled(strike("B"), event, a={"hero": hero.id}, active="B", phase="offensive-roll")
            assert ruling.events[1].verdict == "illegal", ability.id


@pytest.mark.parametrize(("hero", "dice", "event", "player", "damage"), DAMAGE)
def test_known_texts_deal_what_the_sheet_says(hero, dice, event, player, damage):
    table = {
        "game": "dice-throne",
        "players": [{"id": "A", "hero": hero, **player}, {"id": "B", "hero": "nobody"}],
        "turn": {"active": "A", "phase": "offensive-roll", "dice": dice},
        "events": [{"by": "A", **event}],
    }

    ruling = rule_table(table)

    concluded = next(one for one in ruling["resolutions"] if one["when"] == "roll-phase")
    assert concluded["totals"]["B"]["final"] == damage
    assert ruling["partial"] == ["A"]
    assert any("part" in remark for remark in ruling["remarks"])


def test_a_passive_that_allows_it_lets_upgrades_be_played_in_a_roll_phase():
    for hero, verdict in (("black-widow", "legal"), ("thor", "illegal")):
        ability = next(card.upgrades for card in LATER[hero].cards.values() if card.upgrades)
        table = {
            "game": "dice-throne",
            "players": [{"id": "A", "hero": hero, "cp": 5}, {"id": "B"}],
            "turn": {"active": "B", "phase": "offensive-roll"},
            "events": [{"by": "A", "upgrade": ability, "level": 2}],
        }
        ruling = rule_table(table)

        assert ruling["events"][0]["verdict"] == verdict
        table["events"] = []
        assert ("upgrade" in rule_table(table)["may"]["A"]) == (verdict == "legal")


def test_a_thing_that_exists_once_is_with_one_player():
    throw = {"by": "A", "activate": "hammered"}
    table = {
        "game": "dice-throne",
        "players": [{"id": "A", "hero": "thor"}, {"id": "B", "hero": "samurai"}],
        "turn": {"active": "A", "phase": "offensive-roll", "dice": [1, 1, 1, 4, 6]},
        "events": [throw],
    }
    after = rule_table(table)["players"]

    assert (after["A"]["statuses"], after["B"]["statuses"]) == ({}, {"mjolnir": 1})
    assert after["B"]["health"] == 50 - 4 - 1


def test_what_the_sheet_says_besides_is_in_the_question_in_every_language():
    table = {
        "game": "dice-throne",
        "players": [{"id": "A", "hero": "black-widow"}, {"id": "B", "hero": "samurai"}],
        "turn": {"active": "A", "phase": "offensive-roll", "dice": [1, 1, 3, 6, 6]},
        "events": [{"by": "A", "activate": "infiltrate"}],
    }
    said = [rule_table(table, lang)["asks"][0]["says"] for lang in ("en", "fr", "ru")]

    assert "advance all Time Bombs" in said[0]
    assert "avance toutes les Bombes" in said[1]
    assert "сдвигает все" in said[2]
