"""Reading effects, conditions and activation conditions: the closed vocabulary, checked word by word."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from judge.core.errors import fail
from judge.rules.catalog import DAMAGE_TYPES, EFFECT_WORDS, WINDOWS, Condition, Effect, Effects, Needs
from judge.rules.dice_throne.state.table import PHASES
from judge.schemas.shape import at, fraction, listing, mapping, number, one_of, text, truth

PER = ("status", "symbol", "companion", "removed", "cp", "roll-attempt-beyond-first")
WHOSE = ("any", "own", "opponent", "own-or-teammate")

_FRACTIONS = {
    "add_fraction_of_die", "prevent_fraction", "return_fraction", "heal_fraction_of_die",
    "gain_cp_fraction_of_die", "deal_fraction_of_die",
}  # fmt: skip
_STATUS_WORDS = {"gain", "inflict", "remove", "transfer", "raise_limit", "explode"}
_NESTED = {"then", "additionally", "may"}
_TRUTHS = {"no_damage", "make_undefendable", "lock_actions"}
_COMMON = {
    "to",
    "per",
    "type",
    "count",
    "from",
    "up_to",
    "isolated",
    "max",
    "instead",
    "by",
    "random",
    "note",
}
_MOST = 1000  # no printed number comes near; keeps a slip of the key from becoming a ruling

# What the printed data says in prose, and the named condition that means the same.
_PROSE: dict[str, Condition] = {
    "own upkeep": Condition("when", "upkeep"),
    "end of own turn": Condition("when", "end-of-turn"),
    "health would become 0": Condition("when", "would-fall"),
    "an opponent's offensive roll phase leads to no attack": Condition("when", "opponent-did-not-attack"),
    "none to remove": Condition("none_removed"),
    "an opponent's attack would inflict a negative status": Condition("inflicted"),
    "at least 1 damage was dealt": Condition("dealt_at_least", 1),
    "in shadows": Condition("holds", "shadows"),
    "enough damage was added": Condition("added_at_least"),
    "a reload is spent": Condition("spent", "reload"),
    "a reload is spent on it": Condition("spent", "reload"),
}
_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"the sum is at least (\d+)"), "sum_at_least"),
    (re.compile(r"at least (\d+) damage added"), "added_at_least"),
    (re.compile(r"at least (\d+) damage was dealt.*"), "dealt_at_least"),
    (re.compile(r"(\d+) of a kind"), "kind"),
)
CONDITIONS = (
    "symbols", "kind", "straight", "holds", "sum_at_least", "added_at_least", "dealt_at_least",
    "none_removed", "inflicted", "spent", "when", "side",
)  # fmt: skip


def read_effects(value: Any, path: str) -> Effects:
    return tuple(read_effect(item, at(path, n)) for n, item in enumerate(listing(value, path), start=1))


def read_effect(value: Any, path: str) -> Effect:
    entry = mapping(value, path)
    words = [word for word in entry if word in EFFECT_WORDS]
    if len(words) != 1:
        others = [key for key in entry if key not in EFFECT_WORDS]
        if not words and others:
            raise fail(at(path, str(others[0])), "unknown_effect")
        raise fail(path, "expected_one_effect", words=words or ["-"])
    word = words[0]
    allowed = _COMMON | {word} | _EXTRA.get(word, set())
    for key in entry:
        if key not in allowed:
            raise fail(at(path, str(key)), "unknown_key")
    effect = Effect(word)
    _qualify(effect, entry, path)
    _READERS.get(word, _read_amount)(effect, entry[word], entry, at(path, word))
    return effect


_EXTRA: dict[str, set[str]] = {"roll": {"on", "each", "sum"}, "if": {"effects"}}


def _qualify(effect: Effect, entry: dict[str, Any], path: str) -> None:
    """The keys that go with many words."""
    if "type" in entry:
        effect.type = one_of(entry["type"], at(path, "type"), DAMAGE_TYPES)
    if "to" in entry:
        effect.to = text(entry["to"], at(path, "to"))
    if "from" in entry:
        effect.source = text(entry["from"], at(path, "from"))
    if "count" in entry:
        effect.count = _count(entry["count"], at(path, "count"), ("max",))
    if "up_to" in entry:
        effect.up_to = _count(entry["up_to"], at(path, "up_to"), ("any",))
    if "per" in entry:
        effect.per = _per(entry["per"], at(path, "per"))
    if "max" in entry:
        effect.limit = number(entry["max"], at(path, "max"), 0, _MOST)
    if "isolated" in entry:
        effect.isolated = truth(entry["isolated"], at(path, "isolated"))
    if "instead" in entry:
        effect.instead = truth(entry["instead"], at(path, "instead"))


def _count(value: Any, path: str, words: tuple[str, ...]) -> Any:
    return value if value in words else number(value, path, 0, _MOST)


def _per(value: Any, path: str) -> tuple[str, str]:
    entry = mapping(value, path)
    if len(entry) != 1:
        raise fail(path, "expected_one_of", words=list(PER))
    kind, thing = next(iter(entry.items()))
    if kind not in PER:
        raise fail(at(path, str(kind)), "expected_one_of", words=list(PER))
    return kind, str(thing)


def _read_amount(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    if value is None:
        return
    if effect.op in _FRACTIONS:
        effect.amount = fraction(value, path)
    elif effect.op in _TRUTHS:
        effect.amount = truth(value, path)
    elif value in _NAMED_AMOUNTS.get(effect.op, ()):
        effect.amount = value
    else:
        effect.amount = number(value, path, 0, _MOST)


_NAMED_AMOUNTS: dict[str, tuple[str, ...]] = {
    "deal": ("sum-of-dice",),
    "add": ("sum-of-dice",),
    "avoid": ("all",),
    "pay_cp": ("any",),
    "prevent": ("all",),
    "discard": ("all",),
}


def _read_status(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    effect.status = text(value, path)
    if effect.op == "raise_limit":
        effect.count = number(entry.get("by", 1), at(path, "by"), 1, _MOST)


def _read_nested(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    effect.parts = read_effects(value, path)


def _read_if(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    effect.condition = read_condition(value, path)
    effect.parts = read_effects(entry.get("effects", []), at(path.rpartition(".")[0], "effects"))


def _read_choose(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    effect.options = tuple(
        read_effects(option, at(path, n)) for n, option in enumerate(listing(value, path), start=1)
    )


def _read_roll(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    effect.amount = number(value, path, 1, 10)
    above = path.rpartition(".")[0]
    for key in ("on", "each"):
        faces = mapping(entry.get(key, {}), at(above, key))
        pairs = tuple(
            (str(face), read_effects(item, at(at(above, key), str(face)))) for face, item in faces.items()
        )
        if key == "on":
            effect.on = pairs
        else:
            effect.each = pairs


def _read_duel(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    branches = mapping(value, path, ("if_higher", "if_higher_or_equal", "otherwise"))
    effect.on = tuple((name, read_effects(item, at(path, name))) for name, item in branches.items())


def _read_dice_change(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    change = mapping(value, path, ("count", "whose", "to"))
    effect.count = _count(change.get("count", 1), at(path, "count"), ("any",))
    effect.whose = one_of(change.get("whose", "any"), at(path, "whose"), WHOSE)
    to = change.get("to", "any")
    words = ("any", "plus-or-minus-1", "copy-of-own-die-same-phase-and-purpose")
    effect.amount = to if to in words else number(to, at(path, "to"), 1, 6)


def _read_phase(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    effect.status = one_of(value, path, PHASES)


def _read_prevent(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    if value in ("status", "one-incoming-status"):
        effect.op, effect.amount = "prevent_status", 1
    else:
        _read_amount(effect, value, entry, path)


def _read_side(effect: Effect, value: Any, entry: dict[str, Any], path: str) -> None:
    effect.status = text(value, path)


_READERS = {
    **dict.fromkeys(_STATUS_WORDS, _read_status),
    **dict.fromkeys(_NESTED, _read_nested),
    **dict.fromkeys(("change_die", "reroll"), _read_dice_change),
    **dict.fromkeys(("skip_phase", "extra_phase", "extra_roll_attempt"), _read_phase),
    "if": _read_if,
    "choose": _read_choose,
    "roll": _read_roll,
    "duel": _read_duel,
    "prevent": _read_prevent,
    "flip": _read_side,
}


def read_condition(value: Any, path: str) -> Condition:
    """A named condition `{symbols: {sword: 1}}`, or one of the phrases the hero data uses."""
    if isinstance(value, str):
        return _read_prose(value, path)
    entry = mapping(value, path)
    if len(entry) != 1 or next(iter(entry)) not in CONDITIONS:
        raise fail(path, "expected_one_of", words=list(CONDITIONS))
    kind, wanted = next(iter(entry.items()))
    here = at(path, kind)
    if kind == "symbols":
        wanted = {str(s): number(n, at(here, str(s)), 1, 10) for s, n in mapping(wanted, here).items()}
    elif kind in ("kind", "sum_at_least", "added_at_least", "dealt_at_least"):
        wanted = None if wanted is None else number(wanted, here, 0, _MOST)
    elif kind == "when":
        wanted = one_of(wanted, here, WINDOWS)
    elif kind == "straight":
        wanted = one_of(wanted, here, ("small", "large"))
    elif kind in ("holds", "spent", "side"):
        wanted = text(wanted, here)
    return Condition(kind, wanted)


def _read_prose(value: str, path: str) -> Condition:
    phrase = value.strip().lower().partition(" (")[0]
    if phrase in _PROSE:
        return _PROSE[phrase]
    for pattern, kind in _PATTERNS:
        if match := pattern.fullmatch(phrase):
            return Condition(kind, int(match[1]))
    symbols = _symbols_in(phrase)
    if symbols:
        return Condition("symbols", symbols)
    raise fail(path, "expected_condition", words=list(CONDITIONS))


_PLURAL = {"leaves": "leaf", "cutlasses": "cutlass"}


def _symbols_in(phrase: str) -> dict[str, int]:
    """`2 helmets and 1 prayer`, `the roll shows a sword` -> how many of each symbol."""
    result: dict[str, int] = {}
    for part in phrase.removeprefix("the roll shows ").split(" and "):
        match = re.fullmatch(r"(an?|\d+) ([a-z-]+)", part)
        if not match:
            return {}
        count = 1 if match[1] in ("a", "an") else int(match[1])
        word = match[2]
        if count > 1:
            word = _PLURAL.get(word, word.removesuffix("s"))
        result[word] = count
    return result


def read_needs(value: Any, path: str) -> Needs:
    """An Activation Condition: symbols, straight, kind, tiers, defence_dice or passive."""
    entry = mapping(value, path, ("symbols", "straight", "kind", "tiers", "defence_dice", "passive"))
    if not entry:
        raise fail(path, "expected_one_of", words=["symbols", "straight", "kind", "tiers"])
    needs = Needs()
    if "symbols" in entry:
        here = at(path, "symbols")
        needs.symbols = {
            str(s): number(n, at(here, str(s)), 0, 5) for s, n in mapping(entry["symbols"], here).items()
        }
    if "straight" in entry:
        needs.straight = one_of(entry["straight"], at(path, "straight"), ("small", "large"))
    if "kind" in entry:
        needs.kind = number(entry["kind"], at(path, "kind"), 1, 5)
    if "tiers" in entry:
        tiers = listing(entry["tiers"], at(path, "tiers"))
        needs.tiers = tuple(read_needs(t, at(at(path, "tiers"), n)) for n, t in enumerate(tiers, start=1))
    if "defence_dice" in entry:
        needs.dice = number(entry["defence_dice"], at(path, "defence_dice"), 1, 5)
    needs.passive = bool(entry.get("passive"))
    return needs


def fraction_words(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"
