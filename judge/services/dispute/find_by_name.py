"""Finds abilities, cards and statuses by two or more letters of their name in any of the three languages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from judge.core.folding import folded
from judge.core.json_types import EventEntry, JsonObject
from judge.core.messages import LANGS, Lang
from judge.schemas.dice_throne.catalog import read_catalogue
from judge.schemas.dice_throne.shipped import (
    every_status,
    hero_ids,
    shipped_cards,
    shipped_hero,
)

LEAST_LETTERS, MOST_FOUND = 2, 12


@dataclass(frozen=True, slots=True)
class Thing:
    """An ability, a card or a status.

    kind: offensive | defensive | ultimate | passive | main | roll | instant | upgrade | status.
    """

    id: str
    kind: str
    names: tuple[tuple[str, str], ...]
    hero: str = ""
    cost: int | None = None
    upgrades: str = ""
    level: int = 1

    def name(self, lang: Lang) -> str:
        names = dict(self.names)
        return names.get(lang) or names.get("en") or next(iter(names.values()), self.id)


def named(thing: Any, lang: Lang) -> str:
    """The name in the language, else in English, else any, else the id."""
    names: Mapping[str, str] = thing.names
    name = names.get(lang) or names.get("en") or next((name for name in names.values() if name), "")
    return name or str(thing.id).replace("-", " ")


def letters_of(text: str) -> str:
    """The letters and digits that a search compares, so that "epee" finds "Épée"."""
    return "".join(c for c in folded(text) if c.isalnum() or c.isspace())


def find_things(typed: str, own: JsonObject | None, hero: str = "") -> list[Thing]:
    """Things whose name contains the typed letters, in any language. This hero's come first, then those
    whose name or a word of it begins with the letters."""
    letters = letters_of(typed).strip()
    if len(letters) < LEAST_LETTERS:
        return []
    matches = []
    for thing in [*_own(own or {}), *shipped_things()]:
        places = [_place(letters_of(name), letters) for _, name in thing.names]
        best = min((p for p in places if p is not None), default=None)
        if best is not None:
            matches.append(((thing.hero != hero, best, thing.id), thing))
    matches.sort(key=lambda pair: pair[0])
    return [thing for _, thing in matches][:MOST_FOUND]


def _place(name: str, letters: str) -> int | None:
    """Where the name has the letters: 0 at its beginning, 1 at the beginning of a word, 2 elsewhere."""
    if name.startswith(letters):
        return 0
    if f" {letters}" in f" {name}":
        return 1
    return 2 if letters in name else None


class Things:
    """Everything with a name at one table: its own catalogue, read once if needed, and the shipped one."""

    def __init__(self, own: JsonObject | None) -> None:
        self._own_catalogue = own or {}

    @cached_property
    def own(self) -> list[Thing]:
        return _own(self._own_catalogue)

    def like(self, thing_id: str) -> list[Thing]:
        """Every thing with this id."""
        return [*(thing for thing in self.own if thing.id == thing_id), *_by_id().get(thing_id, ())]


def find_status(typed: str, own: JsonObject, used: Iterable[str] = ()) -> str:
    """The id of the status with this id or this name in any language, or of a token used at the table; where
    there is none, the name as it was typed."""
    name = letters_of(typed.replace("-", " "))
    for thing in [*_own(own), *shipped_things()]:
        names = [thing.id.replace("-", " "), *(name for _, name in thing.names)]
        if thing.kind == "status" and name in map(folded, names):
            return thing.id
    as_typed = " ".join(typed.split())
    return next((token for token in used if letters_of(token.replace("-", " ")) == name), as_typed)


def find_thing(typed: str, own: JsonObject) -> str:
    """The id of an ability, card or status with this name; where there is none, the name as it was typed."""
    things = Things(own)
    usual_id = "-".join(typed.casefold().split())
    if things.like(usual_id):
        return usual_id
    name = letters_of(typed)
    alike = (
        thing.id for thing in things.own if name in (letters_of(own_name) for _, own_name in thing.names)
    )
    return next(alike, " ".join(typed.split()))


@cache
def shipped_things() -> tuple[Thing, ...]:
    things: list[Thing] = []
    for hero_id in hero_ids():
        hero = shipped_hero(hero_id)
        assert hero is not None, "listed by its file"
        things += [_thing(a, a.kind, hero_id) for a in hero.abilities.values()]
        things += [_thing(c, c.kind, hero_id) for c in hero.cards.values()]
    things += [_thing(card, card.kind) for card in shipped_cards().values()]
    things += [
        _thing(s, "status", s.owners[0] if len(s.owners) == 1 else "") for s in every_status().values()
    ]
    return tuple(things)


@cache
def _by_id() -> dict[str, list[Thing]]:
    things: dict[str, list[Thing]] = {}
    for thing in shipped_things():
        things.setdefault(thing.id, []).append(thing)
    return things


def _own(data: JsonObject) -> list[Thing]:
    """The things of a table's own catalogue."""
    if not data:
        return []
    own = read_catalogue(data, "catalogue")
    things = [_thing(a, a.kind) for a in own.abilities.values()]
    things += [_thing(c, c.kind) for c in own.cards.values()]
    things += [_thing(s, "status") for s in own.statuses.values()]
    for hero in own.heroes.values():
        things += [_thing(a, a.kind, hero.id) for a in hero.abilities.values()]
        things += [_thing(c, c.kind, hero.id) for c in hero.cards.values()]
    return things


def _thing(entry: Any, kind: str, hero: str = "") -> Thing:
    names = tuple((lang, name) for lang in LANGS if (name := entry.names.get(lang)))
    cost = getattr(entry, "cost", None)
    return Thing(
        entry.id,
        kind,
        names or (("en", entry.id.replace("-", " ")),),
        hero,
        cost,
        getattr(entry, "upgrades", ""),
        getattr(entry, "level", 1),
    )


def event_with(thing: Thing, who: str, rival: str | None) -> EventEntry:
    """The most likely event with this thing."""
    verbs = {"defensive": "defend", "passive": "resolve", "status": "spend", "upgrade": "upgrade"}
    verb = verbs.get(thing.kind, "activate" if thing.kind in ("offensive", "ultimate") else "play")
    if verb == "upgrade":
        return {"by": who, "upgrade": thing.upgrades, "level": thing.level}
    event: EventEntry = {"by": who, verb: thing.id}
    if verb == "activate" and rival:
        event["on"] = rival
    return event
