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
AT_ONCE, SECOND_ANSWERS, FIRST_ANSWERS = "at-once", "second-answers", "first-answers"
WAYS = (AT_ONCE, SECOND_ANSWERS, FIRST_ANSWERS)


@dataclass(frozen=True, slots=True)
class Doing:
    """One of the two actions: who does it, and what (a kind with its label, or the name of a thing)."""

    who: str
    what: str
    label: str


@dataclass(frozen=True, slots=True)
class Under:
    """The ruling of one book on the two actions, met in one way."""

    edition: str
    way: str
    table: TableFile
    ruling: RulingJson


def order_of(first: Doing, second: Doing, lang: Lang) -> list[Under]:
    """The ways in which two actions meet, each under every book. The first is the Active Player's."""
    return [
        _under(edition.id, way, first, second, lang) for way in WAYS for edition in newest_first(DICE_THRONE)
    ]


def _under(edition: str, way: str, first: Doing, second: Doing, lang: Lang) -> Under:
    strike = {"by": first.who, "activate": "attack", "on": second.who, "effects": [{"deal": 6}]}
    pair = [_action(first, second.who), _action(second, first.who)]
    declared = pair[::-1] if way == FIRST_ANSWERS else pair
    table: TableFile = {
        "game": DICE_THRONE,
        "edition": edition,
        "players": [_player(one.who, event) for one, event in zip((first, second), pair, strict=True)],
        "events": [strike, {"collide": declared, "timing": "at-once" if way == AT_ONCE else "in-answer"}],
    }
    return Under(edition, way, table, Case(table).said(lang))


def _player(who: str, event: EventEntry) -> dict[str, object]:
    held = {str(event["spend"]): 1} if "spend" in event else {}
    return {"id": who, "cp": 15, "hand": 6, **({"statuses": held} if held else {})}


def _action(doing: Doing, rival: str) -> EventEntry:
    who, thing = doing.who, _thing(doing.what)
    if thing is not None:
        return {**event_with(thing, who, rival), **({"on": rival} if thing.kind == "instant" else {})}
    if doing.what == "token":
        return {"by": who, "spend": doing.label, "effects": [{"prevent": 1}]}
    kind = doing.what if doing.what in KINDS else "instant"
    return {"by": who, "play": doing.label, "card": kind, "cost": 0, "effects": [{"draw": 1}]}


def _thing(name: str) -> Thing | None:
    """A card or a spendable token by its name."""
    if name in KINDS:
        return None
    kinds = ("instant", "roll", "main", "status")
    return next((thing for thing in find_things(name, None) if thing.kind in kinds), None)
