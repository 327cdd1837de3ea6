"""The answer of a ruling in words: who takes how much and from what, what is still open, which actions were
not allowed, and in which order colliding actions resolve. In one language or two, never the page's alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from judge.core.errors import InputError
from judge.core.json_types import EventEntry, TableFile
from judge.core.messages import Lang
from judge.rules.ruling_json import EventJson, OrderJson, RulingJson
from judge.services.dispute.entering import event_at
from judge.services.dispute.find_by_name import Things
from judge.services.dispute.table_files import verb_of
from judge.web.dispute.lines import Answer, answer, faults, label_of, thing_name
from judge.web.dispute.words import OUTCOMES
from judge.web.frame.texts import gettext, speaking


@dataclass(frozen=True, slots=True)
class Taken:
    """What one player takes: the number, the word for it, and where it came from."""

    who: str
    takes: str
    final: int
    sources: str


@dataclass(frozen=True, slots=True)
class OrderCard:
    """One of the actions that collided, in the order in which they resolve."""

    what: str
    outcome: str
    is_void: bool


@dataclass(frozen=True, slots=True)
class Order:
    """How colliding actions resolve, and the rule that says so."""

    cards: tuple[OrderCard, ...]
    why: str
    rule: str

    @property
    def in_short(self) -> str:
        return " → ".join(f"{card.what} ({card.outcome})" for card in self.cards)


@dataclass(frozen=True, slots=True)
class Box:
    """The answer in one language. `left` says that the books leave it to the head judge; `nothing` is what is
    said where nothing else is."""

    lang: Lang
    taken: tuple[Taken, ...]
    open: str
    open_event: str
    faults: tuple[str, ...]
    orders: tuple[Order, ...]
    nothing: str
    left: str = ""


def boxes(table: TableFile, rulings: Mapping[Lang, RulingJson]) -> list[Box]:
    """The answer in each language of the page."""
    return [box(table, ruling, lang) for lang, ruling in rulings.items()]


def box(table: TableFile, ruling: RulingJson, lang: Lang) -> Box:
    things = _things(table)
    asks = ruling.get("asks") or []
    with speaking(lang):
        taken = tuple(_taken(each) for each in sorted(answer(ruling), key=lambda each: each.final))
        forbidden = tuple(may_not(table, fault, things, lang) for fault in faults(ruling))
        orders = tuple(_orders(table, ruling, things, lang))
        return Box(
            lang,
            taken,
            gettext("Not decided yet: %(question)s", question=asks[0]["says"]) if asks else "",
            str(asks[0]["event"]) if asks else "",
            forbidden,
            orders,
            _nothing(ruling) if not (taken or asks or forbidden or orders) else "",
            gettext("Left to the head judge") if ruling.get("readings") else "",
        )


def _things(table: TableFile) -> Things:
    """The names at the table; a kept table may hold a catalogue that today's reader refuses."""
    try:
        return Things(table.get("catalogue"))
    except InputError:
        return Things(None)


def _nothing(ruling: RulingJson) -> str:
    if not ruling["events"]:
        return gettext("Nothing has been entered yet.")
    return gettext("Everything was allowed. No damage.")


def _taken(each: Answer) -> Taken:
    parts = [f"{source.amount} {source.name or gettext('Attack')}" for source in each.sources]
    return Taken(each.who, gettext("takes"), each.final, " + ".join(parts) if len(parts) > 1 else "")


def may_not(table: TableFile, fault: EventJson, things: Things, lang: Lang) -> str:
    """Who may not do what, and why: "Ben may not play Concuss! now: ..."."""
    event, why = event_at(table, fault["n"]), fault["says"]
    verb, who = verb_of(event), str(event.get("by", ""))
    thing = thing_name(str(event.get(verb)), things, lang)
    if verb == "play":
        return gettext("%(who)s may not play %(thing)s now: %(why)s", who=who, thing=thing, why=why)
    if verb == "spend":
        return gettext("%(who)s may not spend %(thing)s now: %(why)s", who=who, thing=thing, why=why)
    if verb == "defend":
        return gettext("%(who)s may not defend with %(thing)s now: %(why)s", who=who, thing=thing, why=why)
    if verb in ("activate", "announce"):
        return gettext("%(who)s may not activate %(thing)s now: %(why)s", who=who, thing=thing, why=why)
    if verb == "upgrade":
        return gettext("%(who)s may not upgrade %(thing)s now: %(why)s", who=who, thing=thing, why=why)
    return gettext("Not allowed now: %(what)s. %(why)s", what=label_of(event, things, lang), why=why)


def _orders(table: TableFile, ruling: RulingJson, things: Things, lang: Lang) -> Iterator[Order]:
    for order in ruling.get("order") or []:
        actions: list[EventEntry] = event_at(table, order["event"]).get("collide") or []
        cards = tuple(_card(actions, order, k, things, lang) for k in range(len(order["sequence"])))
        decides = next((rule for rule in order.get("decides") or () if rule in ruling["citations"]), "")
        yield Order(cards, ruling["citations"][decides]["text"] if decides else "", decides)


def _card(actions: list[EventEntry], order: OrderJson, k: int, things: Things, lang: Lang) -> OrderCard:
    outcome = order["outcomes"][k]
    what = label_of(actions[order["sequence"][k] - 1], things, lang)
    return OrderCard(what, str(OUTCOMES.get(outcome, outcome)), outcome != "resolves")
