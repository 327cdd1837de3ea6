"""The entered events of a table as lines of a page, and the answer in numbers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from judge.core.messages import Lang
from judge.services.dispute.dice_throne.questions import verb_of
from judge.services.dispute.find_by_name import Things
from judge.services.dispute.table_files import tidy_event
from judge.web.dispute import words as rule_words

Ruled = dict[str, Any]  # a ruling as JSON, in the reader's language


@dataclass(frozen=True, slots=True)
class Line:
    """An entered event and its verdict. order: how a collision was settled."""

    n: int
    event: dict[str, Any]
    verb: str
    verdict: str
    label: str
    says: str
    rules: list[str]
    order: dict[str, Any] | None

    @property
    def raw(self) -> str:
        """The event as a table file writes it."""
        return json.dumps(tidy_event(self.event), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody takes."""

    who: str
    final: int


def lines(table: dict[str, Any], ruling: Ruled, lang: Lang) -> list[Line]:
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


def label_of(event: dict[str, Any], things: Things, lang: Lang) -> str:
    """Who did what, in a few words; a refusal alone would not say what was tried."""
    verb = verb_of(event)
    if verb == "collide":
        return " ↔ ".join(label_of(one, things, lang) for one in event["collide"])
    if verb == "advance":
        return f"→ {rule_words.PHASES.get(event['advance'], event['advance'])}"
    value = event.get(verb)
    if verb == "upgrade":
        done = f"{thing_name(str(value), things, lang)} {'I' * int(event.get('level') or 2)}"
    elif verb in ("roll", "sell", "choose", "target", "bless", "offer"):
        shown = value if isinstance(value, list) else [value]
        done = f"{rule_words.VERBS[verb]} {rule_words.short(shown)}"
    else:
        done = thing_name(str(value), things, lang)
    dice = f" [{' '.join(map(str, event['dice']))}]" if event.get("dice") else ""
    return f"{event.get('by', '')}: {done}{dice}"


def thing_name(thing_id: str, things: Things, lang: Lang) -> str:
    known = things.like(thing_id)
    if known:
        return known[0].name(lang)
    return rule_words.forge_name(thing_id, lang) or thing_id.replace("-", " ")


def answer(ruling: Ruled) -> list[Answer]:
    """Who takes how much, as it was worked out last; empty where nothing was dealt."""
    done = [r for r in ruling.get("resolutions") or [] if r["totals"]]
    if not done:
        return []
    last = next((r for r in reversed(done) if r["when"] == "roll-phase"), done[-1])
    return [Answer(who, totals["final"]) for who, totals in last["totals"].items()]


def faults(ruling: Ruled) -> list[dict[str, Any]]:
    """The events that were not allowed."""
    return [event for event in ruling["events"] if event["verdict"] == "illegal"]
