"""The entered events of a table as lines of a page, and the answer in numbers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from judge.core.json_types import EventEntry, TableFile
from judge.core.messages import Lang
from judge.rules.ruling_json import EventJson, OrderJson, RulingJson, TotalJson
from judge.schemas.dice_throne.names import plain_name
from judge.services.dispute.find_by_name import Things
from judge.services.dispute.table_files import tidy_event, verb_of
from judge.web.dispute import words as rule_words


@dataclass(frozen=True, slots=True)
class Line:
    """An entered event and its verdict. order: how colliding actions resolve, in names."""

    n: int
    event: EventEntry
    verb: str
    verdict: str
    label: str
    says: str
    rules: list[str]
    order: str

    @property
    def raw(self) -> str:
        """The event as a table file writes it."""
        return json.dumps(tidy_event(self.event), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Source:
    """Damage that was concluded at once; `name` is empty for an Attack."""

    amount: int
    name: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody takes altogether, and from what."""

    who: str
    final: int
    sources: tuple[Source, ...] = ()


def lines(table: TableFile, ruling: RulingJson, lang: Lang) -> list[Line]:
    """Every entered event with its verdict."""
    things = Things(table.get("catalogue"))
    orders = {str(order["event"]): order for order in ruling.get("order") or []}
    return [
        Line(
            n,
            event,
            verb_of(event),
            verdict["verdict"],
            label_of(event, things, lang),
            verdict["says"],
            verdict["rules"],
            _order(event, orders[str(n)], things, lang) if str(n) in orders else "",
        )
        for n, (event, verdict) in enumerate(
            zip(table.get("events") or [], ruling["events"], strict=True), start=1
        )
    ]


def _order(event: EventEntry, order: OrderJson, things: Things, lang: Lang) -> str:
    """ "Ana: Buh, Bye! (resolves) → Ben: Protect (resolves)"."""
    labels = [label_of(action, things, lang) for action in event["collide"]]
    outcomes = [rule_words.OUTCOMES.get(outcome, outcome) for outcome in order["outcomes"]]
    return " → ".join(
        f"{labels[k - 1]} ({says})" for k, says in zip(order["sequence"], outcomes, strict=True)
    )


def label_of(event: EventEntry, things: Things, lang: Lang) -> str:
    """Who did what, in a few words: the reason for a refusal alone would not say what was tried."""
    verb = verb_of(event)
    if verb == "collide":
        return " ↔ ".join(label_of(action, things, lang) for action in event["collide"])
    if verb == "advance":
        goal = event["advance"]
        return f"→ {rule_words.PHASES.get(goal) or rule_words.ENDS.get(goal, goal)}"
    value = event.get(verb)
    if verb == "upgrade":
        action = f"{thing_name(str(value), things, lang)} {'I' * int(event.get('level') or 2)}"
    elif verb in ("roll", "sell", "choose", "target", "bless", "offer"):
        values = value if isinstance(value, list) else [value]
        shown = " ".join(map(str, values)) if verb == "roll" else _short(values, things, lang)
        die = f" [{event['die']}]" if verb == "target" and event.get("die") else ""
        action = f"{rule_words.VERBS[verb]} {shown}".rstrip() + die
    else:
        action = thing_name(str(value), things, lang)
    dice = f" [{' '.join(map(str, event['dice']))}]" if event.get("dice") else ""
    return f"{event.get('by', '')}: {action}{dice}"


def _short(values: list[Any], things: Things, lang: Lang) -> str:
    """Numbers as they are, players by name, tokens and faces by theirs."""
    entries = [value.get("face") if isinstance(value, dict) else value for value in values]
    return ", ".join(
        str(entry) if isinstance(entry, int) else thing_name(str(entry), things, lang, entry)
        for entry in entries
        if entry is not None
    )


def thing_name(thing_id: str, things: Things, lang: Lang, as_written: str = "") -> str:
    namesakes = things.like(thing_id)
    if namesakes:
        return namesakes[0].name(lang)
    return rule_words.forge_name(thing_id, lang) or plain_name(as_written or thing_id.replace("-", " "), lang)


def answer(ruling: RulingJson) -> list[Answer]:
    """Who takes how much, of all damage that was concluded; empty where nothing was dealt."""
    sources: dict[str, list[Source]] = {}
    for resolution in ruling.get("resolutions") or []:
        for who, total in resolution["totals"].items():
            sources.setdefault(who, []).append(Source(total["final"], _source(total)))
    return [Answer(who, sum(s.amount for s in taken), _joined(taken)) for who, taken in sources.items()]


def _source(total: TotalJson) -> str:
    """The thing that dealt the damage; nothing for an Attack with all that belongs to it."""
    parts = total.get("parts") or []
    first = parts[0] if parts else None
    return first["says"] if first and (not first["by"] or first["kind"] == "returned") else ""


def _joined(taken: list[Source]) -> tuple[Source, ...]:
    """The same sources added up, those of nothing left out."""
    sums: dict[str, int] = {}
    for source in taken:
        sums[source.name] = sums.get(source.name, 0) + source.amount
    return tuple(Source(amount, name) for name, amount in sums.items() if amount)


def faults(ruling: RulingJson) -> list[EventJson]:
    """The events that were not allowed."""
    return [event for event in ruling["events"] if event["verdict"] == "illegal"]
