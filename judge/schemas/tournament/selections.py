"""Reads and writes the bans and picks of a match in a tournament file; the event desk stores the same shape.

selection: {bans: {a: [monk], b: [paladin]}, start_rolls: [[6, 2]], first: a, picks: {a: treant, b: monk}}
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from judge.core.errors import fail
from judge.schemas import shape
from judge.schemas.shape import Fields, each, listing, number, one_of
from judge.tournament.model import Selection, Side

T = TypeVar("T")
SIDES: tuple[Side, Side] = ("a", "b")
KEYS = ("ban_rolls", "ban_first", "bans", "start_rolls", "first", "picks")
MAX_ROLLS, MAX_PIPS, MAX_BANS = 100, 100, 100


def read_selection(value: Any, path: str) -> Selection:
    asked = Fields(value, path, KEYS)
    selection = Selection(
        ban_rolls=asked.get("ban_rolls", _rolls, ()),
        ban_first=asked.get("ban_first", side),
        bans=asked.get("bans", _by_side, {}, _heroes),
        start_rolls=asked.get("start_rolls", _rolls, ()),
        first=asked.get("first", side),
        picks=asked.get("picks", _by_side, {}, shape.name),
    )
    asked.done()
    return selection


def side(value: Any, path: str) -> Side:
    return "a" if one_of(value, path, SIDES) == "a" else "b"


def _by_side(value: Any, path: str, read: Callable[[Any, str], T]) -> dict[Side, T]:
    asked = Fields(value, path, SIDES)
    chosen = {key: asked.get(key, read) for key in SIDES}
    asked.done()
    return {key: one for key, one in chosen.items() if one is not None}


def _heroes(value: Any, path: str) -> tuple[str, ...]:
    return tuple(each(listing(value, path, MAX_BANS), path, shape.name))


def _rolls(value: Any, path: str) -> tuple[tuple[int, int], ...]:
    return tuple(each(listing(value, path, MAX_ROLLS), path, _roll))


def _roll(value: Any, path: str) -> tuple[int, int]:
    both = each(listing(value, path), path, number, 1, MAX_PIPS)
    if len(both) != 2:
        raise fail(path, "tournament_expected_length", n=2)
    return both[0], both[1]


def write_selection(selection: Selection) -> dict[str, Any]:
    """Only what is known, with plain lists and mappings."""
    written: dict[str, Any] = {
        "ban_rolls": [list(roll) for roll in selection.ban_rolls],
        "ban_first": selection.ban_first,
        "bans": {key: list(heroes) for key, heroes in selection.bans.items()},
        "start_rolls": [list(roll) for roll in selection.start_rolls],
        "first": selection.first,
        "picks": dict(selection.picks),
    }
    return {key: value for key, value in written.items() if value}
