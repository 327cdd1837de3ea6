"""Every hero's board, cards and tokens against `activations.yaml`, which was typed from the hero sheets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from judge.rules.catalog import Hero, Needs
from judge.schemas.dice_throne.shipped import shipped_cards, shipped_hero, shipped_statuses
from judge.schemas.files import read_file
from judge.services.dispute.rulings import rule_table

# Names that do not spell their id; every other English name does.
NAMES = {"cherubim-2": "Cherubim II", "cursed-undead": "Cursed", "parley": "Parlay"}
SHEETS = read_file(Path(__file__).parent / "activations.yaml")
COMMON = SHEETS.pop("common")
HEROES = list(SHEETS)

every_hero = pytest.mark.parametrize("hero", HEROES)


# ------------------------------------------------------------------ the notation


def line_of(text: str) -> Needs:
    """`small straight`, `3 dice`, or `2 sword 1 life`."""
    words = text.split()
    if words[1] == "straight":
        return Needs(straight=words[0])
    if words[1] == "dice":
        return Needs(dice=int(words[0]))
    return Needs(symbols={symbol: int(count) for count, symbol in zip(words[::2], words[1::2], strict=True)})


def needs_of(text: str) -> Needs:
    """One line, or several: `3/4/5 sword`, `small straight / large straight`."""
    counted = re.fullmatch(r"(\d(?:/\d)+) (\S+)", text)
    lines = [f"{count} {counted[2]}" for count in counted[1].split("/")] if counted else text.split(" / ")
    return line_of(lines[0]) if len(lines) == 1 else Needs(tiers=tuple(map(line_of, lines)))


def space_of(text: str) -> dict:
    """`side kind: condition; 2 CP: condition; ...` as side, kind, conditions by level and costs by level."""
    first, *upgrades = text.split("; ")
    head, _, condition = first.partition(": ")
    *side, kind = head.split()
    conditions = {1: needs_of(condition) if condition else Needs(passive=True)}
    costs = {}
    for level, upgrade in enumerate(upgrades, 2):
        cost, _, condition = upgrade.partition(" CP: ")
        costs[level] = int(cost)
        conditions[level] = conditions[level - 1] if condition == "same" else needs_of(condition)
    return {"side": " ".join(side), "kind": kind, "conditions": conditions, "costs": costs}


def second_of(text: str) -> tuple[str, int, Needs]:
    """`on ability level: condition`."""
    place, _, condition = text.partition(": ")
    _, ability, level = place.split()
    return ability, int(level), needs_of(condition)


# ------------------------------------------------------------------ what the catalogue holds


def shipped(hero_id: str) -> Hero:
    hero = shipped_hero(hero_id)
    assert hero is not None, f"{hero_id} is not in the catalogue"
    return hero


def shipped_space(hero: Hero, ability_id: str) -> dict:
    ability = hero.abilities[ability_id]
    conditions, costs = {1: ability.needs}, {}
    upgrades = [card for card in hero.cards.values() if card.upgrades == ability_id]
    for card in sorted(upgrades, key=lambda card: card.level):
        conditions[card.level] = card.needs or conditions[card.level - 1]
        costs[card.level] = card.cost
    return {"side": ability.side, "kind": ability.kind, "conditions": conditions, "costs": costs}


def action_cards(cards) -> dict[str, str]:
    return {
        card.id: " ".join(
            [
                f"{card.cost} {card.kind}",
                *(["modifier"] if card.attack_modifier else []),
                *(["attacked"] if card.when_attacked else []),
            ]
        )
        for card in cards.values()
        if card.kind != "upgrade"
    }


def token(status) -> str:
    limit = str(status.stack_limit)
    if status.owner_limit is not None:
        limit = f"{status.owner_limit} on her own, {status.stack_limit} elsewhere,"
    words = [status.polarity, limit, *(["spent"] if status.spendable else [])]
    words += ["stays"] if status.persistent else []
    # A label that the books disagree about is left to the cases.
    words += ["modifier"] if set(status.attack_modifier.values()) == {True} else []
    return " ".join(words)


def companion(thing) -> object:
    """Its stages with their limits; otherwise its most health or its levels."""
    stages = ", ".join(f"{stage.id} {stage.limit}" for stage in thing.stages)
    return stages or thing.health or thing.levels


# ------------------------------------------------------------------ the comparison


@every_hero
def test_every_die_shows_the_symbols_of_the_sheet(hero):
    assert list(shipped(hero).dice) == SHEETS[hero]["dice"].split()


@every_hero
def test_every_space_has_the_activation_and_the_costs_of_the_sheet(hero):
    found = shipped(hero)
    spaces = {name for name, ability in found.abilities.items() if ability.comes_with is None}

    assert spaces == set(SHEETS[hero]["spaces"])
    for name, text in SHEETS[hero]["spaces"].items():
        assert shipped_space(found, name) == space_of(text), name


@every_hero
def test_every_second_ability_stands_on_its_upgrade_card(hero):
    found = shipped(hero)
    second = {
        name: (*ability.comes_with, ability.needs)
        for name, ability in found.abilities.items()
        if ability.comes_with is not None
    }

    assert second == {name: second_of(text) for name, text in SHEETS[hero]["second"].items()}


@every_hero
def test_every_card_has_the_cost_and_timing_of_the_sheet(hero):
    assert action_cards(shipped(hero).cards) == SHEETS[hero]["cards"]


@every_hero
def test_every_token_has_the_polarity_and_limit_of_the_sheet(hero):
    own = {status.id: token(status) for status in shipped_statuses().values() if hero in status.owners}

    assert own == SHEETS[hero]["tokens"]


@every_hero
def test_every_companion_has_the_limit_of_the_sheet(hero):
    own = {name: companion(thing) for name, thing in shipped(hero).companions.items()}

    assert own == SHEETS[hero].get("companions", {})


@every_hero
def test_every_hero_begins_with_what_the_sheet_says(hero):
    table = {"game": "dice-throne", "players": [{"id": "A", "hero": hero}, {"id": "B"}]}
    begins = rule_table(table, "en", "")["players"]["A"]
    held = {**begins.get("statuses", {}), **begins.get("companions", {}), "side": begins.get("side")}

    expected = {"side": None, **SHEETS[hero].get("setup", {})}
    assert {thing: count for thing, count in held.items() if count or thing == "side"} == expected


def letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


@every_hero
def test_english_names_are_those_of_the_sheet(hero):
    found = shipped(hero)
    statuses = {key: shipped_statuses()[key] for key in SHEETS[hero]["tokens"]}
    actions = {key: card for key, card in found.cards.items() if card.kind != "upgrade"}
    for key, thing in [*found.abilities.items(), *actions.items(), *statuses.items()]:
        name = thing.names["en"]
        assert name == NAMES[key] if key in NAMES else letters(name) == letters(key), key
    ultimates = [ability for ability in found.abilities.values() if ability.kind == "ultimate"]
    assert all(thing.names["en"].endswith("!") for thing in [*ultimates, *actions.values()])
    assert letters(found.names["en"]) == letters(hero)


def test_the_common_cards_cost_what_is_printed():
    assert action_cards(shipped_cards()) == COMMON


def test_every_old_id_has_a_case():
    tables = read_file(Path(__file__).parents[3] / "cases" / "heroes" / "old-ids.yaml")["tables"]
    named = {value for table in tables for event in table["events"] for value in map(str, event.values())}

    assert {old for sheet in SHEETS.values() for old in sheet.get("was", {})} - named == set()


def test_the_sixteen_heroes_are_complete():
    heroes = [shipped(hero) for hero in HEROES]
    cards = [card for hero in heroes for card in hero.cards.values()]
    abilities = [ability for hero in heroes for ability in hero.abilities.values()]

    assert len(heroes) == 16
    assert sum(ability.comes_with is None for ability in abilities) == 153
    assert sum(ability.comes_with is not None for ability in abilities) == 56
    assert sum(card.kind == "upgrade" for card in cards) == 137
    assert sum(card.kind != "upgrade" for card in cards) == 105
    assert len(shipped_cards()) == 18
