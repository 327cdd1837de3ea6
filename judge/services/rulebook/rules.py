"""Rules and heroes as JSON for the command and the API, and the cases that decide each rule."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from judge.core.errors import fail
from judge.core.games import DICE_THRONE, GAME_IDS
from judge.core.json_types import JsonObject
from judge.core.messages import Lang
from judge.paths import PACKAGE
from judge.rules.catalog import Ability, Card, Catalog, Hero
from judge.rules.rulebook import Rule
from judge.schemas.dice_throne.catalog import read_catalogue, read_hero
from judge.schemas.dice_throne.shipped import (
    every_status,
    hero_ids,
    shipped_cards,
    shipped_hero,
)
from judge.schemas.files import read_file
from judge.schemas.fixtures import rulebook
from judge.services.dispute.rulings import rule_table, tables_in
from judge.services.rulebook import search
from judge.services.rulebook.hero_sheet import check_origins
from judge.services.rulebook.heroes import find_hero, hero_groups, is_partial, name_in, season_of

_RULE_ID = re.compile(r"D[TF]-[A-Z0-9]+-[0-9]+")
CASES = PACKAGE.parent / "tests" / "cases"


def find_rules(words: str | None, lang: Lang) -> list[JsonObject]:
    """Every rule, or those that the search finds; finding none is an error."""
    rules = search.search(words or "")
    if words and not rules:
        raise fail("", "no_such_rule", wanted=words)
    return [rule_entry(rule, lang) for rule in rules]


def one_rule(rule_id: str, lang: Lang) -> JsonObject:
    rule = search.find_rule(rule_id)
    if rule is None:
        raise fail("", "no_such_rule", wanted=rule_id)
    return rule_entry(rule, lang)


def rule_entry(rule: Rule, lang: Lang) -> JsonObject:
    """A rule as the command and the API give it."""
    book = search.book_of(rule)
    places = {
        edition: {"section": section.title, "page": section.page}
        for edition, code in rule.books.items()
        if (section := book.sections.get(edition, {}).get(code)) is not None
    }
    entry: JsonObject = {
        "id": rule.id,
        "game": book.game,
        "kind": rule.kind,
        "text": rule.text[lang],
        "books": places,
    }
    if rule.readings:
        entry["readings"] = {reading.letter: reading.text[lang] for reading in rule.readings}
        entry["adopted"] = rule.adopted
    if rule.reason is not None:
        entry["reason"] = rule.reason[lang]
    if rule.evidence:
        entry["evidence"] = [
            {"mark": each.mark, "source": each.source, "text": each.text[lang]} for each in rule.evidence
        ]
    if rule.became:
        entry["became"] = list(rule.became)
    return entry


def coverage(files: Iterable[Path | str] = ()) -> list[JsonObject]:
    """For each rule the cases whose ruling cites it, or whose title or note names it."""
    paths = [Path(file) for file in files] or sorted(CASES.glob("*.yaml"))
    cases: dict[str, list[str]] = {}
    for path in paths:
        for place, table in tables_in(read_file(path)):
            named = set(_RULE_ID.findall(f"{table.get('title')} {table.get('note')}"))
            for rule_id in named | rule_table(table, "en", place)["citations"].keys():
                cases.setdefault(rule_id, []).append(str(table.get("id") or place))
    return [
        {"id": rule.id, "kind": rule.kind, "cases": cases.get(rule.id, [])}
        for game in GAME_IDS
        for rule in rulebook(game).rules.values()
    ]


# ------------------------------------------------------------------ heroes


def heroes(lang: Lang) -> list[JsonObject]:
    """The heroes by season, then by name."""
    listed = [line.id for group in hero_groups(DICE_THRONE, lang) for line in group.heroes]
    return [_hero_line(hero, lang) for name in listed if (hero := shipped_hero(name)) is not None]


def _named(thing: Hero | Ability | Card, lang: Lang) -> str:
    return name_in(thing.names, lang, thing.id).text


def _hero_line(hero: Hero, lang: Lang) -> JsonObject:
    return {
        "id": hero.id,
        "name": _named(hero, lang),
        "season": season_of(DICE_THRONE, hero.id, lang),
        "partial": is_partial(DICE_THRONE, hero.id),
        "abilities": len(hero.abilities),
        "cards": len(hero.cards),
    }


def hero(hero_id: str, lang: Lang) -> JsonObject:
    """One hero by its id or name: die, abilities and cards by name, and whether their effects are known."""
    shipped = shipped_hero(find_hero(DICE_THRONE, hero_id))
    if shipped is None:
        raise fail("", "expected_one_of", words=hero_ids())
    entry = _hero_line(shipped, lang)
    entry["die"] = list(shipped.dice)
    entry["abilities"] = [
        {
            "id": a.id,
            "name": _named(a, lang),
            "kind": a.kind,
            "known": a.effects is not None,
            "partial": a.is_partial,
        }
        for a in shipped.abilities.values()
    ]
    entry["cards"] = [
        {
            "id": c.id,
            "name": _named(c, lang),
            "kind": c.kind,
            "cost": c.cost,
            "known": c.effects is not None,
            "partial": c.is_partial,
        }
        for c in shipped.cards.values()
    ]
    return entry


def check_heroes(path: str | None) -> dict[str, int]:
    """Read the shipped catalogue, or a user's file; a fault names the file and the field."""
    if path is not None:
        return _counts(read_own_catalogue(read_file(path)))
    check_origins()
    heroes = {name: hero for name in hero_ids() if (hero := shipped_hero(name)) is not None}
    return _counts(Catalog(heroes, shipped_cards(), every_status()))


def read_own_catalogue(data: Any) -> Catalog:
    """Read a user's file: a catalogue, a table file that has one, or a single hero."""
    if isinstance(data, dict) and "catalogue" in data:
        return read_catalogue(data["catalogue"], "catalogue")
    if isinstance(data, dict) and data.keys() & {"id", "names", "dice"}:
        hero = read_hero(data, "")
        return Catalog({hero.id: hero})
    return read_catalogue(data, "")


def _counts(catalog: Catalog) -> dict[str, int]:
    heroes = catalog.heroes.values()
    return {
        "heroes": len(catalog.heroes),
        "abilities": sum(len(hero.abilities) for hero in heroes) + len(catalog.abilities),
        "cards": sum(len(hero.cards) for hero in heroes) + len(catalog.cards),
        "statuses": len(catalog.statuses),
    }
