"""Abilities, cards and statuses by name: what a thing is called, and finding it by two letters of its name in
any of the three languages.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from judge.core.messages import LANGS, Lang
from judge.schemas.dice_throne.catalog import (
    hero_ids,
    read_catalogue,
    shipped_cards,
    shipped_hero,
    shipped_statuses,
)

LEAST_LETTERS, MOST_FOUND = 2, 12


@dataclass(frozen=True, slots=True)
class Thing:
    """kind: offensive | defensive | ultimate | passive | main | roll | instant | upgrade | status."""

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


def folded(text: str) -> str:
    """Lower case and without accents, so that "epee" finds "Épée"; й and ё count as и and е."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in plain if not unicodedata.combining(c) and (c.isalnum() or c.isspace()))


def find_things(typed: str, own: dict[str, Any] | None, hero: str = "") -> list[Thing]:
    """Things with a word that begins like this, in any language: this hero's first, beginnings first."""
    wanted = folded(typed).strip()
    if len(wanted) < LEAST_LETTERS:
        return []
    found = []
    for thing in [*_own(own or {}), *shipped_things()]:
        places = [_place(folded(name), wanted) for _, name in thing.names]
        best = min((p for p in places if p is not None), default=None)
        if best is not None:
            found.append(((thing.hero != hero, best, thing.id), thing))
    found.sort(key=lambda pair: pair[0])
    return [thing for _, thing in found][:MOST_FOUND]


def _place(name: str, wanted: str) -> int | None:
    if name.startswith(wanted):
        return 0
    if f" {wanted}" in f" {name}":
        return 1
    return 2 if wanted in name else None


class Things:
    """Everything that has a name at a table: its own catalogue, read once, and the shipped one."""

    def __init__(self, own: dict[str, Any] | None) -> None:
        self.own = _own(own or {})

    def like(self, thing_id: str) -> list[Thing]:
        """Every thing with this id."""
        return [*(thing for thing in self.own if thing.id == thing_id), *_by_id().get(thing_id, ())]


def find_status(typed: str, own: dict[str, Any]) -> str:
    """The id of a status by its id or its name in any language; a new one where nobody knows it."""
    wanted = folded(typed.replace("-", " "))
    for thing in [*_own(own), *shipped_things()]:
        names = [thing.id.replace("-", " "), *(name for _, name in thing.names)]
        if thing.kind == "status" and wanted in map(folded, names):
            return thing.id
    return "-".join(typed.casefold().split())


@cache
def shipped_things() -> tuple[Thing, ...]:
    made: list[Thing] = []
    for hero_id in hero_ids():
        hero = shipped_hero(hero_id)
        assert hero is not None, "listed by its file"
        made += [_thing(a, a.kind, hero_id) for a in hero.abilities.values()]
        made += [_thing(c, c.kind, hero_id) for c in hero.cards.values()]
    made += [_thing(card, card.kind) for card in shipped_cards().values()]
    made += [
        _thing(s, "status", s.owners[0] if len(s.owners) == 1 else "") for s in shipped_statuses().values()
    ]
    return tuple(made)


@cache
def _by_id() -> dict[str, list[Thing]]:
    things: dict[str, list[Thing]] = {}
    for thing in shipped_things():
        things.setdefault(thing.id, []).append(thing)
    return things


def _own(data: dict[str, Any]) -> list[Thing]:
    """The things of a table's own catalogue."""
    if not data:
        return []
    own = read_catalogue(data, "catalogue")
    made = [_thing(a, a.kind) for a in own.abilities.values()]
    made += [_thing(c, c.kind) for c in own.cards.values()]
    made += [_thing(s, "status") for s in own.statuses.values()]
    for hero in own.heroes.values():
        made += [_thing(a, a.kind, hero.id) for a in hero.abilities.values()]
        made += [_thing(c, c.kind, hero.id) for c in hero.cards.values()]
    return made


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


def event_with(thing: Thing, who: str, rival: str | None) -> dict[str, Any]:
    """The event this thing is most likely entered for."""
    verbs = {"defensive": "defend", "passive": "resolve", "status": "spend", "upgrade": "upgrade"}
    verb = verbs.get(thing.kind, "activate" if thing.kind in ("offensive", "ultimate") else "play")
    if verb == "upgrade":
        return {"by": who, "upgrade": thing.upgrades, "level": thing.level}
    event: dict[str, Any] = {"by": who, verb: thing.id}
    if verb == "activate" and rival:
        event["on"] = rival
    return event
