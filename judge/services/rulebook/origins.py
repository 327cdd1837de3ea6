"""Where hero sheets come from, in the reader's words: the sources by name, kind and date, disputed values.

`fixtures/dice-throne/sources.json` lists the sources, `disputed.json` the values of conflicts that are words.
A source or value that neither file has stands as it is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from judge.core.games import DICE_THRONE
from judge.core.messages import Lang
from judge.schemas.dice_throne.origin import Conflict, Origin
from judge.schemas.fixtures import load_json, sentences


@dataclass(frozen=True, slots=True)
class Source:
    """One source: its name, what it is, and when it was made; a source nobody lists has a name only."""

    name: str
    kind: str = ""
    date: str = ""

    def __str__(self) -> str:
        about = ", ".join(filter(None, (self.kind, self.date)))
        return f"{self.name} ({about})" if about else self.name


@cache
def _registry() -> dict[str, dict[str, Any]]:
    return {entry["id"]: entry for entry in load_json(DICE_THRONE, "sources.json")}


@cache
def disputed_values() -> dict[str, dict[str, str]]:
    """The values that are words, in French and Russian."""
    values: dict[str, dict[str, str]] = load_json(DICE_THRONE, "disputed.json")
    return values


def source(key: str, lang: Lang) -> Source:
    entry = _registry().get(key)
    if entry is None:
        return Source(key)
    return Source(entry["names"][lang], sentences(lang)[f"hero_source_{entry['kind']}"], entry["date"] or "")


def named_sources(keys: str, lang: Lang) -> str:
    """Sources divided by commas, as rules name them, in the reader's language."""
    return ", ".join(source(key, lang).name for key in keys.split(", "))


def sources_in_words(used: Iterable[str], lang: Lang) -> tuple[Source, ...]:
    """Every source once, the most used first."""
    keys = list(used)
    ordered = sorted(dict.fromkeys(keys), key=keys.count, reverse=True)
    return tuple(dict.fromkeys(source(key, lang) for key in ordered))


def in_words(origin: Origin, lang: Lang) -> Origin:
    """The origin with its conflicts in the reader's language; its sources stay keys."""
    if not origin.conflicts:
        return origin
    return replace(origin, conflicts=tuple(_conflict(conflict, lang) for conflict in origin.conflicts))


def _conflict(conflict: Conflict, lang: Lang) -> Conflict:
    return replace(
        conflict,
        taken=value_in_words(conflict.taken, lang),
        other=value_in_words(conflict.other, lang),
        sources=tuple(dict.fromkeys(source(key, lang).name for key in conflict.sources)),
    )


def value_in_words(value: str, lang: Lang) -> str:
    return disputed_values().get(value, {}).get(lang, value)
