"""The ruling on one table: both games return it; page, API and PDF show it.

Sentences are still `Message`s here; `as_json` puts them into a language and adds the citations.
Classes are slotted but not frozen: a ruling makes many of them, and freezing was most of their cost.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar, cast

from judge.core.json_types import JsonObject
from judge.core.messages import Message, Phrasebook, Ref
from judge.rules.rulebook import Rulebook

if TYPE_CHECKING:  # a cold start need not load them
    from judge.rules.ruling_json import (
        ClaimJson,
        EventJson,
        MistakeJson,
        OrderJson,
        OutcomeJson,
        PartJson,
        ReadingJson,
        ResolutionJson,
        RulingJson,
        StepJson,
        TotalJson,
    )

Verdict = Literal["legal", "illegal", "discretion"]


class EventRuling:
    """The verdict on one event. `reasons` are every reason it is illegal, or what it did.

    `decides` are the one to three rules a judge would point at, the most telling one first.
    """

    __slots__ = ("_reasons", "_rules", "decides", "n", "verdict")

    def __init__(
        self, n: int | str, verdict: Verdict, rules: list[str], reasons: list[Message], decides: list[str]
    ) -> None:
        self.n, self.verdict, self.decides = n, verdict, decides
        self._rules: list[str] | dict[str, None] = rules
        self._reasons = reasons

    @property
    def rules(self) -> list[str]:
        """Every rule it rests on, once each."""
        if isinstance(self._rules, list):
            self._rules = dict.fromkeys(self._rules)
        return list(self._rules)

    @property
    def reasons(self) -> list[Message]:
        return self._reasons


@dataclass(slots=True)
class Step:
    """One line of the explanation: what, by which rules, from which events, giving which number."""

    key: str
    params: dict[str, Any]
    rules: tuple[str, ...]
    events: tuple[int | str, ...] = ()
    value: int | None = None

    @property
    def says(self) -> Message:
        return Message(self.key, **self.params)


# A step as an engine keeps it while it works: the fields of a `Step`, its parameters as names and values,
# which are quicker to make than a dictionary.
Told = tuple[str, tuple[str, ...], tuple[Any, ...], tuple[str, ...], tuple[int | str, ...], int | None]


def steps_of(told: Iterable[Told]) -> list[Step]:
    return [
        Step(key, dict(zip(names, values, strict=True)), rules, events, value)
        for key, names, values, rules, events, value in told
    ]


class Report(Protocol):
    """Part of a ruling that shows the state: a player, the turn, what only one game has."""

    def as_json(self) -> JsonObject: ...


P = TypeVar("P", bound=Report)  # how the game shows a player
R = TypeVar("R", bound=Report)  # how the game shows where the turn stands
E = TypeVar("E", bound=Report)  # what only this game's rulings show


@dataclass(slots=True)
class Order:
    """How a collision was settled: positions inside it, first resolved first, and what became of each."""

    event: int | str
    sequence: list[int]
    outcomes: list[str]
    verdicts: list[str]  # in declared order
    rules: tuple[str, ...] = ()
    decides: list[str] = field(default_factory=list)

    def as_json(self) -> OrderJson:
        tree: OrderJson = {
            "event": self.event,
            "sequence": self.sequence,
            "outcomes": self.outcomes,
            "verdicts": self.verdicts,
        }
        if self.rules:
            tree["rules"] = list(self.rules)
        if self.decides:
            tree["decides"] = self.decides
        return tree


@dataclass(slots=True)
class SumPart:
    """One part of a damage total: an amount (below 0 where it is taken off) and where it came from."""

    kind: str  # dealt | returned | added | prevented | reduced | fraction | avoided
    amount: int
    event: int | str
    thing: Ref | None = None
    by: str = ""

    def as_json(self, phrases: Phrasebook) -> PartJson:
        tree: PartJson = {"kind": self.kind, "amount": self.amount, "event": self.event, "by": self.by}
        if self.thing is not None:
            tree["says"] = phrases.word(self.thing)
        return tree


class DamageTotal(ABC):
    """The damage one player takes when damage is concluded. An engine works it out and explains it."""

    __slots__ = ("final", "fractions", "healed", "incoming", "subtotal")

    incoming: int
    subtotal: int
    fractions: list[int]
    final: int
    healed: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DamageTotal) and self._numbers() == other._numbers()

    __hash__ = None  # type: ignore[assignment]  # totals are compared, never kept by hash

    def _numbers(self) -> tuple[int, int, list[int], int, int]:
        return self.incoming, self.subtotal, self.fractions, self.final, self.healed

    @abstractmethod
    def deciding(self) -> list[str]:
        """The one to three rules a judge would point at."""

    @abstractmethod
    def parts(self) -> list[SumPart]:
        """The parts of the sum."""

    def as_json(self, phrases: Phrasebook) -> TotalJson:
        return {
            "incoming": self.incoming,
            "subtotal": self.subtotal,
            "fractions": self.fractions,
            "final": self.final,
            "healed": self.healed,
            "decides": self.deciding(),
            "parts": [part.as_json(phrases) for part in self.parts()],
        }


@dataclass(slots=True)
class Resolution:
    """Damage concluded at one moment: the total of each player who was dealt some."""

    when: str
    totals: dict[str, DamageTotal]

    def as_json(self, phrases: Phrasebook) -> ResolutionJson:
        totals = {name: total.as_json(phrases) for name, total in self.totals.items()}
        return {"when": self.when, "totals": totals}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether the game goes on and who has won; `scores` in a game that counts points."""

    state: Literal["playing", "won", "shared", "draw"]
    winners: list[str]
    scores: dict[str, int] | None = None

    def as_json(self) -> OutcomeJson:
        tree: OutcomeJson = {"state": self.state, "winners": self.winners}
        if self.scores is not None:
            tree["scores"] = self.scores
        return tree


PLAYING = Outcome("playing", [])


@dataclass(frozen=True, slots=True)
class MistakeReport:
    """A mistake that explains a wrong claim. `about` names the event, book, reading or status concerned."""

    name: str
    says: Message
    rules: tuple[str, ...]
    about: tuple[tuple[str, Any], ...] = ()

    def as_json(self, phrases: Phrasebook) -> MistakeJson:
        tree = {"name": self.name, "says": phrases.say(self.says), "rules": list(self.rules)}
        return cast("MistakeJson", {**tree, **dict(self.about)})


@dataclass(slots=True)
class ClaimReport:
    """The verdict on a claimed number: `mistakes` together give it; `also` are other explanations."""

    by: str
    player: str
    of: str
    claimed: int
    true: int
    says: Message
    mistakes: tuple[MistakeReport, ...] = ()
    also: list[tuple[MistakeReport, ...]] = field(default_factory=list)

    @property
    def is_right(self) -> bool:
        return self.claimed == self.true

    def as_json(self, phrases: Phrasebook) -> ClaimJson:
        tree = {
            "by": self.by, "player": self.player, "of": self.of, "claimed": self.claimed, "is": self.true,
            "right": self.is_right, "mistakes": [mistake.as_json(phrases) for mistake in self.mistakes],
        }  # fmt: skip
        if self.mistakes:
            tree["also"] = [[mistake.as_json(phrases) for mistake in other] for other in self.also]
        return cast("ClaimJson", {**tree, "says": phrases.say(self.says)})


@dataclass(slots=True)
class Ask:
    """A fact that neither the catalogue nor the file gives."""

    event: int | str
    what: str
    says: Message


@dataclass(slots=True)
class Record:
    """What an engine records while it replays the events."""

    events: list[EventRuling] = field(default_factory=list)
    order: list[Order] = field(default_factory=list)
    discretion: list[str] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    asks: list[Ask] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)  # steps that nobody has read yet

    def read_steps(self) -> list[Step]:
        """The steps, made when first asked."""
        if self.told:
            self.steps, self.told = self.steps + steps_of(self.told), []
        return self.steps


@dataclass(slots=True)
class Reading(Generic[P, R, E]):
    """One reading of an open point, worked out to the end."""

    id: str
    reading: str
    says: Message
    ruling: Ruling[P, R, E]


@dataclass(slots=True)
class Ruling(Generic[P, R, E]):
    """Everything a ruling says (docs/files.md). `extra` is what only one of the games has."""

    id: str | None
    game: str
    edition: str
    players: dict[str, P]
    turn: R
    record: Record
    extra: E
    resolutions: list[Resolution] = field(default_factory=list)
    find_may: Callable[[], dict[str, list[str]]] = field(default=dict, compare=False, repr=False)
    outcome: Outcome = PLAYING
    lost: dict[str, dict[str, int]] = field(default_factory=dict)
    claims: list[ClaimReport] = field(default_factory=list)
    readings: list[Reading[P, R, E]] = field(default_factory=list)
    remarks: list[Message] = field(default_factory=list)  # about the file itself
    _may: dict[str, list[str]] | None = field(default=None, init=False, compare=False, repr=False)

    @property
    def may(self) -> dict[str, list[str]]:
        """What each player may do next, found when first asked."""
        if self._may is None:
            self._may = self.find_may()
        return self._may

    @property
    def events(self) -> list[EventRuling]:
        return self.record.events

    @property
    def order(self) -> list[Order]:
        return self.record.order

    @property
    def steps(self) -> list[Step]:
        return self.record.read_steps()

    @property
    def asks(self) -> list[Ask]:
        return self.record.asks

    @property
    def discretion(self) -> list[str]:
        return self.record.discretion


AnyRuling = Ruling[Any, Any, Any]


def as_json(ruling: AnyRuling, book: Rulebook, phrases: Phrasebook, in_brief: bool = False) -> RulingJson:
    """The ruling as docs/files.md shows it, in the language of `phrases`; in brief, without what the judge's
    desk does not show: the steps, the cited rules and what each player may do next."""
    tree: JsonObject = {
        "id": ruling.id,
        "game": ruling.game,
        "edition": ruling.edition,
        "events": [_event(event, phrases) for event in ruling.events],
        "order": [entry.as_json() for entry in ruling.order],
        "resolutions": [resolution.as_json(phrases) for resolution in ruling.resolutions],
        "players": {name: player.as_json() for name, player in ruling.players.items()},
        "turn": ruling.turn.as_json(),
        **({} if in_brief else {"may": ruling.may}),
        "outcome": ruling.outcome.as_json(),
        "discretion": ruling.discretion,
        "lost": ruling.lost,
        **ruling.extra.as_json(),
    }
    if ruling.remarks:
        tree["remarks"] = list(map(phrases.say, ruling.remarks))
    if ruling.readings:
        tree["readings"] = [_reading(reading, book, phrases, in_brief) for reading in ruling.readings]
    if not in_brief:
        tree["steps"] = [_step(step, phrases) for step in ruling.steps]
    if ruling.asks:
        tree["asks"] = [{"event": a.event, "for": a.what, "says": phrases.say(a.says)} for a in ruling.asks]
    if ruling.claims:
        tree["claims"] = [claim.as_json(phrases) for claim in ruling.claims]
    if not in_brief:
        tree["citations"] = book.citations(cited(ruling) & book.rules.keys(), ruling.edition, phrases.lang)
    return cast("RulingJson", tree)


def _reading(
    reading: Reading[Any, Any, Any], book: Rulebook, phrases: Phrasebook, in_brief: bool
) -> ReadingJson:
    return {
        "id": reading.id,
        "reading": reading.reading,
        "says": phrases.say(reading.says),
        "ruling": as_json(reading.ruling, book, phrases, in_brief),
    }


def cited(ruling: AnyRuling) -> set[str]:
    """Every rule that the ruling cites."""
    rules = set(ruling.discretion)
    for claim in ruling.claims:
        for explanation in (claim.mistakes, *claim.also):
            rules.update(rule for mistake in explanation for rule in mistake.rules)
    for resolution in ruling.resolutions:
        for total in resolution.totals.values():
            rules.update(total.deciding())
    for event in ruling.events:
        rules.update(event.rules, event.decides)
    for step in ruling.steps:
        rules.update(step.rules)
    for entry in ruling.order:
        rules.update(entry.rules, entry.decides)
    for reading in ruling.readings:
        rules |= cited(reading.ruling)
    return rules


def _event(event: EventRuling, phrases: Phrasebook) -> EventJson:
    says = " ".join(map(phrases.say, event.reasons))
    if event.decides:
        return {
            "n": event.n, "verdict": event.verdict, "rules": event.rules, "decides": event.decides,
            "says": says,
        }  # fmt: skip
    return {"n": event.n, "verdict": event.verdict, "rules": event.rules, "says": says}


def _step(step: Step, phrases: Phrasebook) -> StepJson:
    line: StepJson = {
        "says": phrases.fill(phrases.sentences[step.key], step.params),
        "rules": list(step.rules),
        "events": list(step.events),
    }
    if step.value is not None:
        line["value"] = step.value
    return line
