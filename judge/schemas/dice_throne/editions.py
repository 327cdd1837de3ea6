"""Reads the rulebooks' differences and the open points: fixtures/dice-throne/editions and rules/J.json."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from judge.core.games import DICE_THRONE
from judge.paths import FIXTURES
from judge.rules.dice_throne.state.editions import DamageType, Edition, Numbers

EDITIONS = FIXTURES / DICE_THRONE / "editions"


def edition_ids() -> list[str]:
    return sorted(path.stem for path in EDITIONS.glob("*.json"))


@cache
def load_edition(edition_id: str) -> Edition:
    return read_edition(json.loads((EDITIONS / f"{edition_id}.json").read_bytes()))


def read_edition(data: dict[str, Any]) -> Edition:
    switches = dict(data["switches"])
    types = {name: DamageType(**row) for name, row in switches.pop("types").items()}
    modes = {mode: (low, high) for mode, (low, high) in switches.pop("modes").items()}
    doubts = tuple(switches.pop("reductions_in_doubt"))
    numbers = Numbers(**switches.pop("numbers"))
    return Edition(
        id=data["id"], types=types, modes=modes, numbers=numbers, reductions_in_doubt=doubts, **switches
    )


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
