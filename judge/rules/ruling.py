"""The ruling on one table: both games return it; page, API and PDF show it.

Sentences are still `Message`s here; `as_json` puts them into a language and adds the citations.
Classes are slotted but not frozen: a ruling makes many of them, and freezing was most of their cost.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

from judge.core.messages import Message, Phrasebook
from judge.rules.rulebook import Rulebook

Verdict = Literal["legal", "illegal", "discretion"]


@dataclass(slots=True)
class EventRuling:
    """The verdict on one event. `reasons` are every reason it is illegal, or what it did.

    `decides` are the one to three rules a judge would point at, the most telling one first.
    """

    n: int | str
    verdict: Verdict
    rules: list[str]
    reasons: list[Message]
    decides: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Step:
    """One line of the explanation: what, by which rules, from which events, giving which number."""

    says: Message
    rules: tuple[str, ...]
    events: tuple[int | str, ...] = ()
    value: int | None = None


class Report(Protocol):
    """Part of a ruling that shows the state: a player, the turn."""

    def as_json(self) -> dict[str, Any]: ...


P = TypeVar("P", bound=Report)  # how the game shows a player
R = TypeVar("R", bound=Report)  # how the game shows where the turn stands


@dataclass(slots=True)
class Order:
    """How a collision was settled: positions inside it, first resolved first, and what became of each."""

    event: int | str
    sequence: list[int]
    outcomes: list[str]
    verdicts: list[str]  # in declared order
    rules: tuple[str, ...] = ()
    decides: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        tree: dict[str, Any] = {
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


@dataclass(slots=True)
class Reading(Generic[P, R]):
    """One reading of an open point, worked out to the end."""

    id: str
    reading: str
    says: Message
    ruling: Ruling[P, R]


@dataclass(slots=True)
class Ruling(Generic[P, R]):
    """Everything a ruling says (docs/files.md). `extra` is JSON that only one of the games has."""

    id: str | None
    game: str
    edition: str
    players: dict[str, P]
    turn: R
    record: Record
    resolutions: list[dict[str, Any]] = field(default_factory=list)
    may: dict[str, list[str]] = field(default_factory=dict)
    outcome: dict[str, Any] = field(default_factory=dict)
    lost: dict[str, dict[str, int]] = field(default_factory=dict)
    claims: list[dict[str, Any]] = field(default_factory=list)
    readings: list[Reading[P, R]] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def events(self) -> list[EventRuling]:
        return self.record.events

    @property
    def order(self) -> list[Order]:
        return self.record.order

    @property
    def steps(self) -> list[Step]:
        return self.record.steps

    @property
    def asks(self) -> list[Ask]:
        return self.record.asks

    @property
    def discretion(self) -> list[str]:
        return self.record.discretion


def as_json(ruling: Ruling[Any, Any], book: Rulebook, phrases: Phrasebook) -> dict[str, Any]:
    """The ruling as docs/files.md shows it, in the language of `phrases`."""
    tree: dict[str, Any] = {
        "id": ruling.id,
        "game": ruling.game,
        "edition": ruling.edition,
        "events": [_event(event, phrases) for event in ruling.events],
        "order": [entry.as_json() for entry in ruling.order],
        "resolutions": ruling.resolutions,
        "players": {name: player.as_json() for name, player in ruling.players.items()},
        "turn": ruling.turn.as_json(),
        "may": ruling.may,
        "outcome": ruling.outcome,
        "discretion": ruling.discretion,
        "lost": ruling.lost,
        **ruling.extra,
    }
    if "remarks" in ruling.extra:
        tree["remarks"] = _said(ruling.extra["remarks"], phrases)
    if ruling.readings:
        tree["readings"] = [_reading(reading, book, phrases) for reading in ruling.readings]
    tree["steps"] = [_step(step, phrases) for step in ruling.steps]
    if ruling.asks:
        tree["asks"] = [{"event": a.event, "for": a.what, "says": phrases.say(a.says)} for a in ruling.asks]
    if ruling.claims:
        tree["claims"] = _said(ruling.claims, phrases)
    tree["citations"] = book.citations(cited(ruling) & book.rules.keys(), ruling.edition, phrases.lang)
    return tree


def _reading(reading: Reading[Any, Any], book: Rulebook, phrases: Phrasebook) -> dict[str, Any]:
    return {
        "id": reading.id,
        "reading": reading.reading,
        "says": phrases.say(reading.says),
        "ruling": as_json(reading.ruling, book, phrases),
    }


def cited(ruling: Ruling[Any, Any]) -> set[str]:
    """Every rule that the ruling cites."""
    rules = {*ruling.discretion, *_rules_in(ruling.claims), *_rules_in(ruling.resolutions)}
    for event in ruling.events:
        rules.update(event.rules, event.decides)
    for step in ruling.steps:
        rules.update(step.rules)
    for entry in ruling.order:
        rules.update(entry.rules, entry.decides)
    for reading in ruling.readings:
        rules |= cited(reading.ruling)
    return rules


def _event(event: EventRuling, phrases: Phrasebook) -> dict[str, Any]:
    tree: dict[str, Any] = {"n": event.n, "verdict": event.verdict, "rules": event.rules}
    if event.decides:
        tree["decides"] = event.decides
    return {**tree, "says": " ".join(map(phrases.say, event.reasons))}


def _step(step: Step, phrases: Phrasebook) -> dict[str, Any]:
    line: dict[str, Any] = {
        "says": phrases.say(step.says),
        "rules": list(step.rules),
        "events": list(step.events),
    }
    if step.value is not None:
        line["value"] = step.value
    return line


def _said(value: Any, phrases: Phrasebook) -> Any:
    """The same tree with every Message turned into its sentence."""
    if isinstance(value, Message):
        return phrases.say(value)
    if isinstance(value, dict):
        return {key: _said(item, phrases) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_said(item, phrases) for item in value]
    return value


def _rules_in(value: Any, name: str = "") -> Iterator[str]:
    if name in ("rules", "decides"):
        yield from value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _rules_in(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from _rules_in(item)
