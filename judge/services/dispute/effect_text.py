"""Effects as a table file writes them, from the engine's own: to start from the printed text and change a
number. What depends on dice that nobody has told us is left out: the number said takes its place.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from judge.rules.catalog import Effect, Effects
from judge.rules.printed import COUNTED as COUNTED
from judge.rules.printed import hangs_on_dice, possible_numbers, reaches, waits_for_dice

_STATUS = ("gain", "inflict", "remove", "transfer", "raise_limit", "explode", "flip")
_PHASES = ("skip_phase", "extra_phase", "extra_roll_attempt")
MOST_CHOICES = 24


def as_file(effect: Effect) -> dict[str, Any]:
    """One effect in the words of a table file."""
    entry: dict[str, Any] = {effect.op: _value(effect)}
    if effect.op in ("gain", "inflict", "remove", "transfer") and effect.count != 1:
        entry["count"] = effect.count
    if effect.op == "raise_limit":
        entry["by"] = effect.count
    if effect.op == "if":
        entry["effects"] = [as_file(part) for part in effect.parts]
    if effect.op == "deal":
        entry["type"] = effect.type
    for key, value in (("to", effect.to), ("from", effect.source), ("max", effect.limit)):
        if value not in ("", None):
            entry[key] = value
    if effect.up_to is not None:
        entry["up_to"] = effect.up_to
    if effect.per is not None:
        entry["per"] = dict([effect.per])
    for key, is_so in (("isolated", effect.isolated), ("instead", effect.instead)):
        if is_so:
            entry[key] = True
    for key, branches in (("on", effect.on), ("each", effect.each)):
        if branches and effect.op == "roll":
            entry[key] = {face: [as_file(part) for part in parts] for face, parts in branches}
    return entry


def _value(effect: Effect) -> Any:
    op, amount = effect.op, effect.amount
    if op in _STATUS or op in _PHASES:
        return effect.status
    if op in ("then", "additionally", "may"):
        return [as_file(part) for part in effect.parts]
    if op == "choose":
        return [[as_file(part) for part in option] for option in effect.options]
    if op == "if":
        return {effect.condition.kind: effect.condition.value} if effect.condition else {}
    if op == "duel":
        return {name: [as_file(part) for part in parts] for name, parts in effect.on}
    if op in ("change_die", "reroll"):
        return {"count": effect.count, "whose": effect.whose, "to": amount}
    return f"{amount.numerator}/{amount.denominator}" if isinstance(amount, Fraction) else amount


def without_dice(effects: Effects, total: int | None = None) -> list[dict[str, Any]]:
    """What of a text holds whatever the dice show; with `total`, also what that sum brings about."""
    kept: list[dict[str, Any]] = []
    for one in effects:
        if waits_for_dice(one):
            if total is not None and reaches(one, total):
                kept += without_dice(one.parts, total)
        elif one.op in ("then", "additionally"):
            inner = without_dice(one.parts, total)
            if inner:
                kept.append({one.op: inner})
        elif not hangs_on_dice(one):
            kept.append(as_file(one))
    return kept


def open_numbers(effects: Effects, dice: int) -> dict[str, tuple[Effect, list[int]]]:
    """The words of a text whose number the dice decide: each with its printed form and what can come out."""
    return {op: (one, _few(values)) for op, (one, values) in possible_numbers(effects, dice).items()}


def _few(values: set[int]) -> list[int]:
    """No more numbers than can be tapped on a phone; the likely ones."""
    ordered = sorted(values)
    return ordered if len(ordered) <= MOST_CHOICES else ordered[:MOST_CHOICES]
