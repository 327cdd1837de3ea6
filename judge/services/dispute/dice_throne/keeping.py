"""What a judge answered about a text that the catalogue knows in part, as an entry of an event's catalogue.

From then on the event's tables use it: `catalog_for` lets it complete the hero's own text.
"""

from __future__ import annotations

from typing import Any

from judge.core.json_types import JsonObject
from judge.rules.catalog import Ability, Card, Status
from judge.schemas.dice_throne.shipped import raw_hero, shipped_hero
from judge.services.dispute.case import Case
from judge.services.dispute.dice_throne.event_things import (
    Number,
    event_numbered,
    in_play,
    level_of,
    line_in_play,
)
from judge.services.dispute.entering import event_at

_LISTS = {"ability": "abilities", "card": "cards", "status": "statuses"}
# What no longer holds once a judge has said what the thing does.
_DOUBTS = ("partial", "gap", "says", "sources", "confidence", "conflicts")


def entry_to_keep(case: Case, n: Number) -> tuple[str, JsonObject] | None:
    """The kind and the entry that the event's catalogue would get; None if nothing is left to say, or nobody
    has said it."""
    effects = event_at(case.data, n).get("effects")
    event = event_numbered(case.table, n)
    seat = next((seat for seat in case.table.players if seat.id == event.by), None)
    if not effects or seat is None or event.thing is None:
        return None
    thing = in_play(case.table.catalog, seat.hero, event, level_of(case.data, event, n))
    kind = {Ability: "ability", Card: "card", Status: "status"}.get(type(thing), "")
    if not isinstance(thing, Ability | Card | Status) or not thing.is_unsaid:
        return None
    shipped = _shipped(seat.hero or "", kind, thing.id)
    if shipped is None:
        return None
    entry = {key: value for key, value in shipped.items() if key not in _DOUBTS}
    lines = (shipped.get("activation") or {}).get("tiers")
    if not lines:
        return kind, {**entry, "effects": effects}
    line = line_in_play(case, n)
    if not line:
        return None  # nobody knows of which line the answer is
    texts: list[Any] = list(shipped.get("tier_effects") or [[] for _ in lines])
    texts[line - 1] = effects
    return kind, {**entry, "tier_effects": texts, "effects": [], "partial": True}


def _shipped(hero_id: str, kind: str, thing_id: str) -> JsonObject | None:
    """The entry of a hero's own file."""
    if shipped_hero(hero_id) is None:
        return None
    raw = raw_hero(hero_id)
    entries = [entry for entry in raw.get(_LISTS[kind], ()) if isinstance(entry, dict)]
    if kind == "ability":
        entries += [card["also"] for card in raw.get("cards", ()) if card.get("also")]
    return next((entry for entry in entries if entry["id"] == thing_id), None)
