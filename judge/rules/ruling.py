"""The ruling: what the rules say about one table. Both games return it; page, API and PDF show it.

Sentences are still `Message`s here; `as_json` gives them a language and adds the citations.
Classes are slotted and not frozen: a ruling makes many of them, and freezing was most of their cost.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from judge.core.messages import Message, Phrasebook
from judge.rules.rulebook import Rulebook

Verdict = Literal["legal", "illegal", "discretion"]


@dataclass(slots=True)
class EventRuling:
    """The verdict on one event. `reasons` are every reason it is illegal, or what it did."""

    n: int | str
    verdict: Verdict
    rules: list[str]
    reasons: list[Message]


@dataclass(slots=True)
class Step:
    """One line of the explanation: what, by which rules, from which events, giving which number."""

    says: Message
    rules: tuple[str, ...]
    events: tuple[int | str, ...] = ()
    value: int | None = None


@dataclass(slots=True)
class Ruling:
    """Everything of a ruling (docs/files.md, section 2). `extra` is what only some have (teams ...)."""

    id: str | None
    game: str
    edition: str
    events: list[EventRuling] = field(default_factory=list)
    order: list[dict[str, Any]] = field(default_factory=list)
    resolutions: list[dict[str, Any]] = field(default_factory=list)
    players: dict[str, dict[str, Any]] = field(default_factory=dict)
    turn: dict[str, Any] = field(default_factory=dict)
    may: dict[str, list[str]] = field(default_factory=dict)
    outcome: dict[str, Any] = field(default_factory=dict)
    discretion: list[str] = field(default_factory=list)
    lost: dict[str, dict[str, int]] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    asks: list[dict[str, Any]] = field(default_factory=list)
    claims: list[dict[str, Any]] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)


# Numbers and ids only: nothing in them has to be said, and no rule is named.
_PLAIN = ("resolutions", "players", "turn", "may", "outcome", "lost")


def as_json(ruling: Ruling, book: Rulebook, phrases: Phrasebook) -> dict[str, Any]:
    """The ruling as docs/files.md shows it (section 2), in the language of `phrases`."""
    tree: dict[str, Any] = {
        "id": ruling.id,
        "game": ruling.game,
        "edition": ruling.edition,
        "events": [
            {"n": e.n, "verdict": e.verdict, "rules": e.rules, "says": " ".join(map(phrases.say, e.reasons))}
            for e in ruling.events
        ],
        "order": _said(ruling.order, phrases, book),
        "resolutions": ruling.resolutions,
        "players": ruling.players,
        "turn": ruling.turn,
        "may": ruling.may,
        "outcome": ruling.outcome,
        "discretion": ruling.discretion,
        "lost": ruling.lost,
        **_said(ruling.extra, phrases, book),
        "steps": [_step(step, phrases) for step in ruling.steps],
    }
    for name in ("asks", "claims"):
        if getattr(ruling, name):
            tree[name] = _said(getattr(ruling, name), phrases, book)
    cited = {rule for name, value in tree.items() if name not in _PLAIN for rule in _rules_in(value, name)}
    tree["citations"] = book.citations(cited & book.rules.keys(), ruling.edition, phrases.lang)
    return tree


def _step(step: Step, phrases: Phrasebook) -> dict[str, Any]:
    line: dict[str, Any] = {
        "says": phrases.say(step.says),
        "rules": list(step.rules),
        "events": list(step.events),
    }
    if step.value is not None:
        line["value"] = step.value
    return line


def _said(value: Any, phrases: Phrasebook, book: Rulebook) -> Any:
    """The same tree with every Message turned into its sentence, and every ruling of a reading into JSON."""
    if isinstance(value, Message):
        return phrases.say(value)
    if isinstance(value, Ruling):
        return as_json(value, book, phrases)
    if isinstance(value, dict):
        return {key: _said(item, phrases, book) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_said(item, phrases, book) for item in value]
    return value


def _rules_in(value: Any, name: str = "") -> Iterator[str]:
    if name in ("rules", "discretion"):
        yield from value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _rules_in(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from _rules_in(item)
