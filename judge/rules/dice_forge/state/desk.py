"""The working record of one event: steps, refusals, questions and the open points it touches.

Also the choices an event carries, used in the order in which they are needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Protocol, TypeVar

from judge.core.messages import Message, Ref
from judge.rules.dice_forge.state.catalog import RESOURCES, Amounts, Catalog
from judge.rules.dice_forge.state.model import Player, State
from judge.rules.dice_forge.state.table import NO_CHOICES, Choices, Copy, Event, Placement
from judge.rules.ruling import Step

if TYPE_CHECKING:
    from judge.rules.dice_forge.flow.supposed import Refused

# Open points without an adopted reading; unless the head judge decides, the first reading is followed.
UNSETTLED = {"DF-AMB-02": ("a", "b"), "DF-AMB-04": ("a", "b")}
# The others follow the adopted reading, a, unless the head judge says b.
READINGS = {f"DF-AMB-{n:02}": ("a", "b") for n in range(1, 16)}

MOST_REASONS = 12  # why one event is illegal

T = TypeVar("T")


class Coming(Protocol):
    """What the file enters after the present event and what belongs to it."""

    def minors(self, player: str) -> list[tuple[str, int | None]]: ...

    def bless_ousted(self, desk: Desk, player: str) -> None: ...


class Desk:
    """The record of one event; `early` are later events that were settled inside it, by number."""

    __slots__ = (
        "about", "asks", "at", "catalog", "coming", "early", "gone", "lines", "open", "points", "refusals",
        "rulings", "state",
    )  # fmt: skip

    def __init__(
        self, at: int | str, state: State, catalog: Catalog, rulings: Mapping[str, str], coming: Coming
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
        self.early: dict[int, Desk] = {}
        # what a claim may rest on, if the event is illegal
        self.about: Refused | None = None
        # faces bought at this same moment, and by whom; a player who comes too late simply buys nothing
        self.gone: dict[str, str] = {}

    @property
    def own_lines(self) -> list[Step]:
        """Every reason why the event is illegal, or what it did, without the events settled inside it."""
        return [line for line in self.told if line.events == self.at] if self.early else self.told

    @property
    def told(self) -> list[Step]:
        """What is said about the event and what was settled inside it; of an illegal one only the reasons."""
        if not self.refusals:
            return self.lines
        cited = {rule for line in self.refusals for rule in line.rules}
        points = [line for line in self.lines if line.key == "df_open_point" and cited & {*line.rules}]
        return self.refusals + points

    def say(self, key: str, rules: Iterable[str], value: int | None = None, /, **params: object) -> None:
        self.lines.append(Step(key, params, tuple(rules), self.at, value))

    def refuse(self, key: str, *rules: str, **params: object) -> None:
        """Note a reason why the event is illegal; the same reason once, and not more than anybody reads."""
        line = Step(key, params, rules, self.at)
        if len(self.refusals) < MOST_REASONS and line not in self.refusals:
            self.refusals.append(line)

    def ask(self, fact: str, key: str, **params: object) -> None:
        self.asks.append((fact, Message(key, **params)))

    def point(self, rule: str) -> None:
        """Note that the ruling rests on an open point; the explanation names the question and our reading."""
        if rule not in self.points:
            self.points.append(rule)
            letter = self.rulings.get(rule, "a")
            self.say(
                "df_open_point", (rule,), question=Ref("point", rule), reading=Ref("reading", rule + letter)
            )

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
    return [_amount_in_words(letter, n) for letter, n in amounts.items()]


@lru_cache(maxsize=512)
def _amount_in_words(letter: str, n: int) -> Message:
    return Message(f"df_{RESOURCES[letter]}", n=n)


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
        "_between", "_bought", "_chosen", "_copied", "_forged", "choices", "converted", "hammer",
        "may_convert", "multiplied", "owner", "rules",
    )  # fmt: skip

    def __init__(self, choices: Choices, owner: Player) -> None:
        self.choices = choices
        # whose choices they are; gold of others never goes to this player's Hammer, nor to one of theirs
        self.owner = owner
        self.hammer = choices.hammer
        self._chosen = self._copied = self._bought = 0
        self._forged = self._between = False
        # what was turned down for glory so far
        self.converted: dict[str, int] = {}
        # whether a surplus of choices is an attempt to spread a tripled choice (DF-FACE-06)
        self.multiplied = False
        # whether a gain here may be converted into glory (Sentinel, Cyclops)
        self.may_convert = False
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

    def between(self) -> Event | None:
        self._between = True
        return self.choices.between

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
        if self.hammer:
            self._refuse_hammer(desk)
        if choices.convert:
            self._refuse_conversion(desk)
        if choices.between is not None and not self._between:
            desk.refuse("df_no_two_faces", "DF-CARD-22", "DF-BLESS-07")
        if choices.forge is not None and not self._forged:
            desk.refuse("df_no_face_to_forge", "DF-DICE-02", "DF-DICE-03", "DF-FORGE-08")

    def _refuse_hammer(self, desk: Desk) -> None:
        """Refuse gold for a Hammer that nobody gained, or that its player does not have."""
        hammer = self.owner.hammer
        if hammer is None:
            desk.refuse("df_no_hammer", "DF-CARD-01", who=self.owner.id)
        elif hammer.retired:
            desk.refuse("df_no_hammer", "DF-CARD-02", "DF-CARD-04", who=self.owner.id)
        else:
            desk.refuse("df_hammer_only_gained_gold", "DF-CARD-03", n=self.hammer)

    def _refuse_conversion(self, desk: Desk) -> None:
        """Refuse glory for what was not gained, or where no card offers it."""
        wish = self.choices.convert
        if not self.may_convert:
            desk.point("DF-AMB-09")
            desk.refuse("df_no_declining_for_glory", "DF-AMB-09")
        elif isinstance(wish, Mapping):
            for letter, n in wish.items():
                if n > self.converted.get(letter, 0):
                    what = amounts_in_words({letter: n})[0]
                    desk.refuse("df_convert_not_gained", *self.rules, "DF-CARD-15", "DF-CARD-25", what=what)
