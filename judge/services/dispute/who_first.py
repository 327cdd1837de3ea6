"""Who goes first: two actions that meet, and the order in which each book resolves them."""

from __future__ import annotations

from dataclasses import dataclass

from judge.core.games import DICE_THRONE
from judge.core.json_types import EventEntry, TableFile
from judge.core.messages import Lang
from judge.rules.ruling_json import RulingJson
from judge.schemas.books import newest_first
from judge.services.dispute.case import Case
from judge.services.dispute.find_by_name import Thing, event_with, find_things

KINDS = ("instant", "roll", "token")
TIMINGS = ("at-once", "in-answer")


@dataclass(frozen=True, slots=True)
class Under:
    """The ruling of one book on the two actions, met in one way."""

    edition: str
    timing: str
    table: TableFile
    ruling: RulingJson


def order_of(actions: tuple[str, str], names: tuple[str, str], lang: Lang) -> list[Under]:
    """Both ways in which two actions meet, under every book. An action is a kind or the name of a thing; the
    first is the Active Player's."""
    return [
        _under(edition.id, timing, actions, names, lang)
        for edition in newest_first(DICE_THRONE)
        for timing in TIMINGS
    ]


def _under(edition: str, timing: str, actions: tuple[str, str], names: tuple[str, str], lang: Lang) -> Under:
    active, other = names
    strike = {"by": active, "activate": "attack", "on": other, "effects": [{"deal": 6}]}
    pair = [
        _action(action, who, rival)
        for action, who, rival in zip(actions, names, (other, active), strict=True)
    ]
    table: TableFile = {
        "game": DICE_THRONE,
        "edition": edition,
        "players": [_player(who, event) for who, event in zip(names, pair, strict=True)],
        "events": [strike, {"collide": pair, "timing": timing}],
    }
    return Under(edition, timing, table, Case(table).said(lang))


def _player(who: str, event: EventEntry) -> dict[str, object]:
    held = {str(event["spend"]): 1} if "spend" in event else {}
    return {"id": who, "cp": 15, "hand": 6, **({"statuses": held} if held else {})}


def _action(action: str, who: str, rival: str) -> EventEntry:
    thing = _thing(action)
    if thing is not None:
        return {**event_with(thing, who, rival), **({"on": rival} if thing.kind == "instant" else {})}
    if action == "token":
        return {"by": who, "spend": "token", "effects": [{"prevent": 1}]}
    kind = action if action in KINDS else "instant"
    return {"by": who, "play": f"{kind}-card", "card": kind, "cost": 0, "effects": [{"draw": 1}]}


def _thing(name: str) -> Thing | None:
    """A card or a spendable token by its name."""
    if name in KINDS:
        return None
    kinds = ("instant", "roll", "main", "status")
    return next((thing for thing in find_things(name, None) if thing.kind in kinds), None)
