"""Reading heroes, abilities, cards and statuses: the shipped files and the `catalogue:` of a table.

A key is unknown unless it is listed here; a null stays unknown, and a ruling that needs it asks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from judge.core.errors import InputError, fail
from judge.core.games import DICE_THRONE
from judge.paths import FIXTURES
from judge.rules.catalog import (
    WINDOWS,
    Ability,
    Card,
    Catalog,
    Companion,
    Hero,
    Needs,
    Stage,
    Status,
    words_in,
)
from judge.schemas.dice_throne.effects import read_effects, read_needs
from judge.schemas.shape import at, counts, each, listing, mapping, number, one_of, text, truth

LEVELS = {"I": 1, "II": 2, "III": 3, 1: 1, 2: 2, 3: 3}
CARD_KINDS = {
    "main": "main",
    "roll": "roll",
    "instant": "instant",
    "upgrade": "upgrade",
    "main phase action": "main",
    "roll phase action": "roll",
    "instant action": "instant",
    "hero upgrade": "upgrade",
}
ABILITY_KINDS = ("offensive", "defensive", "ultimate", "passive")
_FREE = ("source", "note", "description", "activation_source", "acts", "applies_to", "edition")

STATUS_KEYS = (
    "id", "names", "owner", "polarity", "stack_limit", "persistent", "spendable", "attack_modifier", "when",
    "effects", "explosion", "expires", "removable", "spares_owner", "refusable", "attack_at_least",
    "rules", *_FREE,
)  # fmt: skip
ABILITY_KEYS = (
    "id", "names", "level", "kind", "side", "activation", "effects", "tier_effects", "rules", *_FREE,
)  # fmt: skip
CARD_KEYS = (
    "id", "names", "kind", "cost", "attack_modifier", "when_attacked", "play_condition", "effects",
    "tier_effects", "upgrades", "level", "activation", "defence_dice", "also", "rules", *_FREE,
)  # fmt: skip
HERO_KEYS = (
    "id", "names", "shown_in", "dice", "dice_names", "dice_source", "statuses", "companions", "abilities",
    "abilities_note", "cards", "setup", "sides", *_FREE,
)  # fmt: skip
COMPANION_KEYS = ("id", "names", "owner", "stages", *_FREE)

# The prose of the given data and the window it means.
_ACTS = {
    "any time": "any",
    "before and at the holder's offensive roll phase": "offensive-roll",
    "from being inflicted until the attack is over": "until-the-attack-is-over",
    "when damaged as a result of an opponent's offensive roll phase": "damaged-by-offensive-roll",
    "when the holder receives damage from an opponent's offensive roll phase": "damaged-by-offensive-roll",
    "upkeep of any holder": "upkeep",
    "holder's offensive roll phase; applied and removed at the conclusion": "conclusion",
    "holder's offensive roll phase; removed at the conclusion": "dealing",
    "when the holder would deal damage": "dealing",
    "when the holder deals at least": "after-attacking",
    "conclusion of the holder's offensive roll phase": "end-of-offensive-roll",
    "when the holder's (team's) health would fall to 0": "would-fall",
    "holder's upkeep": "upkeep",
    "end of the holder's turn": "end-of-turn",
    "holder's main phases": "main",
    "after the holder has attacked": "after-attacking",
    "after the holder has been attacked": "attacked",
    "when the holder receives damage": "damaged",
    "holder's income phase": "income",
    "when the holder is attacked by an opponent": "attacked",
    "when the holder deals attack damage": "dealing",
}


def read_names(value: Any, path: str) -> Mapping[str, str | None]:
    names = mapping(value, path, ("en", "fr", "ru"))
    return {lang: None if name is None else text(name, at(path, lang)) for lang, name in names.items()}


def _id(entry: dict[str, Any], path: str) -> str:
    if "id" not in entry:
        raise fail(at(path, "id"), "key_missing")
    return text(entry["id"], at(path, "id"))


def _effects(entry: dict[str, Any], path: str, key: str = "effects") -> Any:
    value = entry.get(key)
    return None if value is None else read_effects(value, at(path, key))


def _rules(entry: dict[str, Any], path: str) -> tuple[str, ...]:
    rules = listing(entry.get("rules", []), at(path, "rules"))
    return tuple(text(rule, at(path, "rules")) for rule in rules)


def read_status(value: Any, path: str) -> Status:
    entry = mapping(value, path, STATUS_KEYS)
    status = Status(_id(entry, path), read_names(entry.get("names"), at(path, "names")))
    if entry.get("polarity") is not None:
        words = ("positive", "negative", "unique")
        status.polarity = one_of(entry["polarity"], at(path, "polarity"), words)
    owner = entry.get("owner") or []
    status.owners = tuple(owner if isinstance(owner, list) else [owner])
    _read_limit(status, entry.get("stack_limit"), at(path, "stack_limit"))
    status.persistent = bool(entry.get("persistent"))
    if entry.get("spendable") is not None:
        status.spendable = truth(entry["spendable"], at(path, "spendable"))
    status.attack_modifier = _modifier(entry.get("attack_modifier"), at(path, "attack_modifier"))
    status.effects = _effects(entry, path)
    status.explosion = _effects(entry, path, "explosion") or ()
    status.when = _window(entry, status, path)
    acts = str(entry.get("acts") or "").lower()
    if "removed at the conclusion" in acts:
        status.expires = "conclusion"
    if found := re.search(r"at least (\d+) damage", acts):
        status.attack_at_least = int(found[1])
    if "expires" in entry:
        status.expires = one_of(entry["expires"], at(path, "expires"), ("conclusion", "whole-turn"))
    if "removable" in entry:
        status.removable = one_of(entry["removable"], at(path, "removable"), ("owner-board", "nothing"))
    status.spares_owner = bool(entry.get("spares_owner"))
    status.refusable = bool(entry.get("refusable"))
    if "attack_at_least" in entry:
        status.attack_at_least = number(entry["attack_at_least"], at(path, "attack_at_least"))
    status.rules = _rules(entry, path)
    status.words = words_in(status.effects)
    return status


def _window(entry: dict[str, Any], status: Status, path: str) -> str:
    if "when" in entry:
        return one_of(entry["when"], at(path, "when"), WINDOWS)
    acts = str(entry.get("acts") or "").lower()
    known = next((window for phrase, window in _ACTS.items() if acts.startswith(phrase)), None)
    if known:
        return known
    return "any" if status.spendable else ""


def _read_limit(status: Status, value: Any, path: str) -> None:
    if isinstance(value, dict):  # {cursed-pirate: 5, others: 3}
        limits = {key: number(item, at(path, str(key)), 1) for key, item in value.items()}
        status.stack_limit = limits.pop("others", None)
        status.owner_limit = next(iter(limits.values()), None)
        status.owners = status.owners or tuple(limits)
    elif value is not None:
        status.stack_limit = number(value, path, 1)


def _modifier(value: Any, path: str) -> Mapping[str, bool]:
    if value is None:
        return {}
    if isinstance(value, dict):
        return {str(key).lower(): truth(item, at(path, str(key))) for key, item in value.items()}
    return {"": truth(value, path)}


def read_ability(value: Any, path: str) -> Ability:
    entry = mapping(value, path, ABILITY_KEYS)
    ability = Ability(_id(entry, path), read_names(entry.get("names"), at(path, "names")))
    ability.kind = one_of(entry.get("kind", "offensive"), at(path, "kind"), ABILITY_KINDS)
    ability.level = _level(entry.get("level", 1), at(path, "level"))
    ability.side = text(entry.get("side", ""), at(path, "side"))
    if entry.get("activation") is not None:
        ability.needs = read_needs(entry["activation"], at(path, "activation"))
    ability.effects = _effects(entry, path)
    ability.tier_effects = _tiers(entry, path)
    ability.rules = _rules(entry, path)
    ability.words = words_in(ability.effects)
    return ability


def _level(value: Any, path: str) -> int:
    if isinstance(value, (dict, list)) or value not in LEVELS:
        raise fail(path, "expected_one_of", words=["I", "II", "III"])
    return LEVELS[value]


def _tiers(entry: dict[str, Any], path: str) -> tuple[Any, ...]:
    here = at(path, "tier_effects")
    tiers = listing(entry.get("tier_effects"), here)
    return tuple(read_effects(tier, at(here, n)) for n, tier in enumerate(tiers, start=1))


def read_card(value: Any, path: str) -> Card:
    entry = mapping(value, path, CARD_KEYS)
    card = Card(_id(entry, path), read_names(entry.get("names"), at(path, "names")))
    card.kind = CARD_KINDS[one_of(entry.get("kind"), at(path, "kind"), CARD_KINDS)]
    if entry.get("cost") is not None:
        card.cost = number(entry["cost"], at(path, "cost"))
    card.attack_modifier = bool(entry.get("attack_modifier"))
    card.when_attacked = bool(entry.get("when_attacked") or entry.get("play_condition"))
    card.effects = _effects(entry, path)
    card.tier_effects = _tiers(entry, path)
    if card.kind == "upgrade":
        if "upgrades" not in entry:
            raise fail(at(path, "upgrades"), "key_missing")
        card.upgrades = text(entry["upgrades"], at(path, "upgrades"))
        card.level = _level(entry.get("level", 2), at(path, "level"))
    if entry.get("activation") is not None:
        card.needs = read_needs(entry["activation"], at(path, "activation"))
    elif entry.get("defence_dice") is not None:
        card.needs = Needs(dice=number(entry["defence_dice"], at(path, "defence_dice"), 1, 5))
    if entry.get("also") is not None:
        card.also = read_ability(entry["also"], at(path, "also"))
    card.rules = _rules(entry, path)
    card.words = words_in(card.effects)
    return card


def read_companion(value: Any, path: str) -> Companion:
    entry = mapping(value, path, COMPANION_KEYS)
    stages = tuple(each(listing(entry.get("stages", []), at(path, "stages")), at(path, "stages"), read_stage))
    limits = [stage.limit for stage in stages if stage.limit is not None]
    limit = sum(limits) if limits and len(limits) == len(stages) else None
    names = read_names(entry.get("names"), at(path, "names"))
    return Companion(_id(entry, path), names, text(entry.get("owner", ""), at(path, "owner")), limit, stages)


def read_stage(value: Any, path: str) -> Stage:
    entry = mapping(value, path, ("id", "limit", "effect", "effects", *_FREE))
    limit = None if entry.get("limit") is None else number(entry["limit"], at(path, "limit"))
    return Stage(_id(entry, path), limit, _effects(entry, path, "effect" if "effect" in entry else "effects"))


def read_hero(value: Any, path: str) -> Hero:
    entry = mapping(value, path, HERO_KEYS)
    hero = Hero(_id(entry, path), read_names(entry.get("names"), at(path, "names")))
    if entry.get("dice") is not None:
        hero.dice = read_die(entry["dice"], at(path, "dice"))
    hero.symbol_names = mapping(entry.get("dice_names"), at(path, "dice_names"))
    hero.abilities = _by_id(entry.get("abilities", []), at(path, "abilities"), read_ability)
    hero.cards = _by_id(entry.get("cards", []), at(path, "cards"), read_card)
    for card in hero.cards.values():
        if card.also is not None:
            card.also.comes_with = (card.upgrades, card.level)
            hero.abilities = {**hero.abilities, card.also.id: card.also}
    hero.abilities = {**hero.abilities, **_known_by_upgrade(hero)}
    companions = entry.get("companions", [])
    if companions and all(isinstance(item, dict) for item in companions):
        hero.companions = _by_id(companions, at(path, "companions"), read_companion)
    setup = mapping(
        entry.get("setup"), at(path, "setup"), ("statuses", "doubloons", "side", "source", "note")
    )
    hero.setup_statuses = counts(setup.get("statuses", {}), at(path, "setup.statuses"))
    hero.side = text(setup.get("side", ""), at(path, "setup.side"))
    return hero


def _known_by_upgrade(hero: Hero) -> dict[str, Ability]:
    """Abilities of which only an upgrade is known: their first level stays unknown."""
    found: dict[str, Ability] = {}
    for card in hero.cards.values():
        if card.upgrades and card.upgrades not in hero.abilities:
            is_defence = card.needs is not None and card.needs.dice > 0
            found[card.upgrades] = Ability(card.upgrades, kind="defensive" if is_defence else "offensive")
    return found


def read_die(value: Any, path: str) -> tuple[str, ...]:
    """The six symbols: a list of six, or {1: flame, ...}."""
    if isinstance(value, dict):
        faces = {str(face): symbol for face, symbol in value.items()}
        if sorted(faces) != ["1", "2", "3", "4", "5", "6"]:
            raise fail(path, "expected_six_faces")
        value = [faces[str(n)] for n in range(1, 7)]
    if len(listing(value, path)) != 6:
        raise fail(path, "expected_six_faces")
    return tuple(text(symbol, at(path, n)) for n, symbol in enumerate(value, start=1))


def _by_id(value: Any, path: str, read: Any) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for n, thing in enumerate(each(listing(value, path), path, read), start=1):
        if thing.id in result:
            raise fail(at(at(path, n), "id"), "id_twice", id=thing.id)
        result[thing.id] = thing
    return result


CATALOGUE_KEYS = ("heroes", "abilities", "cards", "common_cards", "statuses", "companions")


def read_catalogue(value: Any, path: str) -> Catalog:
    """A `catalogue:` in a table file, or a file of its own."""
    entry = mapping(value, path, (*CATALOGUE_KEYS, "meta", "vocabulary"))
    cards = _by_id(entry.get("cards", []), at(path, "cards"), read_card)
    cards.update(_by_id(entry.get("common_cards", []), at(path, "common_cards"), read_card))
    heroes = _by_id(entry.get("heroes", []), at(path, "heroes"), read_hero)
    for companion in _by_id(entry.get("companions", []), at(path, "companions"), read_companion).values():
        if companion.owner in heroes:
            heroes[companion.owner].companions = {companion.id: companion}
    return Catalog(
        heroes,
        cards,
        _by_id(entry.get("statuses", []), at(path, "statuses"), read_status),
        _by_id(entry.get("abilities", []), at(path, "abilities"), read_ability),
    )


# ------------------------------------------------------------------ what ships with the product

HEROES = FIXTURES / DICE_THRONE / "heroes"


def hero_ids() -> list[str]:
    return sorted(path.stem for path in HEROES.glob("*.json"))


def _in_file(path: Path, read: Any, value: Any) -> Any:
    try:
        return read(value, "")
    except InputError as error:
        error.add_note(str(path.relative_to(FIXTURES)))
        raise


@cache
def _shipped() -> frozenset[str]:
    return frozenset(hero_ids())


def shipped_hero(hero_id: str) -> Hero | None:
    """A table may call its hero by any text, however long: only known ids become the name of a file."""
    return _hero_in_file(hero_id) if hero_id in _shipped() else None


@cache
def _hero_in_file(hero_id: str) -> Hero:
    path = HEROES / f"{hero_id}.json"
    hero: Hero = _in_file(path, read_hero, json.loads(path.read_bytes()))
    return hero


@cache
def shipped_statuses() -> dict[str, Status]:
    path = FIXTURES / DICE_THRONE / "statuses.json"
    entries = {"statuses": json.loads(path.read_bytes())}
    statuses: dict[str, Status] = _in_file(path, read_catalogue, entries).statuses
    return statuses


@cache
def shipped_cards() -> dict[str, Card]:
    path = FIXTURES / DICE_THRONE / "cards.json"
    cards: dict[str, Card] = _in_file(path, read_catalogue, {"cards": json.loads(path.read_bytes())}).cards
    return cards


@cache
def symbol_names() -> dict[str, dict[str, str]]:
    """The symbols that hero sheets draw without naming them, as we call them."""
    names: dict[str, dict[str, str]] = json.loads((FIXTURES / DICE_THRONE / "symbols.json").read_bytes())
    return names


def catalog_for(hero_names: list[str], own: Catalog | None = None, every_hero: bool = False) -> Catalog:
    """The shipped catalogue as far as a table needs it; the table's own entries come first."""
    wanted = hero_ids() if every_hero else sorted(set(hero_names))
    heroes = {name: hero for name in wanted if (hero := shipped_hero(name)) is not None}
    if own is None:
        return Catalog(heroes, shipped_cards(), shipped_statuses(), {})
    return Catalog(
        {**heroes, **own.heroes},
        {**shipped_cards(), **own.cards},
        {**shipped_statuses(), **own.statuses},
        own.abilities,
    )
