"""Effects as a table file writes them, from the engine's own: to start from the printed text and change a
number. What depends on dice that nobody has told us is left out: the number said takes its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from judge.rules.catalog import Condition, Effect, Effects

_STATUS = ("gain", "inflict", "remove", "transfer", "raise_limit", "explode", "flip")
_PHASES = ("skip_phase", "extra_phase", "extra_roll_attempt")
_DICE_CONDITIONS = ("symbols", "kind", "straight", "sum_at_least")
COUNTED = ("deal", "add", "prevent", "reduce", "heal", "gain_cp", "steal_cp", "draw")
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
        if one.op == "if" and one.condition is not None and one.condition.kind in _DICE_CONDITIONS:
            if total is not None and _reaches(one.condition, total):
                kept += without_dice(one.parts, total)
        elif one.op in ("then", "additionally"):
            inner = without_dice(one.parts, total)
            if inner:
                kept.append({one.op: inner})
        elif not _hangs_on_dice(one):
            kept.append(as_file(one))
    return kept


def _reaches(condition: Condition, total: int) -> bool:
    return condition.kind == "sum_at_least" and condition.value is not None and total >= condition.value


def _hangs_on_dice(one: Effect) -> bool:
    if one.op in ("roll", "duel") or one.op.endswith("fraction_of_die") or one.amount == "sum-of-dice":
        return True
    return (one.per is not None and one.per[0] == "symbol") or (one.op in COUNTED and one.amount is None)


def open_numbers(effects: Effects, dice: int) -> dict[str, tuple[Effect, list[int]]]:
    """The words of a text whose number the dice decide: each with its printed form and what can come out."""
    found: dict[str, tuple[Effect, set[int]]] = {}
    for one, values in _open(effects, dice):
        first, seen = found.get(one.op, (one, {0}))
        sums = {a + b for a in seen for b in values}
        found[one.op] = (first, sums if len(sums) <= 60 else set(range(max(sums) + 1)))
    return {op: (one, _few(values)) for op, (one, values) in found.items()}


def _few(values: set[int]) -> list[int]:
    """No more numbers than can be tapped on a phone; the likely ones."""
    ordered = sorted(values)
    return ordered if len(ordered) <= MOST_CHOICES else ordered[:MOST_CHOICES]


def _open(effects: Effects, dice: int) -> Iterator[tuple[Effect, set[int]]]:
    for one in effects:
        if one.op == "roll":
            rolled = int(one.amount or 1)
            for _, parts in one.each:
                for part, values in _counted(parts):
                    yield part, {k * v for k in range(rolled + 1) for v in values}
            yield from _alternatives(one)
            dice = rolled
        elif one.op == "if" and one.condition is not None and one.condition.kind in _DICE_CONDITIONS:
            for part, values in _counted(one.parts):
                yield part, {0, *values}
        elif one.op in COUNTED and one.amount == "sum-of-dice":
            yield one, set(range(dice, 6 * dice + 1))
        elif one.op in COUNTED and one.amount is None:
            yield one, set(range(13))
        elif one.op in COUNTED and one.per is not None and one.per[0] == "symbol":
            yield one, {k * int(one.amount or 0) for k in range(dice + 1)}
        elif one.op in ("then", "additionally", "may"):
            yield from _open(one.parts, dice)


def _alternatives(roll: Effect) -> Iterator[tuple[Effect, set[int]]]:
    """A roll that does one thing or another: of several dice each may do its own."""
    words: dict[str, tuple[Effect, set[int]]] = {}
    for part, values in _counted(tuple(part for _, parts in roll.on for part in parts)):
        first, seen = words.get(part.op, (part, {0}))
        words[part.op] = (first, seen | values)
    for first, values in words.values():
        yield first, {a + b for a in values for b in values} if int(roll.amount or 1) > 1 else values


def _counted(parts: Effects) -> Iterator[tuple[Effect, set[int]]]:
    for part in parts:
        if part.op in COUNTED and isinstance(part.amount, int):
            yield part, {part.amount}
