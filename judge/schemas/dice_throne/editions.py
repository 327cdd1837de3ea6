"""Reads the rulebooks' differences and the open points: fixtures/dice-throne/editions and rules/J.json."""

from __future__ import annotations

import json
from dataclasses import fields
from functools import cache
from typing import Any

from judge.core.errors import fail
from judge.core.games import DICE_THRONE
from judge.paths import FIXTURES
from judge.rules.dice_throne.state.editions import DamageType, Edition, Numbers
from judge.schemas.books import lineage
from judge.schemas.shape import Fields, at, counts, each, each_key, listing, name, number, one_of, truth

SWITCHES = tuple(field.name for field in fields(Edition) if field.name not in ("id", "like"))
TRAITS = tuple(field.name for field in fields(DamageType) if field.name != "rule")
NUMBERS = tuple(field.name for field in fields(Numbers) if field.name != "start_health")
NO_NUMBERS = Numbers(**dict.fromkeys(NUMBERS, 0), start_health={})
PRIORITIES = ("clockwise", "active-first")
YES_NO_OPEN = ("yes", "no", "open")
LEGAL_OR_OPEN = ("legal", "illegal", "open")
EDITIONS = FIXTURES / DICE_THRONE / "editions"


def edition_ids() -> list[str]:
    return sorted(path.stem for path in EDITIONS.glob("*.json"))


@cache
def load_edition(edition_id: str) -> Edition:
    path = f"{DICE_THRONE}/editions/{edition_id}.json"
    return read_edition(json.loads((EDITIONS / f"{edition_id}.json").read_bytes()), path)


def read_edition(data: dict[str, Any], path: str = "") -> Edition:
    """The switches of a book; a fault names its file and its field."""
    switches = Fields(data.get("switches"), at(path, "switches"), SWITCHES)
    edition = Edition(
        id=data["id"],
        like=lineage(DICE_THRONE, data["id"])[1:],
        priority=switches.must("priority", one_of, "", PRIORITIES),
        spending_is_instant=switches.must("spending_is_instant", truth, False),
        instants_against_roll_cards=switches.must("instants_against_roll_cards", one_of, "", YES_NO_OPEN),
        others_modifiers=switches.must("others_modifiers", one_of, "", LEGAL_OR_OPEN),
        modifier_only_increases=switches.must("modifier_only_increases", truth, False),
        reductions_in_doubt=switches.must("reductions_in_doubt", _types_in_doubt, ()),
        no_damage_no_defence=switches.must("no_damage_no_defence", truth, False),
        modes=switches.must("modes", each_key, {}, _players_of_mode),
        types=switches.must("types", each_key, {}, _damage_type),
        numbers=switches.must("numbers", _numbers, NO_NUMBERS),
    )
    switches.done()
    return edition


def _types_in_doubt(value: Any, path: str) -> tuple[str, ...]:
    return tuple(each(listing(value, path), path, name))


def _players_of_mode(value: Any, path: str) -> tuple[int, int]:
    numbers = each(listing(value, path), path, number, 1)
    if len(numbers) != 2:
        raise fail(path, "tournament_expected_length", n=2)
    return numbers[0], numbers[1]


def _damage_type(value: Any, path: str) -> DamageType:
    row = Fields(value, path, (*TRAITS, "rule"))
    traits = {key: row.must(key, truth, False) for key in TRAITS}
    damage_type = DamageType(**traits, rule=row.must("rule", name, ""))
    row.done()
    return damage_type


def _numbers(value: Any, path: str) -> Numbers:
    entry = Fields(value, path, (*NUMBERS, "start_health"))
    numbers = {key: entry.must(key, number, 0) for key in NUMBERS}
    start_health = entry.must("start_health", counts, {})
    entry.done()
    return Numbers(**numbers, start_health=start_health)


@cache
def open_points() -> dict[str, tuple[tuple[str, ...], str | None]]:
    entries = json.loads((FIXTURES / DICE_THRONE / "rules" / "J.json").read_bytes())
    return {
        e["id"]: (tuple(r["letter"] for r in e["readings"]), e.get("adopted"))
        for e in entries
        if "became" not in e
    }


@cache
def split_points() -> dict[str, tuple[str, ...]]:
    """Open points that were split: the old id, and the points that took its place."""
    entries = json.loads((FIXTURES / DICE_THRONE / "rules" / "J.json").read_bytes())
    return {entry["id"]: tuple(entry["became"]) for entry in entries if "became" in entry}
