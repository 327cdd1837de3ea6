"""Reads entries of a catalogue: heroes, abilities, cards and statuses, shipped or of a table's own.

A key that is not listed here is an error. A null is an unknown value: a ruling that needs it asks for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from judge.core.errors import fail, problem
from judge.core.messages import LANGS
from judge.rules.catalog import (
    WINDOWS,
    Ability,
    Card,
    Catalog,
    Companion,
    Effects,
    Hero,
    Needs,
    Stage,
    Status,
    Statuses,
    words_in,
)
from judge.schemas.dice_throne.effects import read_effects, read_needs
from judge.schemas.dice_throne.prose import end_in, least_damage_in, window_in
from judge.schemas.dice_throne.uses import read_uses
from judge.schemas.shape import (
    Fields,
    at,
    counts,
    each,
    each_key,
    listing,
    mapping,
    name,
    number,
    one_of,
    raise_all,
    text,
    truth,
)

NUMERALS = {1: "I", 2: "II", 3: "III"}
LEVELS: dict[Any, int] = {**{numeral: level for level, numeral in NUMERALS.items()}, 1: 1, 2: 2, 3: 3}
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
# The keys of an entry that say where it comes from: `origin` reads them, the engine none of them.
ORIGIN_KEYS = ("sources", "confidence", "conflicts", "gap", "says")
ABILITY_KINDS = ("offensive", "defensive", "ultimate", "passive")
_FREE = (
    "source", "note", "description", "activation_source", "acts", "applies_to", "edition", "partial",
    *ORIGIN_KEYS,
)  # fmt: skip

STATUS_KEYS = (
    "id", "names", "owner", "polarity", "stack_limit", "persistent", "spendable", "attack_modifier", "when",
    "effects", "explosion", "expires", "removable", "spares_owner", "refusable", "attack_at_least",
    "uses", "transferable", "overflow", "rules", "by_edition", *_FREE,
)  # fmt: skip
ABILITY_KEYS = (
    "id", "names", "level", "kind", "side", "activation", "effects", "tier_effects", "rules", "was", *_FREE,
)  # fmt: skip
CARD_KEYS = (
    "id", "names", "kind", "cost", "attack_modifier", "when_attacked", "play_condition", "effects",
    "tier_effects", "upgrades", "level", "activation", "defence_dice", "also", "rules", "was", *_FREE,
)  # fmt: skip
HERO_KEYS = (
    "id", "names", "shown_in", "dice", "dice_names", "dice_source", "statuses", "companions", "abilities",
    "abilities_note", "cards", "setup", "sides", "season", "group", "dice_sources", *_FREE,
)  # fmt: skip
SETUP_KEYS = ("statuses", "companions", "first_player", "doubloons", "side", *_FREE)
COMPANION_KEYS = ("id", "names", "owner", "stages", "effects", "uses", "health", "levels", "rules", *_FREE)

Named = TypeVar("Named", bound=Ability | Card | Companion | Hero | Status)


def read_names(value: Any, path: str) -> Mapping[str, str | None]:
    fields = Fields(value, path, ("en", "fr", "ru"))
    names = {lang: fields.get(lang, name) for lang in fields.entry}
    fields.done()
    return names


def read_texts(value: Any, path: str) -> Mapping[str, str]:
    """A sentence in each language."""
    mapping(value, path, LANGS)
    return each_key(value, path, text)


def _names(fields: Fields) -> Mapping[str, str | None]:
    return fields.get("names", read_names, {})


def _texts(value: Any, path: str) -> tuple[str, ...]:
    """One text or a list of texts."""
    return tuple(each(value, path, name)) if isinstance(value, list) else (name(value, path),)


def _name_list(value: Any, path: str) -> tuple[str, ...]:
    return tuple(each(listing(value, path), path, name))


def read_status(value: Any, path: str) -> Status:
    fields = Fields(value, path, STATUS_KEYS)
    entry = fields.entry
    acts = fields.get("acts", text, "").lower()
    status = Status(fields.must("id", name, ""), _names(fields))
    status.polarity = fields.get("polarity", one_of, "", ("positive", "negative", "unique"))
    status.owners = fields.get("owner", _texts, ()) if entry.get("owner") else ()
    fields.get("stack_limit", partial(_read_limit, status))
    status.persistent = fields.get("persistent", truth, False)
    status.spendable = fields.get("spendable", truth)
    status.attack_modifier = fields.get("attack_modifier", _modifier, {})
    status.effects = fields.get("effects", read_effects)
    status.explosion = fields.get("explosion", read_effects, ())
    usual = window_in(acts) or ("any" if status.spendable else "")
    status.when = fields.get("when", one_of, usual, WINDOWS)
    status.expires = fields.get("expires", one_of, end_in(acts), ("conclusion", "whole-turn"))
    status.removable = fields.get("removable", one_of, "", ("owner-board", "nothing"))
    status.spares_owner = fields.get("spares_owner", truth, False)
    status.refusable = fields.get("refusable", truth, False)
    status.attack_at_least = fields.get("attack_at_least", number, least_damage_in(acts))
    status.rules = fields.get("rules", _name_list, ())
    status.uses = fields.get("uses", read_uses, (), status.id)
    status.is_transferable = fields.get("transferable", truth, True)
    status.second_explodes = fields.get("overflow", one_of, "", ("lost",)) != "lost"
    status.is_partial = fields.get("partial", truth, False)
    status.says = fields.get("says", read_texts, {})
    status.words = words_in(status.effects)
    status.by_edition = fields.get("by_edition", each_key, {}, partial(_in_edition, entry))
    fields.done()
    return status


def _in_edition(entry: dict[str, Any], value: Any, path: str) -> Status:
    """The status as one book has it: what that book says differently, and the rest of the entry."""
    differs = mapping(value, path, STATUS_KEYS)
    return read_status({**entry, **differs, "by_edition": None}, path)


def _read_limit(status: Status, value: Any, path: str) -> None:
    if isinstance(value, dict):  # {cursed-pirate: 5, others: 3}
        limits = each_key(value, path, number, 1)
        status.stack_limit = limits.pop("others", None)
        status.owner_limit = next(iter(limits.values()), None)
        status.owners = status.owners or tuple(limits)
    else:
        status.stack_limit = number(value, path, 1)


def _modifier(value: Any, path: str) -> Mapping[str, bool]:
    if isinstance(value, dict):
        return {book.lower(): is_one for book, is_one in each_key(value, path, truth).items()}
    return {"": truth(value, path)}


def read_ability(value: Any, path: str) -> Ability:
    fields = Fields(value, path, ABILITY_KEYS)
    effects = fields.get("effects", read_effects)
    ability = Ability(
        id=fields.must("id", name, ""),
        names=_names(fields),
        kind=fields.get("kind", one_of, "offensive", ABILITY_KINDS),
        level=fields.get("level", _level, 1),
        side=fields.get("side", name, ""),
        needs=fields.get("activation", read_needs),
        effects=effects,
        tier_effects=fields.get("tier_effects", _tiers, ()),
        is_partial=fields.get("partial", truth, False),
        says=fields.get("says", read_texts, {}),
        rules=fields.get("rules", _name_list, ()),
        words=words_in(effects),
        was=fields.get("was", _texts, ()),
    )
    fields.done()
    return ability


def _level(value: Any, path: str) -> int:
    if isinstance(value, (dict, list)) or value not in LEVELS:
        raise fail(path, "expected_one_of", words=["I", "II", "III"])
    return LEVELS[value]


def _tiers(value: Any, path: str) -> tuple[Effects, ...]:
    return tuple(each(listing(value, path), path, read_effects))


def read_card(value: Any, path: str) -> Card:
    fields = Fields(value, path, CARD_KEYS)
    entry, effects = fields.entry, fields.get("effects", read_effects)
    card = Card(
        id=fields.must("id", name, ""),
        names=_names(fields),
        kind=CARD_KINDS[fields.must("kind", one_of, "main", CARD_KINDS)],
        cost=fields.get("cost", number),
        attack_modifier=fields.get("attack_modifier", truth, False),
        when_attacked=fields.get("when_attacked", truth, False) or bool(fields.get("play_condition", text)),
        effects=effects,
        tier_effects=fields.get("tier_effects", _tiers, ()),
        needs=fields.get("activation", read_needs),
        also=fields.get("also", read_ability),
        is_partial=fields.get("partial", truth, False),
        says=fields.get("says", read_texts, {}),
        rules=fields.get("rules", _name_list, ()),
        words=words_in(effects),
        was=fields.get("was", _texts, ()),
    )
    if card.kind == "upgrade":
        card.upgrades = fields.must("upgrades", name, "")
        card.level = fields.get("level", _level, 2)
    if entry.get("activation") is None and entry.get("defence_dice") is not None:
        card.needs = Needs(dice=fields.get("defence_dice", number, 1, 1, 5))
    fields.done()
    return card


def read_companion(value: Any, path: str) -> Companion:
    fields = Fields(value, path, COMPANION_KEYS)
    companion = Companion(
        id=fields.must("id", name, ""),
        names=_names(fields),
        owner=fields.get("owner", name, ""),
        stages=fields.get("stages", _stages, ()),
        effects=fields.get("effects", read_effects),
        health=fields.get("health", number, 0, 1),
        levels=fields.get("levels", number, 0, 1, 3),
        is_partial=fields.get("partial", truth, False),
        says=fields.get("says", read_texts, {}),
        rules=fields.get("rules", _name_list, ()),
    )
    companion.uses = fields.get("uses", read_uses, ())
    companion.words = words_in(companion.effects)
    limits = [stage.limit for stage in companion.stages if stage.limit is not None]
    if limits and len(limits) == len(companion.stages):
        companion.limit = sum(limits)
    fields.done()
    return companion


def _stages(value: Any, path: str) -> tuple[Stage, ...]:
    return tuple(each(listing(value, path), path, read_stage))


def read_stage(value: Any, path: str) -> Stage:
    fields = Fields(value, path, ("id", "limit", "effect", "effects", "per_turn", "uses_up", *_FREE))
    effects = fields.get("effect" if "effect" in fields.entry else "effects", read_effects)
    stage = Stage(fields.must("id", name, ""), fields.get("limit", number), effects)
    stage.per_turn = fields.get("per_turn", number, None, 1)
    stage.is_used_up = fields.get("uses_up", truth, False)
    fields.done()
    return stage


def read_hero(value: Any, path: str) -> Hero:
    fields = Fields(value, path, HERO_KEYS)
    hero = Hero(
        id=fields.must("id", name, ""),
        names=_names(fields),
        dice=fields.get("dice", read_die, ()),
        symbol_names=fields.get("dice_names", each_key, {}, read_names),
        abilities=fields.get("abilities", _by_id, {}, read_ability),
        cards=fields.get("cards", _by_id, {}, read_card),
        companions=fields.get("companions", _companions, {}),
        statuses=fields.get("statuses", _own_statuses, {}),
        is_partial=fields.get("partial", truth, False),
        sides=fields.get("sides", _name_list, ()),
    )
    fields.get("setup", partial(_read_setup, hero))
    fields.done()
    for card in hero.cards.values():
        if card.also is not None:
            card.also.comes_with = (card.upgrades, card.level)
            hero.abilities = {**hero.abilities, card.also.id: card.also}
    hero.abilities = {**hero.abilities, **_known_by_upgrade(hero)}
    hero.former = {
        old: thing.id
        for things in (hero.abilities, hero.cards)
        for thing in things.values()
        for old in thing.was
    }
    for card in hero.cards.values():
        if card.upgrades:
            card.names = {**_level_names(hero.abilities[card.upgrades], card.level), **card.names}
    return hero


def _level_names(ability: Ability, level: int) -> dict[str, str | None]:
    """The names of an upgrade: those of its ability with the numeral of the level."""
    numeral = NUMERALS[level]
    return {lang: f"{name} {numeral}" if name else None for lang, name in ability.names.items()}


def _companions(value: Any, path: str) -> dict[str, Companion]:
    """Companions with their effects; a list of names alone adds none."""
    companions = listing(value, path)
    return _by_id(companions, path, read_companion) if all(isinstance(c, dict) for c in companions) else {}


def _own_statuses(value: Any, path: str) -> dict[str, Status]:
    """The tokens that the hero's own file describes; a token of several heroes is only named in it."""
    tokens = enumerate(listing(value, path), start=1)
    read = [read_status(token, at(path, n)) for n, token in tokens if isinstance(token, dict)]
    return {status.id: status for status in read}


def _read_setup(hero: Hero, value: Any, path: str) -> None:
    fields = Fields(value, path, SETUP_KEYS)
    hero.setup_statuses = fields.get("statuses", counts, {})
    hero.setup_companions = fields.get("companions", counts, {})
    first = fields.get("first_player", Fields, None, ("statuses",))
    if first is not None:
        hero.first_statuses = first.get("statuses", counts, {})
        fields.problems += first.problems
    hero.side = fields.get("side", name, "")
    fields.done()


def _known_by_upgrade(hero: Hero) -> dict[str, Ability]:
    """Add abilities of which only an upgrade is known; their first level stays unknown."""
    abilities: dict[str, Ability] = {}
    for card in hero.cards.values():
        if card.upgrades and card.upgrades not in hero.abilities:
            is_defence = card.needs is not None and card.needs.dice > 0
            abilities[card.upgrades] = Ability(card.upgrades, kind="defensive" if is_defence else "offensive")
    return abilities


def read_die(value: Any, path: str) -> tuple[str, ...]:
    """The six symbols: a list of six, or {1: flame, ...}."""
    if isinstance(value, dict):
        faces = {str(face): symbol for face, symbol in value.items()}
        if sorted(faces) != ["1", "2", "3", "4", "5", "6"]:
            raise fail(path, "expected_six_faces")
        value = [faces[str(n)] for n in range(1, 7)]
    if len(listing(value, path)) != 6:
        raise fail(path, "expected_six_faces")
    return tuple(each(value, path, name))


def _by_id(value: Any, path: str, read: Callable[[Any, str], Named]) -> dict[str, Named]:
    things = each(listing(value, path), path, read)
    result = {thing.id: thing for thing in things}
    if len(result) < len(things):
        times = Counter(thing.id for thing in things)
        second = [n for n, thing in enumerate(things) if times[thing.id] > 1 and thing is result[thing.id]]
        raise_all([problem(at(at(path, n + 1), "id"), "id_twice", id=things[n].id) for n in second])
    return result


CATALOGUE_KEYS = ("heroes", "abilities", "cards", "common_cards", "statuses", "companions")


def read_catalogue(value: Any, path: str) -> Catalog:
    """A `catalogue:` in a table file, or a file of its own."""
    fields = Fields(value, path, (*CATALOGUE_KEYS, "meta", "vocabulary"))
    cards = fields.get("cards", _by_id, {}, read_card)
    common = fields.get("common_cards", _by_id, {}, read_card)
    heroes = fields.get("heroes", _by_id, {}, read_hero)
    companions = fields.get("companions", _by_id, {}, read_companion)
    statuses = fields.get("statuses", _by_id, {}, read_status)
    abilities = fields.get("abilities", _by_id, {}, read_ability)
    fields.done()
    for companion in companions.values():
        if companion.owner in heroes:
            heroes[companion.owner].companions = {companion.id: companion}
    return Catalog(heroes, {**cards, **common}, Statuses(statuses), abilities)
