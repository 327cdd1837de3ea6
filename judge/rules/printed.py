"""The possible outcomes of a printed text: the numbers its dice allow, and whether effects that somebody
entered are one of them. Nothing is played here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from judge.rules.catalog import Effect, Effects, flat
from judge.rules.dice_throne.effects.conditions import CONDITIONS
from judge.rules.dice_throne.effects.vocabulary import WORDS, Shape, Trait, words_that

COUNTED = words_that(Trait.COUNTED)
_OPTIONAL = words_that(Trait.OPTIONAL)
_BY_DICE = words_that(Trait.BY_DICE)
SEQUELS = words_that(Trait.SEQUEL)


def waits_for_dice(effect: Effect) -> bool:
    """Whether this is an "if" that looks at dice."""
    return effect.op == "if" and effect.condition is not None and CONDITIONS[effect.condition.kind].by_dice


def reaches(effect: Effect, total: int) -> bool:
    """Whether this is an "if" on the sum of the dice that this sum meets."""
    condition = effect.condition
    if condition is None or condition.value is None:
        return False
    if condition.kind == "sum_at_most":
        return bool(total <= condition.value)
    return condition.kind == "sum_at_least" and bool(total >= condition.value)


def _is_sum_of_dice(effect: Effect) -> bool:
    return bool(effect.amount == "sum-of-dice")


def hangs_on_dice(effect: Effect) -> bool:
    if effect.op in _BY_DICE or _is_sum_of_dice(effect):
        return True
    return (effect.per is not None and effect.per[0] == "symbol") or (
        effect.op in COUNTED and effect.amount is None
    )


# ------------------------------------------------------------------ the numbers dice allow


def possible_numbers(effects: Effects, dice: int) -> dict[str, tuple[Effect, set[int]]]:
    """The words of a text whose number the dice decide, each with its printed form and possible numbers."""
    numbers: dict[str, tuple[Effect, set[int]]] = {}
    for effect, values in _open(effects, dice):
        first, seen = numbers.get(effect.op, (effect, {0}))
        sums = {a + b for a in seen for b in values}
        numbers[effect.op] = (first, sums if len(sums) <= 60 else set(range(max(sums) + 1)))
    return numbers


def _open(effects: Effects, dice: int) -> Iterator[tuple[Effect, set[int]]]:
    for effect in effects:
        if effect.op == "roll":
            rolled = int(effect.amount or 1)
            for _, parts in effect.each:
                for part, values in _counted(parts):
                    yield part, {k * v for k in range(rolled + 1) for v in values}
            yield from _alternatives(effect)
            dice = rolled
        elif waits_for_dice(effect):
            for part, values in _counted(effect.parts):
                yield part, {0, *values}
        elif effect.op == "if":  # on something else: its dice count only where it holds
            for part, values in _open(effect.parts, dice):
                yield part, {0, *values}
        elif effect.op in COUNTED and effect.amount == "sum-of-dice":
            yield effect, set(range(dice, 6 * dice + 1))
        elif effect.op in COUNTED and effect.amount is None:
            yield effect, set(range(13))
        elif effect.op in COUNTED and effect.per is not None and effect.per[0] == "symbol":
            yield effect, {k * int(effect.amount or 0) for k in range(dice + 1)}
        elif WORDS[effect.op].shape is Shape.EFFECTS:
            yield from _open(effect.parts, dice)


def _alternatives(roll: Effect) -> Iterator[tuple[Effect, set[int]]]:
    """The possible effects of a roll with several outcomes; each of several dice may have its own."""
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


# ------------------------------------------------------------------ what somebody entered


@dataclass(slots=True)
class PrintedText:
    """A printed text that looks at so many dice, with what every comparison with it needs."""

    effects: Effects
    dice: int
    every: dict[str, list[Effect]] = field(init=False)  # by word, including nested ones
    sums: frozenset[str] = field(init=False)  # the words whose number is the sum of the dice
    certain: list[Effect] = field(init=False)  # what happens whatever the dice show
    _numbers: dict[str, set[int]] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.every = {}
        for effect in flat(self.effects):
            self.every.setdefault(effect.op, []).append(effect)
        summed = [word for word, effects in self.every.items() if any(map(_is_sum_of_dice, effects))]
        self.sums = frozenset(summed)
        self.certain = list(_certain(self.effects, None))

    @property
    def numbers(self) -> dict[str, set[int]]:
        """The numbers that the dice allow, by word."""
        if self._numbers is None:
            possible = possible_numbers(self.effects, self.dice)
            self._numbers = {op: values for op, (_, values) in possible.items()}
        return self._numbers


def agrees(texts: Sequence[PrintedText], entered: Effects) -> bool:
    """Whether the effects entered are a possible outcome of one of these texts. A number in place of dice
    agrees with them; an unknown text contradicts nothing."""
    unwrapped = list(_unwrapped(entered))
    return not texts or any(_comes_to(text, unwrapped) for text in texts)


def _unwrapped(effects: Effects) -> Iterator[Effect]:
    """The effects without "then" and "additionally", which say when, not what."""
    for effect in effects:
        if effect.op in SEQUELS:
            yield from _unwrapped(effect.parts)
        else:
            yield effect


def _comes_to(text: PrintedText, entered: list[Effect]) -> bool:
    rest = list(entered)
    for effect in _certain_with(text, entered):
        said = next((each for each in rest if _says(each, effect)), None)
        if said is None:
            return False
        rest.remove(said)
    return all(_may_come(effect, text) for effect in rest)


def _certain_with(text: PrintedText, entered: list[Effect]) -> list[Effect]:
    """What happens for certain, given the sum of the dice where the entered effects name it."""
    for effect in entered if text.sums else ():
        if effect.op in text.sums and isinstance(effect.amount, int):
            return list(_certain(text.effects, effect.amount))
    return text.certain


def _says(entered: Effect, printed: Effect) -> bool:
    """Whether this is the printed effect, or names the token where that takes any one token. The word is
    compared first, since most differ by it."""
    if entered.op != printed.op:
        return False
    is_named = printed.status == "any" and bool(entered.status) and entered.count == printed.count
    return is_named or entered == printed


def _certain(text: Effects, total: int | None) -> Iterator[Effect]:
    """The effects that happen whatever the dice show and whatever is chosen."""
    for effect in _unwrapped(text):
        if waits_for_dice(effect) and total is not None and reaches(effect, total):
            yield from _certain(effect.parts, total)
        elif (
            effect.op not in _OPTIONAL
            and not hangs_on_dice(effect)
            and effect.per is None
            and effect.up_to is None
        ):
            yield effect


def _may_come(effect: Effect, text: PrintedText) -> bool:
    """Whether the text may do this: it stands there, or dice or table allow the number."""
    printed = text.every.get(effect.op, [])
    if any(_says(effect, other) for other in printed):
        return True
    alike = [p for p in printed if (p.status, p.type, p.to) == (effect.status, effect.type, effect.to)]
    if effect.op not in COUNTED:
        return any(p.amount == effect.amount for p in alike)
    if any(p.amount is None or p.up_to is not None or _counts_the_table(p) for p in alike):
        return True
    values = {p.amount for p in alike if isinstance(p.amount, int)} | text.numbers.get(effect.op, set())
    return bool(alike) and effect.amount in values


def _counts_the_table(effect: Effect) -> bool:
    """Whether the number depends on the table (per token, companion, CP ...), not on the dice."""
    return effect.per is not None and effect.per[0] != "symbol"


# ------------------------------------------------------------------ the rules on reading it


def text_rules(effects: Effects | None) -> tuple[str, ...]:
    """The rules on how such a text is read (rules DT-TXT)."""
    rules: dict[str, None] = {}
    counted: list[str] = []
    for effect in flat(effects):
        rules.update(dict.fromkeys(WORDS[effect.op].rules))
        if effect.on and effect.op == "roll":
            rules["DT-TXT-02"] = None
        if effect.each:
            rules["DT-TXT-03"] = None
        if effect.per is not None and effect.per[0] == "symbol":
            counted.append(effect.per[1])
            rules["DT-TXT-03"] = None
        elif effect.condition is not None and effect.condition.kind == "symbols":
            counted.extend(effect.condition.value)
            rules["DT-TXT-02"] = None
    if len(counted) > len(set(counted)):
        rules["DT-ACT-06"] = None
    if len(effects or ()) > 1 and "DT-TXT-04" not in rules:
        rules["DT-TXT-08"] = None
    return tuple(rules)
