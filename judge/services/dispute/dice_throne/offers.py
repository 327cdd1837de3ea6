"""Offers: what a player at a Dice Throne table can do, ready to be tapped; what is possible now comes first.

An offer is an event of a table file with a name. Illegal ones are offered too, further down the list: a
dispute is often about just those.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from judge.core.json_types import EventEntry, JsonObject, TableFile
from judge.core.messages import Lang
from judge.rules.catalog import Ability, Card, Catalog, Effects, Status, flat
from judge.rules.dice_throne.state.report import PlayerReport
from judge.rules.dice_throne.state.table import PHASES, ROLL_PHASES
from judge.rules.dice_throne.verbs.pay import status_price
from judge.services.dispute.case import Case
from judge.services.dispute.find_by_name import Things, named
from judge.services.rulebook.effect_words import EffectWords

# Most pressing first: answers, then tokens, then what the board and the hand hold.
KINDS = ("defensive", "status", "ultimate", "offensive", "card", "passive", "upgrade", "common", "again")
AFTER_ROLLING = ("ultimate", "offensive", *(kind for kind in KINDS if kind not in ("ultimate", "offensive")))


@dataclass(slots=True)
class Offer:
    """Never changed once it is marked; not frozen, because a tap makes dozens."""

    name: str
    kind: str
    event: EventEntry
    card: str = ""  # main | roll | instant
    cost: int | None = None
    is_now: bool = False
    hero: str = ""  # whose it is, when it is not this player's
    why: str = ""  # why it is not possible now
    is_partial: bool = False  # the catalogue knows its text in part, or not at all


def offers(case: Case, who: str, lang: Lang) -> list[Offer]:
    """Everything this player's hero, tokens and cards can do; what is possible now comes first."""
    seat = next(p for p in case.data["players"] if str(p["id"]) == who)
    offered = list(_all(case.data, seat, case.now.players[who], case.table.catalog, lang))
    reasons = case.refusals([offer.event for offer in offered])
    if reasons is None:
        return sorted(offered, key=lambda offer: KINDS.index(offer.kind))
    book = case.phrases(lang)
    for offer, against in zip(offered, reasons, strict=True):
        offer.is_now, offer.why = not against, book.say(against[0]) if against else ""
    kinds = AFTER_ROLLING if case.now.turn.dice and case.now.turn.active == who else KINDS
    return sorted(offered, key=lambda offer: (not offer.is_now, kinds.index(offer.kind)))


def phases_ahead(case: Case) -> list[str]:
    """The phases that `advance` can go on to, the next one first; the end of the turn last."""
    phase, state = case.now.turn.phase, case.now.state
    if phase in ROLL_PHASES and state.attack is not None:
        ahead = PHASES[PHASES.index("main-2") :]
    else:
        ahead = PHASES[PHASES.index(phase or "upkeep") + 1 :]
        ahead = tuple(name for name in ahead if name not in ("targeting-roll", "defensive-roll"))
    return [*ahead, "turn"]


def _all(
    table: TableFile, seat: JsonObject, state: PlayerReport, catalog: Catalog, lang: Lang
) -> Iterator[Offer]:
    who, rival = str(seat["id"]), rival_of(table, str(seat["id"]))
    hero = catalog.heroes.get(seat.get("hero") or "")
    yield from _tokens(who, state, catalog, lang)
    if hero is not None:
        yield from _abilities(who, rival, hero.abilities.values(), state, lang)
        yield from _cards(who, rival, hero.cards.values(), "card", lang)
    yield from _abilities(who, rival, catalog.abilities.values(), state, lang)
    yield from _again(table, who, lang)
    yield from _cards(who, rival, catalog.cards.values(), "common", lang)


def rival_of(table: TableFile, who: str) -> str | None:
    """The only opponent; None if there are several."""
    players = table["players"]
    team = next(p.get("team") for p in players if str(p["id"]) == who)
    others = [
        str(p["id"]) for p in players if str(p["id"]) != who and (team is None or p.get("team") != team)
    ]
    return others[0] if len(others) == 1 else None


def _tokens(who: str, state: PlayerReport, catalog: Catalog, lang: Lang) -> Iterator[Offer]:
    for status_id, count in state.statuses.items():
        status = catalog.statuses.get(status_id)
        name = f"{named(status, lang) if status else status_id}{f' ×{count}' if count > 1 else ''}"
        if status is not None and len(status.uses) > 1:
            yield from _uses(who, status, name, catalog, lang)
            continue
        if status is None or status.spendable:
            event: EventEntry = {"by": who, "spend": status_id}
            yield Offer(name, "status", event, is_partial=status is not None and status.is_unsaid)
            continue
        if status_price(status) is not None:
            yield Offer(name, "status", {"by": who, "pay": status_id}, cost=status_price(status))
        elif status.when in ("upkeep", "income", "end-of-turn"):
            yield Offer(name, "status", {"by": who, "resolve": status_id})


def _uses(who: str, status: Status, name: str, catalog: Catalog, lang: Lang) -> Iterator[Offer]:
    """A token that is spent in several ways: one offer for each way."""
    words = EffectWords(lang, catalog)
    for n, use in enumerate(status.uses, start=1):
        event: EventEntry = {"by": who, "spend": status.id, "choice": n}
        yield Offer(f"{name}: {words.in_short(use.effects)}"[:80], "status", event)


def answers(case: Case, lang: Lang) -> dict[str, list[Offer]]:
    """What the others may answer to the Attack with just now: their defences and tokens, by player."""
    attack = case.now.state.attack
    if attack is None or not attack.is_attack:
        return {}
    offered: dict[str, list[Offer]] = {}
    for seat in case.data["players"]:
        who = str(seat["id"])
        hero = case.table.catalog.heroes.get(seat.get("hero") or "")
        if who == attack.by.id:
            continue
        state = case.now.players[who]
        defences = [a for a in hero.abilities.values() if a.kind == "defensive"] if hero is not None else []
        mine = [
            *_abilities(who, None, defences, state, lang),
            *_tokens(who, state, case.table.catalog, lang),
        ]
        allowed = case.allowed([offer.event for offer in mine])
        offered[who] = [replace(m, is_now=True) for m, is_now in zip(mine, allowed, strict=True) if is_now]
    return {who: offers for who, offers in offered.items() if offers}


def next_attacker(case: Case) -> str:
    """Who attacks next in a duel once the Attack under way is over; nobody where no Attack is under way."""
    turn, attack = case.now.turn, case.now.state.attack
    if attack is None or turn.active is None or case.now.state.over:
        return ""
    return rival_of(case.data, turn.active) or ""


def _abilities(
    who: str, rival: str | None, abilities: Iterable[Ability], state: PlayerReport, lang: Lang
) -> Iterator[Offer]:
    for ability in abilities:
        if ability.side and state.side and ability.side != state.side:
            continue
        event: EventEntry = {"by": who}
        if ability.kind == "defensive":
            event["defend"] = ability.id
        elif ability.kind == "passive":
            event["resolve"] = ability.id
        else:
            event["activate"] = ability.id
            if rival:
                event["on"] = rival
        yield Offer(named(ability, lang), ability.kind, event, is_partial=ability.is_unsaid)


def _cards(who: str, rival: str | None, cards: Any, kind: str, lang: Lang) -> Iterator[Offer]:
    for card in cards:
        if card.kind == "upgrade":
            event: EventEntry = {"by": who, "upgrade": card.upgrades, "level": card.level}
            yield Offer(named(card, lang), "upgrade", event, cost=card.cost)
        else:
            played = _played(who, rival, card)
            yield Offer(named(card, lang), kind, played, card.kind, card.cost, is_partial=card.is_unsaid)


def _played(who: str, rival: str | None, card: Card) -> EventEntry:
    event: EventEntry = {"by": who, "play": card.id}
    target = _likely_target(card.effects, who, rival)
    if target:
        event["on"] = target
    return event


def _likely_target(effects: Effects | None, who: str, rival: str | None) -> str | list[str] | None:
    """The most likely target of a text that lets its player choose."""
    for effect in flat(effects):
        if effect.op == "transfer":
            return [who, rival] if rival else None
        if "chosen" in effect.to or "chosen" in effect.source:
            if effect.op in ("inflict", "deal", "steal_cp", "remove") or "opponent" in effect.to:
                return rival
            return who
    return None


def _again(table: TableFile, who: str, lang: Lang) -> Iterator[Offer]:
    """Things this player entered by numbers before, offered by name."""
    offered: set[tuple[str, str]] = set()
    things = Things(table.get("catalogue"))
    for event in table.get("events") or []:
        for action in event.get("collide") or [event]:
            verb = next((v for v in ("activate", "defend", "play", "spend", "does") if v in action), None)
            if verb is None or "effects" not in action or str(action.get("by")) != who:
                continue
            key = (verb, str(action[verb]))
            if key in offered or things.like(str(action[verb])):
                continue
            offered.add(key)
            name = str(action[verb]).replace("-", " ")
            yield Offer(name, "again", {k: v for k, v in action.items() if k not in ("against", "changes")})
