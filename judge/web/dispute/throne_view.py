"""A Dice Throne table on the page: the players, how they began, and what each can do."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from judge.core.games import DICE_THRONE
from judge.core.messages import Lang
from judge.rules.catalog import Catalog
from judge.schemas.dice_throne.catalog import shipped_statuses
from judge.services.dispute.case import Case
from judge.services.dispute.dice_throne.offers import Offer, offers, rival_of
from judge.services.dispute.dice_throne.questions import question_about
from judge.services.dispute.find_by_name import event_with, find_things, named
from judge.services.rulebook.heroes import hero_name
from judge.web.dispute.chips import as_value, chips, options
from judge.web.dispute.place import Place
from judge.web.dispute.words import status_name


@dataclass(frozen=True, slots=True)
class Start:
    """What can be set of a player before the first event: numbers, tokens, what the hero's board holds."""

    health: int
    cp: int
    hand: int
    held: dict[str, int]
    tokens: dict[str, str]  # those that may well lie there, by name
    more: Markup  # all others, to choose from
    hero: str
    abilities: Markup  # of a hero the catalogue knows, to choose from
    has_sides: bool
    companions: dict[str, str]


@dataclass(frozen=True, slots=True)
class Strip:
    """One player: how they stand, how they will when what is pending is taken off, and how they began."""

    who: str
    p: int
    hero: str
    team: str | None
    health: int
    after: int
    cp: int
    statuses: list[tuple[str, str, int]]
    start: Start


def throne(case: Case, place: Place, who: str, lang: Lang) -> dict[str, Any]:
    table = case.data
    here = case.cut(place.before - 1) if place.before else case
    offered = offers(here, who, lang)
    asked = place.n or (len(table.get("events") or []) if not place.before else 0)
    hero = table["players"][place.p - 1].get("hero") or ""
    others = [offer for offer in offered if offer.kind != "common"]
    return {
        "now": chips([offer for offer in others if offer.is_now], lang),
        "common": chips([offer for offer in offered if offer.kind == "common"], lang),
        "later": chips([offer for offer in others if not offer.is_now], lang),
        "found": chips(found(table, place, who, hero, offered, lang), lang),
        "announced": [
            (as_value({"by": who, "announce": offer.event["activate"]}), offer.name)
            for offer in others
            if offer.event.get("activate")
        ],
        "status_options": options(_named(here.table.catalog.statuses, lang)),
        "question": question_about(case, asked, lang) if asked else None,
        "asked": asked,
        "strips": [strip(case, here, k, lang) for k in range(len(table["players"]))],
    }


def _named(things: Any, lang: Lang) -> tuple[tuple[str, str], ...]:
    return tuple((key, named(thing, lang)) for key, thing in things.items())


def found(
    table: dict[str, Any], place: Place, who: str, hero: str, offered: list[Offer], lang: Lang
) -> list[Offer]:
    """What the typed letters find, ready to be tapped; what is offered anyway as it is offered."""
    if not place.q:
        return []
    rival = rival_of(table, who)
    known = {json.dumps(_bare(offer.event)): offer for offer in offered}
    matches = []
    for thing in find_things(place.q, table.get("catalogue"), hero):
        whose = hero_name(DICE_THRONE, thing.hero, lang) if thing.hero and thing.hero != hero else ""
        kind = thing.kind if thing.kind not in ("main", "roll", "instant") else "card"
        card = thing.kind if kind == "card" else ""
        event = event_with(thing, who, rival)
        offer = known.get(json.dumps(_bare(event)))
        matches.append(offer or Offer(thing.name(lang), kind, event, card, thing.cost, hero=whose))
    return matches


def _bare(event: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in event.items() if key != "on"}


def strip(case: Case, here: Case, k: int, lang: Lang) -> Strip:
    seat = case.data["players"][k]
    who, hero = str(seat["id"]), seat.get("hero") or ""
    state, after = here.now.players[who], case.ruling.players[who]
    return Strip(
        who,
        k + 1,
        hero_name(DICE_THRONE, hero, lang) if hero else "",
        seat.get("team"),
        state.health,
        after.health,
        after.cp,
        [(token, status_name(token, lang), count) for token, count in state.statuses.items()],
        start_of(case, here.table.catalog, k, lang),
    )


def start_of(case: Case, catalog: Catalog, k: int, lang: Lang) -> Start:
    seat = case.data["players"][k]
    state, hero = case.beginning[str(seat["id"])], catalog.heroes.get(seat.get("hero") or "")
    shown = {**likely_tokens(case.data, k, lang), **{s: status_name(s, lang) for s in state.statuses}}
    rest = [(s.id, named(s, lang)) for s in shipped_statuses().values() if s.id not in shown]
    levels = seat.get("upgrades") or {}
    abilities = {
        name: named(ability, lang) + (f" · {levels[name]}" if levels.get(name) else "")
        for name, ability in (hero.abilities.items() if hero else ())
    }
    return Start(
        state.health,
        state.cp,
        state.hand,
        state.statuses,
        shown,
        options(tuple(sorted(rest, key=lambda pair: pair[1]))),
        seat.get("hero") or "",
        options(tuple(abilities.items())),
        bool(hero and hero.side),
        dict(_named(hero.companions, lang)) if hero else {},
    )


def likely_tokens(table: dict[str, Any], k: int, lang: Lang) -> dict[str, str]:
    """What may well lie before a player: their hero's own tokens, and the harmful ones of the others'."""
    hero = table["players"][k].get("hero") or ""
    others = {p.get("hero") for p in table["players"]}
    known = shipped_statuses().values()
    mine = [s for s in known if hero in s.owners and s.polarity != "negative"]
    theirs = [s for s in known if s.polarity == "negative" and others & (set(s.owners) - {hero})]
    return {s.id: named(s, lang) for s in (*mine, *theirs)}
