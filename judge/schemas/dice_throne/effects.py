"""Reads effects, conditions and activation conditions, and checks every word against the vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Collection
from fractions import Fraction
from typing import Any

from judge.core.errors import InputError, fail, problem
from judge.rules.catalog import DAMAGE_TYPES, WINDOWS, Condition, Effect, Effects, Needs
from judge.rules.dice_throne.effects.conditions import CONDITIONS, Wants
from judge.rules.dice_throne.effects.numbers import COUNTS
from judge.rules.dice_throne.effects.vocabulary import OPTIONS, WORDS, EffectWord, Shape
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

WHOSE = ("any", "own", "opponent", "own-or-teammate")
_REMARK = "note"  # free text beside any word
_MOST = 1000  # no printed number comes near; keeps a typing error from becoming a ruling
_NOBODY: frozenset[str] = frozenset()


class EffectReader:
    """Reads effects. `players` are the names that `to` and `from` may use besides the words for them."""

    def __init__(self, players: Collection[str] = _NOBODY) -> None:
        self.players = players

    def effects(self, value: Any, path: str) -> Effects:
        return tuple(each(listing(value, path, MAX_EFFECTS), path, self.effect))

    def effect(self, value: Any, path: str) -> Effect:
        """One word of the vocabulary with its details."""
        entry = mapping(value, path)
        words = [word for word in entry if word in WORDS]
        if len(words) != 1:
            raise _which_effect(entry, words, path)
        word = WORDS[words[0]]
        effect = Effect(word.name)
        read = _READERS[word.shape]
        if len(entry) == 1:
            read(self, effect, entry[word.name], entry, at(path, word.name))
            return effect
        fields = Fields(entry, path, word.options | {word.name, _REMARK})
        for key, item in entry.items():
            if key in OPTIONS and key in word.options:
                fields.check(self._qualify, word, effect, key, item, at(path, key))
        fields.check(read, self, effect, entry[word.name], entry, at(path, word.name))
        fields.done()
        return effect

    def _qualify(self, word: EffectWord, effect: Effect, key: str, value: Any, path: str) -> None:
        if OPTIONS[key] in _WHOM:
            setattr(effect, OPTIONS[key], self._whom(word, value, path))
        else:
            setattr(effect, OPTIONS[key], _OPTION_READERS[key](value, path))

    def _whom(self, word: EffectWord, value: Any, path: str) -> str:
        """Whom an effect reaches: one of the word's targets, or a player of the table."""
        who = name(value, path)
        if who not in word.targets and who not in self.players:
            raise fail(path, "expected_one_of", words=sorted(word.targets))
        return who


_WHOM = frozenset(("to", "source", "who"))


def read_effects(value: Any, path: str) -> Effects:
    """Effects of the catalogue, which knows no players."""
    return _OF_NOBODY.effects(value, path)


def read_effect(value: Any, path: str) -> Effect:
    return _OF_NOBODY.effect(value, path)


_OF_NOBODY = EffectReader()


def _which_effect(entry: dict[str, Any], words: list[str], path: str) -> InputError:
    strangers = [str(key) for key in entry if key not in WORDS and key not in OPTIONS and key != _REMARK]
    if not words and (strangers or entry):
        return InputError(*(problem(at(path, key), "unknown_effect") for key in strangers or map(str, entry)))
    return fail(path, "expected_one_effect", words=words or ["-"])


# ------------------------------------------------------------------ the keys that go with many words


def _count(value: Any, path: str) -> Any:
    return value if value == "max" else number(value, path, 0, _MOST)


def _up_to(value: Any, path: str) -> Any:
    return value if value == "any" else number(value, path, 0, _MOST)


def _best_of(value: Any, path: str) -> int:
    return number(value, path, 2, 10)


def _limit(value: Any, path: str) -> int:
    return number(value, path, 0, _MOST)


def _damage_type(value: Any, path: str) -> str:
    return one_of(value, path, DAMAGE_TYPES)


def _per(value: Any, path: str) -> tuple[str, str]:
    entry = mapping(value, path)
    if len(entry) != 1:
        raise fail(path, "expected_one_of", words=list(COUNTS))
    kind, thing = next(iter(entry.items()))
    if kind not in COUNTS:
        raise fail(at(path, str(kind)), "expected_one_of", words=list(COUNTS))
    return kind, str(thing) if isinstance(thing, bool) or thing is None else name(thing, at(path, kind))


_OPTION_READERS: dict[str, Callable[[Any, str], Any]] = {
    "type": _damage_type,
    "count": _count,
    "up_to": _up_to,
    "per": _per,
    "fraction": fraction,
    "max": _limit,
    "isolated": truth,
    "unpreventable": truth,
    "best_of": _best_of,
    "random": truth,
    "instead": truth,
}


# ------------------------------------------------------------------ the value of each shape


def _read_number(reader: EffectReader, effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    word = WORDS[effect.op]
    if value is None:
        return
    if isinstance(value, str) and value in word.becomes:
        effect.op, effect.amount = word.becomes[value], 1
    elif isinstance(value, str) and value in word.amounts:
        effect.amount = value
    else:
        effect.amount = number(value, path, 0, _MOST)


def _read_fraction(
    reader: EffectReader, effect: Effect, value: Any, entry: dict[str, Any], path: str
) -> None:
    effect.amount = fraction(value, path)


def _read_truth(reader: EffectReader, effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    if value is not None:
        effect.amount = truth(value, path)


def _read_name(reader: EffectReader, effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    effect.status = name(value, path)


def _read_limit(reader: EffectReader, effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    effect.status = name(value, path)
    effect.count = number(entry.get("by", 1), _beside(path, "by"), 1, _MOST)


def _read_parts(reader: EffectReader, effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    effect.parts = reader.effects(value, path)


def _beside(path: str, key: str) -> str:
    """The place of another key of the same effect."""
    return at(path.rpartition(".")[0], key)


def _read_condition(
    reader: EffectReader, effect: Effect, value: Any, entry: dict[str, Any], path: str
) -> None:
    parts = gathered(
        {
            "condition": lambda: read_condition(value, path),
            "effects": lambda: reader.effects(entry.get("effects", []), _beside(path, "effects")),
        }
    )
    effect.condition, effect.parts = parts["condition"], parts["effects"]


def _read_options(reader: EffectReader, effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    effect.options = tuple(each(listing(value, path), path, reader.effects))


def _read_roll(reader: EffectReader, effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    parts = gathered(
        {
            "roll": lambda: number(value, path, 1, 10),
            "on": lambda: each_key(entry.get("on"), _beside(path, "on"), reader.effects),
            "each": lambda: each_key(entry.get("each"), _beside(path, "each"), reader.effects),
        }
    )
    effect.amount = parts["roll"]
    effect.on, effect.each = tuple(parts["on"].items()), tuple(parts["each"].items())


def _read_duel(reader: EffectReader, effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    mapping(value, path, ("if_higher", "if_higher_or_equal", "otherwise"))
    effect.on = tuple(each_key(value, path, reader.effects).items())


def _read_die_change(
    reader: EffectReader, effect: Effect, value: Any, entry: dict[str, Any], path: str
) -> None:
    change = Fields(value, path, ("count", "whose", "to"))
    effect.count = change.get("count", _up_to, 1)
    effect.whose = change.get("whose", one_of, "any", WHOSE)
    effect.amount = change.get("to", _new_face, "any")
    change.done()


def _new_face(value: Any, path: str) -> int | str:
    words = ("any", "plus-or-minus-1", "copy-of-own-die-same-phase-and-purpose")
    return str(value) if value in words else number(value, path, 1, 6)


def _read_phase(reader: EffectReader, effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    effect.status = one_of(value, path, WORDS[effect.op].phases)


_READERS: dict[Shape, Callable[[EffectReader, Effect, Any, dict[str, Any], str], None]] = {
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


# ------------------------------------------------------------------ conditions


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
    return Condition(kind, _CONDITION_READERS[CONDITIONS[kind].wants](wanted, at(path, kind)))


def _threshold(value: Any, path: str) -> int | None:
    return None if value is None else number(value, path, 0, _MOST)


def _yes_or_no(value: Any, path: str) -> bool | None:
    return None if value is None else truth(value, path)


def _symbol_counts(value: Any, path: str) -> dict[str, int]:
    return each_key(value, path, number, 1, 10)


def _token_counts(value: Any, path: str) -> dict[str, int]:
    return each_key(value, path, number, 1, _MOST)


def _phases(value: Any, path: str) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(each(value, path, one_of, PHASES))
    return (one_of(value, path, PHASES),)


def _straight(value: Any, path: str) -> str:
    return one_of(value, path, ("small", "large"))


def _window(value: Any, path: str) -> str:
    return one_of(value, path, WINDOWS)


_CONDITION_READERS: dict[Wants, Callable[[Any, str], Any]] = {
    Wants.NUMBER: _threshold,
    Wants.TRUTH: _yes_or_no,
    Wants.NAME: name,
    Wants.SYMBOL: name,
    Wants.SYMBOLS: _symbol_counts,
    Wants.COUNTS: _token_counts,
    Wants.STRAIGHT: _straight,
    Wants.WINDOW: _window,
    Wants.PHASES: _phases,
    Wants.CONDITION: read_condition,
}


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
        passive=bool(fields.entry.get("passive")),
    )
    needs.dice, needs.most_dice = fields.get("defence_dice", _defence_dice, (0, 0))
    fields.done()
    return needs


def _defence_dice(value: Any, path: str) -> tuple[int, int]:
    """How many dice are rolled; or at least and at most, where tokens or a form add some."""
    if not isinstance(value, list):
        return number(value, path, 1, 5), 0
    if len(value) != 2:
        raise fail(path, "expected_integer")
    least, most = each(value, path, number, 1, 5)
    return least, most


def _tiers(value: Any, path: str) -> tuple[Needs, ...]:
    return tuple(each(listing(value, path), path, read_needs))


def fraction_words(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"
