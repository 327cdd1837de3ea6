"""The working record of one event: steps, refusals, questions and the open points it touches.

Also the choices an event carries, used in the order in which they are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TypeVar

from judge.core.messages import Message, Ref
from judge.rules.dice_forge.catalog import RESOURCES, Amounts, Catalog
from judge.rules.dice_forge.state import State
from judge.rules.dice_forge.table import NO_CHOICES, Choices, Copy, Placement
from judge.rules.ruling import Step

# Open points without an adopted reading; unless the head judge decides, the first reading is followed.
UNSETTLED = {"DF-AMB-02": ("a", "b"), "DF-AMB-04": ("a", "b")}
# The others follow the adopted reading, a, unless the head judge says b.
READINGS = {f"DF-AMB-{n:02}": ("a", "b") for n in range(1, 12)}

T = TypeVar("T")

FindRoll = Callable[[str], "tuple[str, ...] | None"]


class Desk:
    """The record of one event. `coming` finds a step-1 roll entered later: all roll at once (DF-BLESS-01)."""

    __slots__ = (
        "asks", "at", "catalog", "coming", "gone", "lines", "open", "points", "refusals", "rulings", "state",
    )  # fmt: skip

    def __init__(
        self, at: int | str, state: State, catalog: Catalog, rulings: Mapping[str, str], coming: FindRoll
    ) -> None:
        self.at = (at,)
        self.state = state
        self.catalog = catalog
        self.rulings = rulings
        self.coming = coming
        self.lines: list[Step] = []
        self.refusals: list[Step] = []
        self.points: list[str] = []
        self.open: list[str] = []
        self.asks: list[tuple[str, Message]] = []
        # faces bought earlier in the same collision; a player who comes too late simply buys nothing
        self.gone: set[str] | None = None

    def say(self, key: str, rules: Iterable[str], value: int | None = None, /, **params: object) -> None:
        self.lines.append(Step(Message(key, **params), tuple(rules), self.at, value))

    def refuse(self, key: str, *rules: str, **params: object) -> None:
        self.refusals.append(Step(Message(key, **params), rules, self.at))

    def ask(self, fact: str, key: str, **params: object) -> None:
        self.asks.append((fact, Message(key, **params)))

    def point(self, rule: str) -> None:
        """Note that the ruling rests on an open point with an adopted reading."""
        if rule not in self.points:
            self.points.append(rule)

    def adopted(self, rule: str) -> str:
        """The reading to follow at a point with an adopted one: that one, or the file's decision."""
        self.point(rule)
        return self.rulings.get(rule, "a")

    def reading(self, rule: str) -> str:
        """The reading to follow at a point without an adopted one; it stays open unless the file decides."""
        self.point(rule)
        if rule in self.rulings:
            return self.rulings[rule]
        if rule not in self.open:
            self.open.append(rule)
        return UNSETTLED[rule][0]


def amounts_in_words(amounts: Amounts) -> list[Message]:
    return [Message(f"df_{RESOURCES[letter]}", n=n) for letter, n in amounts.items()]


@cache
def face_ref(face: str) -> Ref:
    return Ref("face", face)


@cache
def resource_ref(letter: str) -> Ref:
    return Ref("resource", letter)


@cache
def feat_ref(feat: str) -> Ref:
    return Ref("feat", feat)


def face_refs(faces: Iterable[str | None]) -> list[Ref]:
    return [face_ref(face) for face in faces if face]


class Picks:
    """The choices of one event, used up as they are needed."""

    __slots__ = (
        "_bought", "_chosen", "_copied", "_forged", "choices", "hammer", "hammerless", "may_convert",
        "multiplied", "rules",
    )  # fmt: skip

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.hammer = choices.hammer
        self._chosen = self._copied = self._bought = 0
        self._forged = False
        # whether a surplus of choices is an attempt to spread a tripled choice (DF-FACE-06)
        self.multiplied = False
        # whether a gain here may be converted into glory (Sentinel, Cyclops)
        self.may_convert = False
        # players who gained gold but have no Hammer to send it to, and why
        self.hammerless: tuple[str, tuple[str, ...]] | None = None
        # rules that forbid what is left over, besides the usual ones
        self.rules: tuple[str, ...] = ()

    def choose(self) -> str | None:
        return self._next("_chosen", self.choices.choose)

    def copy(self) -> Copy | None:
        return self._next("_copied", self.choices.copy)

    def buy(self) -> Placement | None:
        return self._next("_bought", self.choices.buy)

    def forge(self) -> Placement | None:
        self._forged = True
        return self.choices.forge

    def _next(self, counter: str, items: Sequence[T]) -> T | None:
        at: int = getattr(self, counter)
        if at >= len(items):
            return None
        setattr(self, counter, at + 1)
        return items[at]

    def peek_copy(self) -> Copy | None:
        return self.choices.copy[self._copied] if self._copied < len(self.choices.copy) else None

    def refuse_leftovers(self, desk: Desk) -> None:
        """Refuse choices that nothing asked for: they claim something the rules do not give."""
        choices = self.choices
        if choices is NO_CHOICES:
            return
        if self._chosen < len(choices.choose):
            rule = "DF-FACE-06" if self.multiplied else "DF-FACE-02"
            desk.refuse("df_too_many_choices", rule, *self.rules, n=len(choices.choose), needed=self._chosen)
        if self._copied < len(choices.copy):
            desk.refuse("df_nothing_to_copy", "DF-FACE-07")
        if self._bought < len(choices.buy):
            key = "df_one_face_a_ship" if self._bought else "df_no_ship_shown"
            desk.refuse(key, "DF-FACE-10", "DF-OFFER-01", *self.rules)
        if self.hammer and self.hammerless:
            desk.refuse("df_no_hammer", *self.hammerless[1], who=self.hammerless[0])
        elif self.hammer:
            desk.refuse("df_hammer_only_gained_gold", "DF-CARD-03", n=self.hammer)
        if choices.convert and not self.may_convert:
            desk.point("DF-AMB-09")
            desk.refuse("df_no_declining_for_glory", "DF-AMB-09")
        if choices.forge is not None and not self._forged:
            desk.refuse("df_no_face_to_forge", "DF-DICE-02", "DF-DICE-03", "DF-FORGE-08")
