"""The entered events of a table as lines of a page, and the answer in numbers."""

from __future__ import annotations

import json
from dataclasses import dataclass

from judge.core.json_types import EventEntry, TableFile
from judge.core.messages import Lang
from judge.rules.ruling_json import EventJson, OrderJson, RulingJson
from judge.services.dispute.dice_throne.questions import verb_of
from judge.services.dispute.find_by_name import Things
from judge.services.dispute.table_files import tidy_event
from judge.web.dispute import words as rule_words


@dataclass(frozen=True, slots=True)
class Line:
    """An entered event and its verdict. order: how a collision was settled."""

    n: int
    event: EventEntry
    verb: str
    verdict: str
    label: str
    says: str
    rules: list[str]
    order: OrderJson | None

    @property
    def raw(self) -> str:
        """The event as a table file writes it."""
        return json.dumps(tidy_event(self.event), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody takes."""

    who: str
    final: int


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
            orders.get(str(n)),
        )
        for n, (event, verdict) in enumerate(
            zip(table.get("events") or [], ruling["events"], strict=True), start=1
        )
    ]


def label_of(event: EventEntry, things: Things, lang: Lang) -> str:
    """Who did what, in a few words: the reason for a refusal alone would not say what was tried."""
    verb = verb_of(event)
    if verb == "collide":
        return " ↔ ".join(label_of(action, things, lang) for action in event["collide"])
    if verb == "advance":
        return f"→ {rule_words.PHASES.get(event['advance'], event['advance'])}"
    value = event.get(verb)
    if verb == "upgrade":
        action = f"{thing_name(str(value), things, lang)} {'I' * int(event.get('level') or 2)}"
    elif verb in ("roll", "sell", "choose", "target", "bless", "offer"):
        values = value if isinstance(value, list) else [value]
        action = f"{rule_words.VERBS[verb]} {rule_words.short(values)}"
    else:
        action = thing_name(str(value), things, lang)
    dice = f" [{' '.join(map(str, event['dice']))}]" if event.get("dice") else ""
    return f"{event.get('by', '')}: {action}{dice}"


def thing_name(thing_id: str, things: Things, lang: Lang) -> str:
    namesakes = things.like(thing_id)
    if namesakes:
        return namesakes[0].name(lang)
    return rule_words.forge_name(thing_id, lang) or thing_id.replace("-", " ")


def answer(ruling: RulingJson) -> list[Answer]:
    """Who takes how much when damage was last concluded; empty where nothing was dealt."""
    resolutions = [resolution for resolution in ruling.get("resolutions") or [] if resolution["totals"]]
    if not resolutions:
        return []
    last = next((r for r in reversed(resolutions) if r["when"] == "roll-phase"), resolutions[-1])
    return [Answer(who, totals["final"]) for who, totals in last["totals"].items()]


def faults(ruling: RulingJson) -> list[EventJson]:
    """The events that were not allowed."""
    return [event for event in ruling["events"] if event["verdict"] == "illegal"]
