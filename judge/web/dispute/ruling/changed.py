"""What a table's events changed apart from damage: health won, Combat Points, cards and tokens, as lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from judge.core.json_types import JsonObject
from judge.core.messages import Lang
from judge.rules.ruling_json import RulingJson
from judge.web.dispute.words import status_name
from judge.web.frame.texts import gettext


@dataclass(frozen=True, slots=True)
class Change:
    """One number of a player, before and after; is_gain: the player has more of something good."""

    what: str
    before: int
    after: int
    is_gain: bool


@dataclass(frozen=True, slots=True)
class Changed:
    who: str
    changes: tuple[Change, ...]


def changed(begin: Callable[[], JsonObject], ruling: RulingJson, lang: Lang) -> list[Changed]:
    """Of a Dice Throne table in which no damage was counted; there the numbers are the answer.

    `begin` gives the players before the first event.
    """
    if any(one["totals"] for one in ruling["resolutions"]):
        return []
    beginning, lines = begin(), []
    for who, player in ruling["players"].items():
        if who in beginning and "health" in player:
            changes = tuple(_changes(beginning[who], dict(player), lang))
            lines += [Changed(who, changes)] if changes else []
    return lines


def _changes(old: JsonObject, new: JsonObject, lang: Lang) -> Iterator[Change]:
    words = (("health", "♥"), ("cp", gettext("CP")), ("hand", gettext("Cards")))
    for key, word in words:
        before, after = old.get(key), new.get(key)
        if isinstance(before, int) and isinstance(after, int) and before != after:
            yield Change(word, before, after, after > before)
    held, holds = old.get("statuses") or {}, new.get("statuses") or {}
    for token in {**held, **holds}:
        if held.get(token, 0) != holds.get(token, 0):
            yield Change(status_name(token, lang), held.get(token, 0), holds.get(token, 0), False)
