"""Tournament presets: the settings of a published kind of event, each value with its source.

A value without a source is marked as our assumption in the file itself, so a page can show which is which.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from judge.core.messages import Lang
from judge.paths import FIXTURES

LAST = 1000  # the place of a preset without an order


@dataclass(frozen=True, slots=True)
class Setting:
    """A value and its source; `is_assumed` if nothing published says so."""

    value: Any
    source: str
    is_assumed: bool

    def source_in(self, lang: Lang) -> str:
        return _translated().get(self.source, {}).get(lang, self.source)


@dataclass(frozen=True, slots=True)
class Preset:
    """The settings of one kind of event; organisers are offered presets by `order`."""

    id: str
    order: int
    names: Mapping[Lang, str]
    settings: Mapping[str, Setting]

    def get(self, key: str, default: Any = None) -> Any:
        setting = self.settings.get(key)
        return default if setting is None else setting.value

    def rounds_for(self, players: int) -> int | None:
        """Rounds by attendance: the first step that the number of players does not exceed."""
        steps = self.get("rounds_by_attendance", [])
        return next((s["rounds"] for s in steps if players <= s.get("up_to", players)), None)


@cache
def _translated() -> dict[str, dict[Lang, str]]:
    """Each source in English, as the presets have it, with its translations."""
    sources: dict[str, dict[Lang, str]] = json.loads((FIXTURES / "tournaments" / "sources.json").read_bytes())
    return sources


@cache
def presets() -> dict[str, Preset]:
    loaded = [_read(path.stem, json.loads(path.read_bytes())) for path in _files()]
    return {preset.id: preset for preset in loaded}


def _files() -> list[Any]:
    return sorted((FIXTURES / "tournaments" / "presets").glob("*.json"))


def _read(stem: str, data: dict[str, Any]) -> Preset:
    settings = {key: _setting(stem, key, entry) for key, entry in data["settings"].items()}
    return Preset(stem, data.get("order", LAST), data["names"], settings)


def _setting(stem: str, key: str, entry: dict[str, Any]) -> Setting:
    if entry.keys() not in ({"value", "source"}, {"value", "assumption"}):
        raise ValueError(f"presets/{stem}.json: {key}: expected value and source, or value and assumption")
    return Setting(entry["value"], entry.get("source") or entry["assumption"], "assumption" in entry)
