"""Pending damage and healing: what is dealt, taken off, returned and healed before it is added up."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeVar

from judge.core.messages import Ref
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Label


class Deal:
    """Pending damage. `own` deals belong to the ability itself, the others were added to it."""

    __slots__ = ("amount", "attack", "by", "firm", "is_fixed", "n", "own", "returned", "source", "type")

    def __init__(
        self,
        amount: int,
        type: str,
        n: Label,
        by: Player | None,
        attack: bool,
        own: bool,
        returned: bool = False,
    ) -> None:
        self.amount, self.type, self.n, self.by = amount, type, n, by
        self.attack, self.own, self.returned = attack, own, returned
        self.source: Ref | None = None  # the status that deals it by itself, if any
        self.firm = False  # nothing lowers it, whatever its type
        self.is_fixed = False  # neither prevented nor reduced


class Term:
    """A specific number taken off in step 2 (prevented, or reduced by the attacker's own statuses)."""

    __slots__ = ("amount", "n", "reduction", "rules", "source")

    def __init__(
        self, amount: int, n: Label, source: Ref | None, rules: tuple[str, ...], reduction: bool = False
    ) -> None:
        self.amount, self.n, self.source, self.rules, self.reduction = amount, n, source, rules, reduction


_Entry = TypeVar("_Entry", tuple[Fraction, Label, Ref | None], tuple[int, Label])


def _not_of(entries: list[_Entry], n: Label) -> list[_Entry]:
    return [each for each in entries if each[1] != n]


class Pool:
    """All damage and healing pending for one player: of a phase, or of one isolated source."""

    __slots__ = (
        "avoided",
        "deals",
        "fractions",
        "heals",
        "multipliers",
        "passed_on",
        "player",
        "returns",
        "terms",
        "when",
    )

    def __init__(self, player: Player, when: str = "") -> None:
        self.player, self.when = player, when
        self.deals: list[Deal] = []
        self.terms: list[Term] = []
        self.fractions: list[tuple[Fraction, Label, Ref | None]] = []
        self.multipliers: tuple[tuple[Fraction, Label, Ref | None], ...] = ()
        self.passed_on: tuple[str, int | None] | None = None  # to a companion: so much, or all of it
        self.returns: list[tuple[Fraction, Label, Ref | None]] = []
        self.heals: list[tuple[int, Label]] = []
        self.avoided: tuple[Label, Ref | None, tuple[str, ...]] | None = None

    def forget(self, n: Label) -> None:
        """Take back what one event put here."""
        self.deals = [deal for deal in self.deals if deal.n != n]
        self.terms = [term for term in self.terms if term.n != n]
        self.fractions, self.returns = _not_of(self.fractions, n), _not_of(self.returns, n)
        self.heals = _not_of(self.heals, n)
        if self.avoided is not None and self.avoided[0] == n:
            self.avoided = None
