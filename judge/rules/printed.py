"""What a printed text can come to: the numbers its dice allow, and whether effects that somebody entered are
one of its outcomes. Pure questions about texts; nothing is played here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.rules.catalog import Effect, Effects, flat
from judge.rules.dice_throne.effects.vocabulary import WORDS, Shape, Trait, words_that

COUNTED = words_that(Trait.COUNTED)
_DICE_CONDITIONS = ("symbols", "kind", "straight", "sum_at_least")
_OPTIONAL = words_that(Trait.OPTIONAL)
_BY_DICE = words_that(Trait.BY_DICE)
SEQUELS = words_that(Trait.SEQUEL)


def waits_for_dice(one: Effect) -> bool:
    """An "if" that looks at dice."""
    return one.op == "if" and one.condition is not None and one.condition.kind in _DICE_CONDITIONS


def reaches(one: Effect, total: int) -> bool:
    """An "if" on the sum of the dice, and the sum is enough."""
    condition = one.condition
    return (
        condition is not None
        and condition.kind == "sum_at_least"
        and condition.value is not None
        and total >= condition.value
    )


def hangs_on_dice(one: Effect) -> bool:
    if one.op in _BY_DICE or one.amount == "sum-of-dice":
        return True
    return (one.per is not None and one.per[0] == "symbol") or (one.op in COUNTED and one.amount is None)


# ------------------------------------------------------------------ the numbers dice allow


def possible_numbers(effects: Effects, dice: int) -> dict[str, tuple[Effect, set[int]]]:
    """The words of a text whose number the dice decide: each with its printed form and what can come out."""
    found: dict[str, tuple[Effect, set[int]]] = {}
    for one, values in _open(effects, dice):
        first, seen = found.get(one.op, (one, {0}))
        sums = {a + b for a in seen for b in values}
        found[one.op] = (first, sums if len(sums) <= 60 else set(range(max(sums) + 1)))
    return found


def _open(effects: Effects, dice: int) -> Iterator[tuple[Effect, set[int]]]:
    for one in effects:
        if one.op == "roll":
            rolled = int(one.amount or 1)
            for _, parts in one.each:
                for part, values in _counted(parts):
                    yield part, {k * v for k in range(rolled + 1) for v in values}
            yield from _alternatives(one)
            dice = rolled
        elif waits_for_dice(one):
            for part, values in _counted(one.parts):
                yield part, {0, *values}
        elif one.op in COUNTED and one.amount == "sum-of-dice":
            yield one, set(range(dice, 6 * dice + 1))
        elif one.op in COUNTED and one.amount is None:
            yield one, set(range(13))
        elif one.op in COUNTED and one.per is not None and one.per[0] == "symbol":
            yield one, {k * int(one.amount or 0) for k in range(dice + 1)}
        elif WORDS[one.op].shape is Shape.EFFECTS:
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


# ------------------------------------------------------------------ what somebody entered


def agrees(texts: Sequence[Effects], entered: Effects, dice: int) -> bool:
    """Can one of these texts come to what was entered? A number in place of the dice agrees with them; a text
    that nobody knows contradicts nothing."""
    given = list(_unwrapped(entered))
    return not texts or any(_comes_to(text, given, dice) for text in texts)


def _unwrapped(effects: Effects) -> Iterator[Effect]:
    """Without "then" and "additionally": they say when, not what."""
    for one in effects:
        if one.op in SEQUELS:
            yield from _unwrapped(one.parts)
        else:
            yield one


def _comes_to(text: Effects, given: list[Effect], dice: int) -> bool:
    sums = {one.op for one in flat(text) if one.amount == "sum-of-dice"}
    total = next((one.amount for one in given if one.op in sums and isinstance(one.amount, int)), None)
    rest = list(given)
    for one in _certain(text, total):
        if one not in rest:
            return False
        rest.remove(one)
    numbers = {op: values for op, (_, values) in possible_numbers(text, dice).items()}
    printed = list(flat(text))
    return all(one in printed or _may_come(one, printed, numbers) for one in rest)


def _certain(text: Effects, total: int | None) -> Iterator[Effect]:
    """What holds whatever the dice show and whatever is chosen."""
    for one in _unwrapped(text):
        if waits_for_dice(one) and total is not None and reaches(one, total):
            yield from _certain(one.parts, total)
        elif one.op not in _OPTIONAL and not hangs_on_dice(one) and one.per is None and one.up_to is None:
            yield one


def _may_come(one: Effect, printed: list[Effect], numbers: dict[str, set[int]]) -> bool:
    alike = [p for p in printed if (p.op, p.status, p.type, p.to) == (one.op, one.status, one.type, one.to)]
    if one.op not in COUNTED:
        return any(p.amount == one.amount for p in alike)
    if any(p.amount is None or p.up_to is not None or _counts_the_table(p) for p in alike):
        return True
    values = {p.amount for p in alike if isinstance(p.amount, int)} | numbers.get(one.op, set())
    return bool(alike) and one.amount in values


def _counts_the_table(one: Effect) -> bool:
    """Per token, companion, CP ...: what lies there, not what the dice show."""
    return one.per is not None and one.per[0] != "symbol"


# ------------------------------------------------------------------ the rules on reading it


def text_rules(effects: Effects | None) -> tuple[str, ...]:
    """The rules on how such a text is read (rules DT-TXT)."""
    rules: dict[str, None] = {}
    counted: list[str] = []
    for one in flat(effects):
        rules.update(dict.fromkeys(WORDS[one.op].rules))
        if one.on and one.op == "roll":
            rules["DT-TXT-02"] = None
        if one.each:
            rules["DT-TXT-03"] = None
        if one.per is not None and one.per[0] == "symbol":
            counted.append(one.per[1])
            rules["DT-TXT-03"] = None
        elif one.condition is not None and one.condition.kind == "symbols":
            counted.extend(one.condition.value)
            rules["DT-TXT-02"] = None
    if len(counted) > len(set(counted)):
        rules["DT-ACT-06"] = None
    if len(effects or ()) > 1 and "DT-TXT-04" not in rules:
        rules["DT-TXT-08"] = None
    return tuple(rules)
