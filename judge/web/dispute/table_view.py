"""What the page of a table being entered shows, from its draft and from what is open on the page."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

from flask import request, url_for

from judge.core.games import DICE_THRONE
from judge.core.messages import Lang
from judge.schemas.dice_throne.catalog import shipped_statuses
from judge.schemas.shape import whole
from judge.services.dispute import drafts as table_drafts
from judge.services.dispute.case import Case
from judge.services.dispute.entering import player_ids
from judge.services.dispute.find_by_name import event_with, find_things, named, things_like
from judge.services.dispute.kept_rulings import subject_of
from judge.services.dispute.table_files import tidy_event
from judge.services.dispute.throne_offers import Offer, offers, rival_of
from judge.services.dispute.throne_questions import question_about, verb_of
from judge.services.rulebook.heroes import hero_name
from judge.storage.rulings import TableDraft
from judge.web.dispute import words as rule_words
from judge.web.dispute.words import status_name


@dataclass(frozen=True, slots=True)
class Place:
    """Where on the page the judge is: who acts, which event is open, where the next goes, what was typed."""

    p: int = 1
    n: int = 0
    before: int = 0
    q: str = ""
    open: str = ""

    def values(self, **changes: Any) -> dict[str, Any]:
        found = {"p": self.p, "n": self.n, "before": self.before, "open": self.open, **changes}
        return {key: value for key, value in found.items() if value}


def place_now(count: int, events: int) -> Place:
    """From the address or the form."""

    def number(name: str, high: int) -> int:
        value = request.values.get(name, 0, type=whole)
        return value if 1 <= value <= high else 0

    return Place(
        number("p", count) or 1,
        number("n", events),
        number("before", events),
        request.values.get("q", "")[:60],
        request.values.get("open", "")[:20],
    )


def moved(place: Place, table: dict[str, Any], **changes: Any) -> Place:
    """The place after a change; never at an event or a player that is not there."""
    there, count = replace(place, **changes), len(table.get("events") or [])
    seats = len(table["players"])
    return replace(there, p=min(there.p, seats), n=min(there.n, count), before=min(there.before, count))


def view(draft: TableDraft, case: Case, token: str, place: Place, lang: Lang) -> dict[str, Any]:
    table, ruling = case.data, case.said(lang)
    ids = player_ids(table)
    who = ids[place.p - 1]
    given = {
        "draft": draft, "token": token, "table": table, "ruling": ruling, "place": place, "who": who,
        "ids": ids, "game": table["game"], "asks": _asks(ruling), "lines": lines(table, ruling, lang),
        "answer": answer(ruling), "faults": [e for e in ruling["events"] if e["verdict"] == "illegal"],
        "can_undo": table_drafts.can_undo(draft), "can_redo": table_drafts.can_redo(draft),
        "address": url_for("rule.page", token=token), "words": rule_words, "about": _about(table),
    }  # fmt: skip
    if table["game"] == DICE_THRONE:
        return {**given, **_throne(case, place, who, lang)}
    from judge.web.dispute.forge_view import forge

    return {**given, **forge(case, place, lang)}


def _about(table: dict[str, Any]) -> str:
    """Changes when what the table is about does: only then are similar rulings looked up again."""
    return f"{crc32(repr([sorted(part) for part in subject_of(table)]).encode()):x}"


def _throne(case: Case, place: Place, who: str, lang: Lang) -> dict[str, Any]:
    table = case.data
    here = case.cut(place.before - 1) if place.before else case
    made = offers(here, who, lang)
    events = table.get("events") or []
    asked = place.n or (len(events) if not place.before else 0)
    seat = table["players"][place.p - 1]
    return {
        "now": [o for o in made if o.is_now and o.kind != "common"],
        "common": [o for o in made if o.kind == "common"],
        "later": [o for o in made if not o.is_now and o.kind != "common"],
        "found": found(table, place, who, seat.get("hero") or "", made, lang),
        "catalog": here.table.catalog,
        "question": question_about(case, asked, lang) if asked else None,
        "asked": asked,
        "strips": [strip(case, here, k, lang) for k in range(len(table["players"]))],
        "rival": rival_of(table, who),
    }


def found(
    table: dict[str, Any], place: Place, who: str, hero: str, offered: list[Offer], lang: Lang
) -> list[Offer]:
    """What the typed letters find, ready to be tapped; what is offered anyway as it is offered."""
    rival = rival_of(table, who)
    known = {json.dumps(_bare(offer.event)): offer for offer in offered}
    made = []
    for thing in find_things(place.q, table.get("catalogue"), hero):
        whose = hero_name(DICE_THRONE, thing.hero, lang) if thing.hero and thing.hero != hero else ""
        kind = thing.kind if thing.kind not in ("main", "roll", "instant") else "card"
        card = thing.kind if kind == "card" else ""
        event = event_with(thing, who, rival)
        same = known.get(json.dumps(_bare(event)))
        if same is not None:
            made.append(same)
            continue
        made.append(Offer(thing.name(lang), kind, event, card, thing.cost, shown={"hero": whose}))
    return made


def _bare(event: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in event.items() if key != "on"}


def strip(case: Case, here: Case, k: int, lang: Lang) -> dict[str, Any]:
    """One player: how they began, how they stand, and what is still to be taken off."""
    seat = case.data["players"][k]
    who = str(seat["id"])
    state, after = here.now.players[who], case.ruling.players[who]
    hero = seat.get("hero") or ""
    return {
        "who": who,
        "p": k + 1,
        "hero": hero_name(DICE_THRONE, hero, lang) if hero else "",
        "health": state.health,
        "after": after.health,
        "cp": after.cp,
        "hand": after.hand,
        "statuses": [(s, status_name(s, lang), count) for s, count in state.statuses.items()],
        "start": start_of(case, k, lang),
        "team": seat.get("team"),
    }


def start_of(case: Case, k: int, lang: Lang) -> dict[str, Any]:
    """What can be set of a player before the first event: numbers, and the tokens that may lie there."""
    state = case.beginning[str(case.data["players"][k]["id"])]
    held = state.statuses
    shown = {**likely_tokens(case.data, k, lang), **{s: status_name(s, lang) for s in held}}
    rest = {s.id: named(s, lang) for s in shipped_statuses().values() if s.id not in shown}
    return {
        "health": state.health, "cp": state.cp, "hand": state.hand, "held": held,
        "tokens": shown, "more": dict(sorted(rest.items(), key=lambda pair: pair[1])),
    }  # fmt: skip


def likely_tokens(table: dict[str, Any], k: int, lang: Lang) -> dict[str, str]:
    """What may well lie before a player: their hero's own tokens, and the harmful ones of the others'."""
    hero = table["players"][k].get("hero") or ""
    others = {p.get("hero") for p in table["players"]}
    known = shipped_statuses().values()
    mine = [s for s in known if hero in s.owners and s.polarity != "negative"]
    theirs = [s for s in known if s.polarity == "negative" and others & (set(s.owners) - {hero})]
    return {s.id: named(s, lang) for s in (*mine, *theirs)}


def _asks(ruling: dict[str, Any]) -> dict[str, list[str]]:
    asks: dict[str, list[str]] = {}
    for ask in ruling.get("asks") or []:
        asks.setdefault(str(ask["event"]), []).append(ask["says"])
    return asks


def lines(table: dict[str, Any], ruling: dict[str, Any], lang: Lang) -> list[dict[str, Any]]:
    """Every entered event with its verdict."""
    made = []
    own = table.get("catalogue") or {}
    orders = {str(order["event"]): order for order in ruling.get("order") or []}
    for n, event in enumerate(table.get("events") or [], start=1):
        verdict = ruling["events"][n - 1]
        made.append(
            {
                "n": n, "event": event, "verb": verb_of(event), "verdict": verdict["verdict"],
                "label": label_of(event, own, lang), "says": verdict["says"], "rules": verdict["rules"],
                "order": orders.get(str(n)),
                "raw": json.dumps(tidy_event(event), ensure_ascii=False),
            }
        )  # fmt: skip
    return made


def label_of(event: dict[str, Any], own: dict[str, Any], lang: Lang) -> str:
    """Who did what, in a few words; a refusal alone would not say what was tried."""
    verb = verb_of(event)
    if verb == "collide":
        return " ↔ ".join(label_of(one, own, lang) for one in event["collide"])
    if verb == "advance":
        return f"→ {rule_words.PHASES.get(event['advance'], event['advance'])}"
    value = event.get(verb)
    if verb == "upgrade":
        made = f"{thing_name(str(value), own, lang)} {'I' * int(event.get('level') or 2)}"
    elif verb in ("roll", "sell", "choose", "target", "bless", "offer"):
        shown = value if isinstance(value, list) else [value]
        made = f"{rule_words.VERBS[verb]} {rule_words.short(shown)}"
    else:
        made = thing_name(str(value), own, lang)
    dice = f" [{' '.join(map(str, event['dice']))}]" if event.get("dice") else ""
    return f"{event.get('by', '')}: {made}{dice}"


def thing_name(thing_id: str, own: dict[str, Any], lang: Lang) -> str:
    known = things_like(thing_id, own)
    if known:
        return known[0].name(lang)
    return rule_words.forge_name(thing_id, lang) or thing_id.replace("-", " ")


def answer(ruling: dict[str, Any]) -> list[dict[str, Any]]:
    """Who takes how much, as it was worked out last; empty where nothing was dealt."""
    done = [r for r in ruling.get("resolutions") or [] if r["totals"]]
    if not done:
        return []
    last = next((r for r in reversed(done) if r["when"] == "roll-phase"), done[-1])
    return [{"who": who, **totals} for who, totals in last["totals"].items()]
