"""A Dice Throne table on the page: the players, how they began, and what each can do."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from flask import current_app
from markupsafe import Markup

from judge.core.games import DICE_THRONE
from judge.core.json_types import EventEntry, TableFile
from judge.core.messages import Lang
from judge.rules.catalog import Catalog
from judge.schemas.dice_throne.shipped import statuses_of
from judge.schemas.dice_throne.symbols import symbol_name
from judge.services.dispute.case import Case
from judge.services.dispute.dice_throne.keeping import entry_to_keep
from judge.services.dispute.dice_throne.offers import (
    Offer,
    answers,
    next_attacker,
    offers,
    phases_ahead,
    rival_of,
)
from judge.services.dispute.dice_throne.questions import Question, questions_about
from judge.services.dispute.find_by_name import event_with, find_things, named
from judge.services.rulebook.heroes import hero_name, is_partial, name_in, side_name
from judge.web.dispute.spoken import spoken
from judge.web.dispute.table.chips import chips, options
from judge.web.dispute.table.folds import Fold, fold, setting
from judge.web.dispute.table.place import Place
from judge.web.dispute.words import status_name


@dataclass(frozen=True, slots=True)
class Start:
    """A player before the first event: numbers, tokens and hero's board, all of which can be set."""

    health: int
    cp: int
    hand: int
    held: dict[str, int]
    tokens: dict[str, str]  # the likely ones, by name
    more: Markup  # all others, to choose from
    hero: str
    abilities: Markup  # of a hero the catalogue knows, to choose from
    sides: list[tuple[str, str]]  # of the board, by name
    companions: dict[str, str]


@dataclass(frozen=True, slots=True)
class Held:
    """Tokens of one kind that a player holds."""

    name: str
    count: int
    is_harmful: bool


@dataclass(frozen=True, slots=True)
class Strip:
    """One player: now, after the pending damage, and at the start."""

    who: str
    p: int
    hero: str
    is_partial: bool  # the catalogue knows the hero in part
    team: str | None
    health: int
    after: int
    cp: int
    statuses: list[Held]
    is_unknown: bool  # the catalogue does not know the hero, or none is named
    start: Start | None  # None if the browser shows it already


@dataclass(frozen=True, slots=True)
class DicePad:
    """The six faces of a player's dice: the ids of their symbols, and their names."""

    symbols: tuple[str, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ThroneFolds:
    """The folds that only a Dice Throne table has."""

    begin: Fold
    later: Fold
    common: Fold
    by_numbers: Fold
    turn: Fold


@dataclass(frozen=True, slots=True)
class ThroneView:
    """What only a Dice Throne table shows; what can be entered, as chips."""

    now: list[Markup]  # what is possible now, and the tokens held
    answering: list[tuple[str, list[Markup]]]  # what the others may answer to the Attack with
    attacks_next: str  # in a duel, once the Attack is over
    later: list[Markup]
    common: list[Markup]  # cards that every hero has
    matches: list[Markup]  # what the typed letters find
    announced: list[tuple[str, str]]  # abilities to announce: the id, the name
    status_options: Markup
    by_numbers: Markup  # the fields of something that no catalogue knows
    pad: DicePad | None  # five dice to tap, while this player may roll
    likely_roll: str  # the roll whose dice lie on the table, for a card that turns one
    ahead: list[str]  # phases to go on to, the next one first
    questions: list[Question]
    keepable: str  # the name of the thing whose entered text the event's catalogue can keep
    strips: list[Strip]
    folds: ThroneFolds


def throne(case: Case, place: Place, who: str, lang: Lang, asked: int) -> ThroneView:
    table = case.data
    before = case.cut(place.before - 1) if place.before else case
    offered = offers(before, who, lang)
    hero = table["players"][place.p - 1].get("hero") or ""
    common, others = _parted(offered, lambda offer: offer.kind == "common")
    now, later = _parted(others, _is_shown)
    announced = [(str(o.event["activate"]), o.name) for o in others if o.event.get("activate")]
    folds = _folds(case, before, place, lang, later, common, announced)
    return ThroneView(
        now=chips(now, lang),
        answering=[(name, chips(mine, lang)) for name, mine in answers(before, lang).items() if name != who],
        attacks_next=next_attacker(before),
        later=[] if folds.later.is_shown else chips(later, lang),
        common=[] if folds.common.is_shown else chips(common, lang),
        matches=chips(find_offers(table, place, who, hero, offered, lang), lang),
        announced=announced,
        pad=_pad(before, who, place.p, lang),
        likely_roll=_likely_roll(table),
        ahead=phases_ahead(before),
        by_numbers=_by_numbers(lang),
        status_options=Markup() if folds.by_numbers.is_shown else _status_options(before, lang),
        questions=questions_about(case, asked, lang) if asked else [],
        keepable=_keepable(case, asked, lang),
        strips=[strip(case, before, k, lang, not folds.begin.is_shown) for k in range(len(table["players"]))],
        folds=folds,
    )


def _folds(
    case: Case, before: Case, place: Place, lang: Lang,
    later: list[Offer], common: list[Offer], announced: list[tuple[str, str]],
) -> ThroneFolds:  # fmt: skip
    """They depend on the table and its catalogue; those whose forms add events, also on the place."""
    around = (setting(case.data, lang), *before.table.catalog.heroes)
    here = (*around, place.p, place.open, place.before and case.data["events"])
    return ThroneFolds(
        fold("begin", *around),
        fold("later", *here, place.n, _content(later)),
        fold("common", *here, _content(common)),
        fold("else", *here),
        fold("turn", *here, case.ruling.turn.phase, phases_ahead(before), announced),
    )


def _parted(offers: list[Offer], is_first: Callable[[Offer], bool]) -> tuple[list[Offer], list[Offer]]:
    first = [offer for offer in offers if is_first(offer)]
    return first, [offer for offer in offers if not is_first(offer)]


def _content(offers: list[Offer]) -> list[Any]:
    """All that differs between chips of one name; of what was entered by numbers, also what it does."""
    return [(o.name, o.is_now, o.why, o.event if o.kind == "again" else "") for o in offers]


@cache
def _by_numbers(lang: Lang) -> Markup:
    words = spoken(lang)
    fields = current_app.jinja_env.get_template("dispute/table/_by_numbers.html")
    return Markup(fields.render(words=words, _=words.text))  # noqa: S704  # a template escapes


def _keepable(case: Case, asked: int, lang: Lang) -> str:
    word = entry_to_keep(case, asked) if asked else None
    return name_in(word[1].get("names", {}), lang, str(word[1]["id"])).text if word else ""


def _is_shown(offer: Offer) -> bool:
    """What is possible now, and the tokens a player holds, with the reason if they cannot be used."""
    return offer.is_now or offer.kind == "status"


def _pad(case: Case, who: str, p: int, lang: Lang) -> DicePad | None:
    """The dice of a player who may roll and has not rolled in this turn."""
    turn = case.now.turn
    if "roll" not in case.now.may.get(who, ()) or turn.dice:
        return None
    seat = case.table.players[p - 1]
    hero = case.table.catalog.heroes.get(seat.hero or "")
    names = tuple(symbol_name(symbol, lang, (hero,) if hero else ()) for symbol in seat.die)
    return DicePad(seat.die, names)


_ROLLS = {"target": "targeting", "defend": "defensive", "resolve": "upkeep", "roll": "offensive"}


def _likely_roll(table: TableFile) -> str:
    """The last roll: that whose dice a card turns."""
    for event in reversed(table.get("events") or []):
        for verb, roll in _ROLLS.items():
            if verb in event and (event.get("dice") or event.get("die") or verb == "roll"):
                return roll
    return "offensive"


def _status_options(case: Case, lang: Lang) -> Markup:
    return options(_named(case.table.catalog.statuses, lang))


def _named(things: Any, lang: Lang) -> tuple[tuple[str, str], ...]:
    return tuple((key, named(thing, lang)) for key, thing in things.items())


def find_offers(
    table: TableFile, place: Place, who: str, hero: str, offered: list[Offer], lang: Lang
) -> list[Offer]:
    """Offers whose name matches the typed letters; one that the page offers anyway looks the same here."""
    if not place.q:
        return []
    rival = rival_of(table, who)
    by_event = {json.dumps(_without_target(offer.event)): offer for offer in offered}
    matches = []
    for thing in find_things(place.q, table.get("catalogue"), hero):
        other_hero = hero_name(DICE_THRONE, thing.hero, lang) if thing.hero not in ("", hero) else ""
        kind = thing.kind if thing.kind not in ("main", "roll", "instant") else "card"
        card = thing.kind if kind == "card" else ""
        event = event_with(thing, who, rival)
        offer = by_event.get(json.dumps(_without_target(event)))
        matches.append(offer or Offer(thing.name(lang), kind, event, card, thing.cost, hero=other_hero))
    return matches


def _without_target(event: EventEntry) -> EventEntry:
    return {key: value for key, value in event.items() if key != "on"}


def strip(case: Case, before: Case, k: int, lang: Lang, with_start: bool) -> Strip:
    """The k-th player; `before` is the table at the place where the next event goes."""
    seat = case.data["players"][k]
    who, hero = str(seat["id"]), seat.get("hero") or ""
    state, after = before.now.players[who], case.ruling.players[who]
    return Strip(
        who,
        k + 1,
        hero_name(DICE_THRONE, hero, lang) if hero else "",
        is_partial(DICE_THRONE, hero),
        seat.get("team"),
        state.health,
        after.health,
        after.cp,
        [Held(status_name(t, lang), count, _is_harmful(case, t)) for t, count in state.statuses.items()],
        hero not in before.table.catalog.heroes,
        start_of(case, before.table.catalog, k, lang) if with_start else None,
    )


def _is_harmful(case: Case, token: str) -> bool:
    status = case.table.catalog.statuses.get(token)
    return status is not None and status.polarity == "negative"


def start_of(case: Case, catalog: Catalog, k: int, lang: Lang) -> Start:
    seat = case.data["players"][k]
    state, hero = case.beginning[str(seat["id"])], catalog.heroes.get(seat.get("hero") or "")
    tokens = {**likely_tokens(case.data, k, lang), **{s: status_name(s, lang) for s in state.statuses}}
    others = [(s.id, named(s, lang)) for s in catalog.statuses.values() if s.id not in tokens]
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
        tokens,
        options(tuple(sorted(others, key=lambda pair: pair[1]))),
        hero_name(DICE_THRONE, seat.get("hero") or "", lang),
        options(tuple(abilities.items())),
        [(side, side_name(side, lang)) for side in hero.sides] if hero else [],
        dict(_named(hero.companions, lang)) if hero else {},
    )


def likely_tokens(table: TableFile, k: int, lang: Lang) -> dict[str, str]:
    """Tokens a player probably has: their hero's own, and the harmful ones of the other heroes."""
    hero = table["players"][k].get("hero") or ""
    heroes = {p.get("hero") for p in table["players"]}
    statuses = statuses_of(name for name in heroes if name).values()
    own = [s for s in statuses if hero in s.owners and s.polarity != "negative"]
    harmful = [s for s in statuses if s.polarity == "negative" and heroes & (set(s.owners) - {hero})]
    return {s.id: named(s, lang) for s in (*own, *harmful)}
