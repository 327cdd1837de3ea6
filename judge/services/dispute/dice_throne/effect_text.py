"""Writes effects as a table file does, so that a judge can start from the printed text and change a number.

Effects that depend on unknown dice are left out: the number the judge enters replaces them.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from judge.core.json_types import JsonObject
from judge.rules.catalog import Condition, Effect, Effects, flat
from judge.rules.dice_throne.effects.vocabulary import OPTIONS, WORDS, Shape
from judge.rules.printed import COUNTED as COUNTED
from judge.rules.printed import SEQUELS, hangs_on_dice, possible_numbers, reaches, waits_for_dice
from judge.schemas.dice_throne.effects import fraction_words

MOST_CHOICES = 24


def as_file(effect: Effect) -> JsonObject:
    """One effect in the words of a table file."""
    word = WORDS[effect.op]
    entry: JsonObject = {word.name: _VALUES[word.shape](effect)}
    if word.shape is Shape.LIMIT:
        entry["by"] = effect.count
    elif word.shape is Shape.CONDITION:
        entry["effects"] = _all(effect.parts)
    elif word.shape is Shape.ROLL:
        for key, branches in (("on", effect.on), ("each", effect.each)):
            if branches:
                entry[key] = _branches(branches)
    for key, field in OPTIONS.items():
        if key in word.options:
            value = getattr(effect, field)
            if value != getattr(_PLAIN, field) or (key == "type" and word.name in COUNTED):
                entry[key] = _written(value)
    return entry


_PLAIN = Effect("")  # an effect without options


def _written(value: Any) -> Any:
    if isinstance(value, tuple):  # what `per` counts
        return dict([value])
    return fraction_words(value) if isinstance(value, Fraction) else value


def _all(effects: Effects) -> list[JsonObject]:
    return [as_file(effect) for effect in effects]


def _branches(branches: tuple[tuple[str, Effects], ...]) -> JsonObject:
    return {face: _all(effects) for face, effects in branches}


def _condition(effect: Effect) -> JsonObject:
    return _condition_entry(effect.condition) if effect.condition else {}


def _condition_entry(condition: Condition) -> JsonObject:
    value = condition.value
    if isinstance(value, Condition):
        value = _condition_entry(value)
    return {condition.kind: list(value) if isinstance(value, tuple) else value}


def _amount(effect: Effect) -> Any:
    return effect.amount


def _status(effect: Effect) -> str:
    return effect.status


_VALUES: dict[Shape, Callable[[Effect], Any]] = {
    Shape.NUMBER: _amount,
    Shape.FRACTION: lambda effect: fraction_words(effect.amount),
    Shape.TRUTH: _amount,
    Shape.STATUS: _status,
    Shape.LIMIT: _status,
    Shape.PHASE: _status,
    Shape.SIDE: _status,
    Shape.EFFECTS: lambda effect: _all(effect.parts),
    Shape.OPTIONS: lambda effect: [_all(option) for option in effect.options],
    Shape.CONDITION: _condition,
    Shape.ROLL: _amount,
    Shape.DUEL: lambda effect: _branches(effect.on),
    Shape.DIE_CHANGE: lambda effect: {"count": effect.count, "whose": effect.whose, "to": effect.amount},
}


def without_dice(effects: Effects, total: int | None = None) -> list[JsonObject]:
    """The effects of a text that do not depend on dice; with `total`, also those that this sum triggers."""
    entries: list[JsonObject] = []
    for effect in effects:
        if waits_for_dice(effect):
            if total is not None and reaches(effect, total):
                entries += without_dice(effect.parts, total)
        elif effect.op in SEQUELS:
            inner = without_dice(effect.parts, total)
            if inner:
                entries.append({effect.op: inner})
        elif effect.op == "if" and any(waits_for_dice(part) or hangs_on_dice(part) for part in effect.parts):
            inner = without_dice(effect.parts, total)
            if inner:
                entries.append({**as_file(effect), "effects": inner})
        elif not hangs_on_dice(effect):
            entries.append(as_file(effect))
    return entries


def decides_numbers_only(effects: Effects) -> bool:
    """Whether the dice of a text decide nothing but numbers and tokens, which can be entered without them."""
    for effect in effects:
        if effect.op == "roll":
            inner = tuple(part for _, parts in (*effect.on, *effect.each) for part in parts)
            if not all(part.op in COUNTED or part.op in ("gain", "inflict") for part in flat(inner)):
                return False
        elif waits_for_dice(effect):
            if not all(part.op in COUNTED or part.op in ("gain", "inflict") for part in flat(effect.parts)):
                return False
        elif effect.parts and not decides_numbers_only(effect.parts):
            return False
    return True


def open_numbers(effects: Effects, dice: int) -> dict[str, tuple[Effect, list[int]]]:
    """The words of a text whose number the dice decide, each with its printed effect and possible values."""
    return {op: (effect, _few(values)) for op, (effect, values) in possible_numbers(effects, dice).items()}


def _few(values: set[int]) -> list[int]:
    """The lowest values, no more than can be tapped on a phone."""
    ordered = sorted(values)
    return ordered if len(ordered) <= MOST_CHOICES else ordered[:MOST_CHOICES]
