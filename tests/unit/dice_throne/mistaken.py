"""Mistaken sums by hand: what somebody gets who forgets, mixes up or leaves out one thing. Nothing of the
engine is used here; every function takes what happened and gives the wrong number."""

from collections.abc import Iterable, Sequence
from math import ceil

POISON_LIMIT = 3
HEALTH_CAP = 60


def tokens_without_limit(held: int, inflicted: int) -> int:
    """Poison deals 1 per token; somebody lays down more than the stack limit allows."""
    return held + inflicted


def health_without_cap(health: int, healed: int, lost: int) -> int:
    return max(health + healed - lost, 0)


def each_source_halved(deals: Sequence[int], prevented: int, halves: int) -> int:
    """Every half is taken of each source and rounded up there, instead of once of the Subtotal."""
    left = sum(deals) - prevented
    for _ in range(halves):
        left -= sum(ceil(amount / 2) for amount in deals)
    return max(left, 0)


def healing_taken_off(dealt: int, prevented: int, halves: int, healed: int) -> int:
    """Healing is subtracted from the damage as if it prevented it."""
    return max(one_pool(dealt, prevented, halves) - healed, 0)


def one_pool(dealt: int, prevented: int, halves: int) -> int:
    subtotal = max(dealt - prevented, 0)
    return max(subtotal - halves * ceil(subtotal / 2), 0)


def isolated_counted_in(dealt: int, prevented: int, halves: int, isolated: Iterable[int]) -> int:
    """The damage of isolated sources is added to that of the Attack."""
    return one_pool(dealt, prevented, halves) + sum(isolated)


def one_left_out(dealt: int, answers: Sequence[tuple[str, int]], forgotten: int) -> int:
    """The whole sum without the answer at that place."""
    kept = [answer for place, answer in enumerate(answers) if place != forgotten]
    added = sum(n for kind, n in kept if kind == "add")
    prevented = sum(n for kind, n in kept if kind == "prevent")
    return one_pool(dealt + added, prevented, sum(kind == "half" for kind, _ in kept))


def one_after_the_other(dealt: int, actions: Sequence[tuple[str, int]]) -> int:
    """Protect and Evasive against their removal, in exactly this order: whoever comes first has the token."""
    held, halved, avoided = {"protect", "evasive"}, False, False
    for action, die in actions:
        thing = action.split()[1]
        if action.startswith("spend") and thing in held:
            halved = halved or thing == "protect"
            avoided = avoided or (thing == "evasive" and die <= 2)
        held.discard(thing)
    if avoided:
        return 0
    return dealt - ceil(dealt / 2) if halved else dealt
