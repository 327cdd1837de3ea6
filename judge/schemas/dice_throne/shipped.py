"""The heroes, cards and statuses that come with judge, each file read when it is first needed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from judge.core.errors import InputError
from judge.core.folding import folded
from judge.core.games import DICE_THRONE
from judge.paths import FIXTURES
from judge.rules.catalog import Ability, Card, Catalog, Hero, Statuses
from judge.schemas.books import lineage
from judge.schemas.dice_throne.catalog import read_catalogue, read_hero

HEROES = FIXTURES / DICE_THRONE / "heroes"


@cache
def hero_files() -> dict[str, Path]:
    """The file of each shipped hero by id; they stand in one folder for each season or group."""
    return {path.stem: path for path in sorted(HEROES.rglob("*.json"), key=lambda path: path.stem)}


def hero_ids() -> list[str]:
    return list(hero_files())


def raw_hero(hero_id: str) -> dict[str, Any]:
    """A hero's file as it is written, for what the engine does not read."""
    hero: dict[str, Any] = json.loads(hero_files()[hero_id].read_bytes())
    return hero


def hero_meant(player: Mapping[str, Any], own: Catalog | None) -> Any:
    """The hero of a player as the file writes it: an id, or the name of a shipped hero in any language.

    Whoever gives the die of a hero means one of their own.
    """
    written = player.get("hero")
    if not isinstance(written, str) or written in hero_files() or "die" in player:
        return written
    if own is not None and written in own.heroes:
        return written
    return _ids_by_name().get(_as_compared(written), written)


@cache
def _ids_by_name() -> dict[str, str]:
    names = [(name, hero_id) for hero_id in hero_ids() for name in raw_hero(hero_id)["names"].values()]
    return {_as_compared(name): hero_id for name, hero_id in names if name}


def _as_compared(written: str) -> str:
    return "".join(letter for letter in folded(written) if letter.isalnum())


def _in_file(path: Path, read: Any, value: Any) -> Any:
    try:
        return read(value, "")
    except InputError as error:
        error.add_note(str(path.relative_to(FIXTURES)))
        raise


def shipped_hero(hero_id: str) -> Hero | None:
    """A shipped hero. A table may call its hero anything, so only known ids become file names."""
    return _hero_in_file(hero_id) if hero_id in hero_files() else None


@cache
def _hero_in_file(hero_id: str) -> Hero:
    hero: Hero = _in_file(hero_files()[hero_id], read_hero, raw_hero(hero_id))
    return hero


def things_called(kind: str, thing_id: str) -> list[Ability | Card]:
    """The `abilities` or `cards` of any shipped hero with this id."""
    heroes = [_hero_in_file(hero_id) for hero_id in _heroes_by_thing(kind).get(thing_id, ())]
    return [(hero.cards if kind == "cards" else hero.abilities)[thing_id] for hero in heroes]


@cache
def _heroes_by_thing(kind: str) -> dict[str, list[str]]:
    """The heroes that have an ability or card of an id. The files are not read in full for it."""
    heroes: dict[str, list[str]] = {}
    for hero_id in hero_ids():
        for entry in raw_hero(hero_id).get(kind, ()):
            heroes.setdefault(entry["id"], []).append(hero_id)
    return heroes


@cache
def shipped_statuses() -> Statuses:
    path = FIXTURES / DICE_THRONE / "statuses.json"
    entries = {"statuses": json.loads(path.read_bytes())}
    statuses: Statuses = _in_file(path, read_catalogue, entries).statuses
    return statuses


@cache
def shipped_cards() -> dict[str, Card]:
    path = FIXTURES / DICE_THRONE / "cards.json"
    cards: dict[str, Card] = _in_file(path, read_catalogue, {"cards": json.loads(path.read_bytes())}).cards
    return cards


def catalog_for(
    hero_names: list[str], own: Catalog | None = None, every_hero: bool = False, edition: str = ""
) -> Catalog:
    """The part of the shipped catalogue that a table needs, as its book has it; own entries come first."""
    files = hero_files()
    wanted = files if every_hero else sorted({name for name in hero_names if name in files})
    shipped = _shipped_catalog(tuple(wanted), edition)
    if own is None:
        return shipped
    heroes = {**{name: _completed(hero, own) for name, hero in shipped.heroes.items()}, **own.heroes}
    statuses = Statuses(_with_own(shipped.statuses, own.heroes) | own.statuses)
    return Catalog(heroes, {**shipped_cards(), **own.cards}, statuses, own.abilities)


@lru_cache(maxsize=256)
def _shipped_catalog(heroes: tuple[str, ...], edition: str) -> Catalog:
    """The catalogue of these heroes as a book has them, shared by all tables with them. Nobody changes it."""
    known = {name: _hero_in_file(name) for name in heroes}
    return Catalog(known, shipped_cards(), _with_own(_statuses_in(edition), known))


def _completed(hero: Hero, own: Catalog) -> Hero:
    """A hero known in part, with what the table's own catalogue says of texts that are not known in full."""
    if not hero.is_partial:
        return hero
    abilities = {
        name: replace(own.abilities[name], comes_with=ability.comes_with)
        for name, ability in hero.abilities.items()
        if name in own.abilities and (ability.is_partial or ability.effects is None)
    }
    cards = {
        name: own.cards[name]
        for name, card in hero.cards.items()
        if name in own.cards and (card.is_partial or card.effects is None)
    }
    if not abilities and not cards:
        return hero
    return replace(hero, abilities={**hero.abilities, **abilities}, cards={**hero.cards, **cards})


def statuses_of(hero_names: Iterable[str]) -> Statuses:
    """The statuses of several heroes and those that these heroes' own files describe."""
    heroes = {name: hero for name in hero_names if (hero := shipped_hero(name)) is not None}
    return _with_own(shipped_statuses(), heroes)


@cache
def every_status() -> Statuses:
    """The statuses of all heroes. It reads every hero's file."""
    return statuses_of(hero_ids())


def _with_own(statuses: Statuses, heroes: Mapping[str, Hero]) -> Statuses:
    """The statuses with those that the heroes' own files describe."""
    own = [status for hero in heroes.values() for status in hero.statuses.values()]
    return Statuses(statuses | {status.id: status for status in own}) if own else statuses


@cache
def _statuses_in(edition: str) -> Statuses:
    books = lineage(DICE_THRONE, edition)
    shipped = shipped_statuses().items()
    return Statuses(
        {
            name: next((status.by_edition[book] for book in books if book in status.by_edition), status)
            for name, status in shipped
        }
    )
