"""An entered event with an answer in it: a number, a token, dice; what is printed stays in force."""

from __future__ import annotations

from judge.core.json_types import EventEntry, JsonObject
from judge.rules.catalog import Ability, Card, Companion, Status, flat
from judge.rules.dice_throne.state.table import Table
from judge.services.dispute.case import Case
from judge.services.dispute.dice_throne.effect_text import without_dice
from judge.services.dispute.dice_throne.event_things import (
    Number,
    event_numbered,
    in_play,
    level_of,
    line_in_play,
    printed_effects,
    texts_of,
    use_meant,
    with_lines,
)
from judge.services.dispute.entering import event_at
from judge.services.dispute.table_files import verb_of


def with_number(case: Case, n: Number, word: str, value: int) -> EventEntry:
    """The event with this number: the line that has it, or in place of dice; all other effects stay."""
    entry = dict(event_at(case.data, n))
    if verb_of(entry) in ("", "advance", "collide"):
        return entry
    line = _line_with(case, n, word, value) if entry.get("effects") is None else 0
    if line:
        choice = entry.get("choice")
        rest = choice[1:] if isinstance(choice, list) else []
        return {**entry, "choice": [line, *rest] if rest else line}
    effects, template = _start(case, n, word, value)
    for k, effect in enumerate(effects):
        if word in effect:
            effects[k] = {**effect, word: value}
            break
    else:
        effects.insert(0 if word == "deal" else len(effects), {**template, word: value})
    return {**entry, "effects": effects}


def with_token(case: Case, n: Number, word: str, status: str) -> EventEntry:
    """The event with this token added to its text, or removed if it was added before."""
    entry = dict(event_at(case.data, n))
    if verb_of(entry) in ("", "advance", "collide"):
        return entry
    printed = printed_effects(case, n)
    effects = list(entry["effects"]) if entry.get("effects") is not None else list(printed)
    added = {word: status}
    if added in effects[len(printed) if effects[: len(printed)] == printed else 0 :]:
        effects.reverse()
        effects.remove(added)
        effects.reverse()
    else:
        effects.append(added)
    if effects == printed:
        return as_printed(entry)
    line = line_in_play(case, n)
    if line and entry.get("effects") is None:
        entry = without_line(case, n)
    return {**entry, "effects": effects}


def without_line(case: Case, n: Number) -> EventEntry:
    """The event without the line it names."""
    entry = event_at(case.data, n)
    if with_lines(case, n) is None or entry.get("effects") is not None:
        return entry
    choice = entry.get("choice")
    rest = choice[1:] if isinstance(choice, list) else []
    without = {key: value for key, value in entry.items() if key != "choice"}
    return {**without, "choice": rest} if rest else without


def with_dice(case: Case, n: Number, faces: list[int]) -> EventEntry:
    """The event with these dice. A number that stood in place of them goes; added tokens stay."""
    entry = dict(event_at(case.data, n))
    if "roll" in entry:
        return {**entry, "roll": faces} if faces else entry
    without = {key: value for key, value in entry.items() if key != "dice"}
    if not faces:
        return without
    if entry.get("effects") is not None:
        printed = printed_effects(case, n)
        if printed and entry["effects"][: len(printed)] != printed:
            without.pop("effects")
    return {**without, "dice": faces}


def as_printed(entry: EventEntry) -> EventEntry:
    """The event with its printed text alone."""
    return {key: value for key, value in entry.items() if key != "effects"}


def _line_with(case: Case, n: Number, word: str, value: int) -> int:
    """The only line whose number this is; 0 if there is none."""
    thing = with_lines(case, n)
    texts = thing.tier_effects if thing is not None else ()
    fitting = [k for k, t in enumerate(texts, start=1) if any(e.op == word and e.amount == value for e in t)]
    return fitting[0] if len(fitting) == 1 else 0


def _start(case: Case, n: Number, word: str, value: int | None) -> tuple[list[JsonObject], JsonObject]:
    """The effects to start from, and how the printed text qualifies the word."""
    table: Table = case.table
    event = event_numbered(table, n)
    seat = next(seat for seat in table.players if seat.id == event.by)
    thing = in_play(table.catalog, seat.hero, event, level_of(case.data, event, n))
    texts = texts_of(thing)
    template: JsonObject = {}
    for text in texts:
        qualified = next((effect for effect in flat(text) if effect.op == word), None)
        if qualified is not None:
            template = {"type": qualified.type} if word == "deal" else {}
            if qualified.to:
                template["to"] = qualified.to
            break
    entered = event_at(case.data, n).get("effects")
    printed = printed_effects(case, n)
    is_added = bool(printed) and entered is not None and entered[: len(printed)] == printed
    if entered is not None and not is_added:
        return list(entered), template
    line = line_in_play(case, n)
    text = tuple(thing.effects or ()) if thing is not None else ()
    if line and isinstance(thing, Ability | Card):
        text = (*thing.tier_effects[line - 1], *text)
    if isinstance(thing, Companion | Status) and thing.uses:
        text = thing.uses[max(use_meant(case, n), 1) - 1].effects
    added = list(entered)[len(printed) :] if entered is not None else []
    return [*without_dice(text, value if word == "deal" else None), *added], template
