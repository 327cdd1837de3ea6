"""Reads effects, conditions and activation conditions, and checks every word against the vocabulary."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from judge.core.errors import InputError, fail, problem
from judge.rules.catalog import DAMAGE_TYPES, WINDOWS, Condition, Effect, Effects, Needs
from judge.rules.dice_throne.effects.vocabulary import WORDS, Shape
from judge.rules.dice_throne.state.table import PHASES
from judge.schemas.dice_throne.prose import condition_in
from judge.schemas.shape import (
    MAX_EFFECTS,
    Fields,
    at,
    each,
    each_key,
    fraction,
    gathered,
    listing,
    mapping,
    name,
    number,
    one_of,
    truth,
)

PER = ("status", "symbol", "companion", "removed", "cp", "roll-attempt-beyond-first")
WHOSE = ("any", "own", "opponent", "own-or-teammate")

# The keys that are read beside any word, whether or not they mean something there.
_COMMON = frozenset(
    (
        "to", "per", "type", "count", "from", "up_to", "isolated", "max", "instead", "by", "random", "note",
    )
)  # fmt: skip
_MOST = 1000  # no printed number comes near; keeps a typing error from becoming a ruling

CONDITIONS = (
    "symbols", "kind", "straight", "holds", "sum_at_least", "added_at_least", "dealt_at_least",
    "none_removed", "inflicted", "spent", "when", "side",
)  # fmt: skip


def read_effects(value: Any, path: str) -> Effects:
    return tuple(each(listing(value, path, MAX_EFFECTS), path, read_effect))


def read_effect(value: Any, path: str) -> Effect:
    """One word of the vocabulary with its details."""
    entry = mapping(value, path)
    words = [word for word in entry if word in WORDS]
    if len(words) != 1:
        raise _which_effect(entry, words, path)
    word = WORDS[words[0]]
    effect = Effect(word.name)
    read = _READERS[word.shape]
    if len(entry) == 1:
        read(effect, entry[word.name], entry, at(path, word.name))
        return effect
    fields = Fields(entry, path, _COMMON | word.options | {word.name})
    for key, item in entry.items():
        qualify = _QUALIFIERS.get(key)
        if qualify is not None:
            fields.check(qualify, effect, item, at(path, key))
    fields.check(read, effect, entry[word.name], entry, at(path, word.name))
    fields.done()
    return effect


def _which_effect(entry: dict[str, Any], words: list[str], path: str) -> InputError:
    strangers = [str(key) for key in entry if key not in WORDS and key not in _COMMON]
    if not words and (strangers or entry):
        return InputError(*(problem(at(path, key), "unknown_effect") for key in strangers or map(str, entry)))
    return fail(path, "expected_one_effect", words=words or ["-"])


def _set(field: str, read: Callable[..., Any], *args: Any) -> Callable[[Effect, Any, str], None]:
    def setter(effect: Effect, value: Any, path: str) -> None:
        setattr(effect, field, read(value, path, *args))

    return setter


def _count(value: Any, path: str, words: tuple[str, ...]) -> Any:
    return value if value in words else number(value, path, 0, _MOST)


def _per(value: Any, path: str) -> tuple[str, str]:
    entry = mapping(value, path)
    if len(entry) != 1:
        raise fail(path, "expected_one_of", words=list(PER))
    kind, thing = next(iter(entry.items()))
    if kind not in PER:
        raise fail(at(path, str(kind)), "expected_one_of", words=list(PER))
    return kind, str(thing) if isinstance(thing, bool) or thing is None else name(thing, at(path, kind))


# The keys that go with many words.
_QUALIFIERS: dict[str, Callable[[Effect, Any, str], None]] = {
    "type": _set("type", one_of, DAMAGE_TYPES),
    "to": _set("to", name),
    "from": _set("source", name),
    "count": _set("count", _count, ("max",)),
    "up_to": _set("up_to", _count, ("any",)),
    "per": _set("per", _per),
    "max": _set("limit", number, 0, _MOST),
    "isolated": _set("isolated", truth),
    "instead": _set("instead", truth),
}


def _read_number(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    word = WORDS[effect.op]
    if value is None:
        return
    if isinstance(value, str) and value in word.becomes:
        effect.op, effect.amount = word.becomes[value], 1
    elif isinstance(value, str) and value in word.amounts:
        effect.amount = value
    else:
        effect.amount = number(value, path, 0, _MOST)


def _read_fraction(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    effect.amount = fraction(value, path)


def _read_truth(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    if value is not None:
        effect.amount = truth(value, path)


def _read_name(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    effect.status = name(value, path)


def _read_limit(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    effect.status = name(value, path)
    effect.count = number(entry.get("by", 1), at(path, "by"), 1, _MOST)


def _read_parts(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    effect.parts = read_effects(value, path)


def _beside(path: str, key: str) -> str:
    """The place of another key of the same effect."""
    return at(path.rpartition(".")[0], key)


def _read_condition(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    parts = gathered(
        {
            "condition": lambda: read_condition(value, path),
            "effects": lambda: read_effects(entry.get("effects", []), _beside(path, "effects")),
        }
    )
    effect.condition, effect.parts = parts["condition"], parts["effects"]


def _read_options(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    effect.options = tuple(each(listing(value, path), path, read_effects))


def _read_roll(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    parts = gathered(
        {
            "roll": lambda: number(value, path, 1, 10),
            "on": lambda: each_key(entry.get("on"), _beside(path, "on"), read_effects),
            "each": lambda: each_key(entry.get("each"), _beside(path, "each"), read_effects),
        }
    )
    effect.amount = parts["roll"]
    effect.on, effect.each = tuple(parts["on"].items()), tuple(parts["each"].items())


def _read_duel(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    mapping(value, path, ("if_higher", "if_higher_or_equal", "otherwise"))
    effect.on = tuple(each_key(value, path, read_effects).items())


def _read_die_change(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    change = Fields(value, path, ("count", "whose", "to"))
    effect.count = change.get("count", _count, 1, ("any",))
    effect.whose = change.get("whose", one_of, "any", WHOSE)
    effect.amount = change.get("to", _new_face, "any")
    change.done()


def _new_face(value: Any, path: str) -> int | str:
    words = ("any", "plus-or-minus-1", "copy-of-own-die-same-phase-and-purpose")
    return str(value) if value in words else number(value, path, 1, 6)


def _read_phase(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    effect.status = one_of(value, path, PHASES)


_READERS: dict[Shape, Callable[[Effect, Any, dict[str, Any], str], None]] = {
    Shape.NUMBER: _read_number,
    Shape.FRACTION: _read_fraction,
    Shape.TRUTH: _read_truth,
    Shape.STATUS: _read_name,
    Shape.LIMIT: _read_limit,
    Shape.PHASE: _read_phase,
    Shape.SIDE: _read_name,
    Shape.EFFECTS: _read_parts,
    Shape.OPTIONS: _read_options,
    Shape.CONDITION: _read_condition,
    Shape.ROLL: _read_roll,
    Shape.DUEL: _read_duel,
    Shape.DIE_CHANGE: _read_die_change,
}


def read_condition(value: Any, path: str) -> Condition:
    """A named condition `{symbols: {sword: 1}}`, or one of the phrases the hero data uses."""
    if isinstance(value, str):
        condition = condition_in(value)
        if condition is None:
            raise fail(path, "expected_condition", words=list(CONDITIONS))
        return condition
    entry = mapping(value, path)
    if len(entry) != 1 or next(iter(entry)) not in CONDITIONS:
        raise fail(path, "expected_one_of", words=list(CONDITIONS))
    kind, wanted = next(iter(entry.items()))
    here = at(path, kind)
    if kind == "symbols":
        wanted = each_key(wanted, here, number, 1, 10)
    elif kind in ("kind", "sum_at_least", "added_at_least", "dealt_at_least"):
        wanted = None if wanted is None else number(wanted, here, 0, _MOST)
    elif kind == "when":
        wanted = one_of(wanted, here, WINDOWS)
    elif kind == "straight":
        wanted = one_of(wanted, here, ("small", "large"))
    elif kind in ("holds", "spent", "side"):
        wanted = name(wanted, here)
    return Condition(kind, wanted)


def read_needs(value: Any, path: str) -> Needs:
    """An Activation Condition: symbols, straight, kind, tiers, defence_dice or passive."""
    fields = Fields(value, path, ("symbols", "straight", "kind", "tiers", "defence_dice", "passive"))
    if not fields.entry:
        raise fail(path, "expected_one_of", words=["symbols", "straight", "kind", "tiers"])
    needs = Needs(
        symbols=fields.get("symbols", each_key, {}, number, 0, 5),
        straight=fields.get("straight", one_of, "", ("small", "large")),
        kind=fields.get("kind", number, 0, 1, 5),
        tiers=fields.get("tiers", _tiers, ()),
        dice=fields.get("defence_dice", number, 0, 1, 5),
        passive=bool(fields.entry.get("passive")),
    )
    fields.done()
    return needs


def _tiers(value: Any, path: str) -> tuple[Needs, ...]:
    return tuple(each(listing(value, path), path, read_needs))


def fraction_words(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"
