"""Where an entry of the catalogue comes from: its sources, how sure it is, and what other sources say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from judge.schemas.dice_throne.catalog import ORIGIN_KEYS
from judge.schemas.shape import Fields, each, each_key, listing, name, one_of, text, truth

CONFIDENCE = ("high", "medium", "low")
ABOUT = (
    "cost", "damage", "activation", "limit", "tokens", "timing", "name", "wording", "effect", "dice",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Conflict:
    """What an entry takes, and the other value that some sources give."""

    about: str
    taken: str
    other: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Origin:
    sources: tuple[str, ...] = ()
    confidence: str = "high"
    conflicts: tuple[Conflict, ...] = ()
    says: Mapping[str, str] = field(default_factory=dict)  # what is known of it and no effect word says


def read_origin(entry: Mapping[str, Any], path: str = "") -> Origin:
    """The origin of an entry, whatever else the entry holds."""
    fields = Fields({key: entry[key] for key in ORIGIN_KEYS if key in entry}, path, ORIGIN_KEYS)
    fields.get("gap", truth, False)  # for readers of the file: an entry without effects is a gap anyway
    origin = Origin(
        fields.get("sources", _names, ()),
        fields.get("confidence", one_of, "high", CONFIDENCE),
        fields.get("conflicts", _conflicts, ()),
        fields.get("says", each_key, {}, text),
    )
    fields.done()
    return origin


def _names(value: Any, path: str) -> tuple[str, ...]:
    return tuple(each(listing(value, path), path, name))


def _conflicts(value: Any, path: str) -> tuple[Conflict, ...]:
    return tuple(each(listing(value, path), path, _conflict))


def _conflict(value: Any, path: str) -> Conflict:
    fields = Fields(value, path, ("about", "taken", "other", "sources"))
    conflict = Conflict(
        fields.must("about", one_of, "", ABOUT),
        fields.must("taken", _value, ""),
        fields.must("other", _value, ""),
        fields.get("sources", _names, ()),
    )
    fields.done()
    return conflict


def _value(value: Any, path: str) -> str:
    """A short value: a number or a word."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else text(value, path)
