"""The thing that an entered event uses, and its printed text at the level and by the line in play."""

from __future__ import annotations

from dataclasses import replace

from judge.core.json_types import JsonObject, TableFile
from judge.rules.catalog import Ability, Card, Catalog, Companion, Effects, Status
from judge.rules.dice_throne.flow.board import board_entry
from judge.rules.dice_throne.state.activation import highest_tier
from judge.rules.dice_throne.state.table import Event, Table
from judge.rules.dice_throne.verbs.uses import as_meant
from judge.services.dispute.case import Case
from judge.services.dispute.dice_throne.effect_text import as_file

Thing = Ability | Card | Companion | Status
Number = int | str  # of an event: 3, or 3.2 inside a collide


def event_numbered(table: Table, n: Number) -> Event:
    """The event with this number; `3.2` is the second of the third, which is a collide."""
    first, _, inner = str(n).partition(".")
    event = table.events[int(first) - 1]
    return event.inner[int(inner) - 1] if inner else event


def in_play(catalog: Catalog, hero: str | None, event: Event, level: int) -> Thing | None:
    """The thing an event uses, or its upgrade in play."""
    if isinstance(event.thing, Ability) and level > 1:
        return catalog.find_upgrade(hero, event.thing.id, level) or event.thing
    return event.thing


def texts_of(thing: Thing | None) -> list[Effects]:
    """The texts that may apply: the thing's own, and those of its lines and uses."""
    if thing is None:
        return []
    texts = [thing.effects] if thing.effects else []
    if isinstance(thing, Ability | Card):
        texts += list(thing.tier_effects)
    if isinstance(thing, Companion | Status):
        texts += [use.effects for use in thing.uses if use.effects]
    return texts


def level_of(table: TableFile, event: Event, n: Number) -> int:
    """The level of the ability in play when this event comes."""
    seat = next(p for p in table["players"] if str(p["id"]) == event.by)
    start = (seat.get("upgrades") or {}).get(str(event.value), 1)
    level = start.get("level", 1) if isinstance(start, dict) else start
    for earlier in table["events"][: int(str(n).partition(".")[0]) - 1]:
        if earlier.get("upgrade") == event.value and str(earlier.get("by")) == event.by:
            level = earlier.get("level", level + 1)
    return int(level)


def with_lines(case: Case, n: Number) -> Ability | Card | None:
    """The ability with lines that an event activates, at the level in play."""
    event = event_numbered(case.table, n)
    if event.verb != "activate":
        return None
    seat = next(seat for seat in case.table.players if seat.id == event.by)
    thing = in_play(case.table.catalog, seat.hero, event, level_of(case.data, event, n))
    has_lines = isinstance(thing, Ability | Card) and thing.tier_effects
    return thing if isinstance(thing, Ability | Card) and has_lines else None


def line_in_play(case: Case, n: Number) -> int:
    """The line that an event's choice or the dice on the table give; 0 if none does."""
    thing, event = with_lines(case, n), event_numbered(case.table, n)
    if thing is None:
        return 0
    first = event.choice[0] if event.choice else 0
    if isinstance(first, int) and 1 <= first <= len(thing.tier_effects):
        return first
    state = case.cut(int(str(n).partition(".")[0]) - 1).now.state
    player = state.players[event.by]
    needs, _, lines = board_entry(state, player, replace(event, effects=None))
    if not state.dice or needs is None or not needs.tiers:
        return 0
    return min(highest_tier(state, player, needs, state.dice), len(lines))


def use_meant(case: Case, n: Number) -> int:
    """The number of the use of a token or companion that an event means; 0 if it could mean several."""
    event = event_numbered(case.table, n)
    if not event.names_no_use:
        return event.use_n
    state = case.cut(int(str(n).partition(".")[0]) - 1).now.state
    return as_meant(state, event).use_n


def printed_effects(case: Case, n: Number) -> list[JsonObject]:
    """The printed text of an event's thing in full, at the level and by the line in play."""
    table: Table = case.table
    event = event_numbered(table, n)
    seat = next((seat for seat in table.players if seat.id == event.by), None)
    if seat is None:
        return []
    thing = in_play(table.catalog, seat.hero, event, level_of(case.data, event, n))
    if isinstance(thing, Companion | Status) and thing.uses:
        k = use_meant(case, n) or 1
        return [as_file(effect) for effect in thing.uses[k - 1].effects] if k <= len(thing.uses) else []
    effects = tuple(thing.effects or ()) if thing is not None else ()
    line = line_in_play(case, n)
    if line and isinstance(thing, Ability | Card):
        effects = (*thing.tier_effects[line - 1], *effects)
    return [as_file(effect) for effect in effects]
