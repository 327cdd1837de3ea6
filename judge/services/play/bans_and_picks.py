"""Bans and picks of one match, step by step: dice (ties are rolled again), bans, dice, who starts, picks.

Bring and ban: both roll; the winner says who bans first; each bans of the other's heroes; both roll again;
the winner says who starts and picks first. Lockout: both roll for who starts; then both reveal a hero at
once; a hero that won is locked for its owner. Random: both roll, the lots give each a hero. Free: dice for
who starts, any hero.

`Match.selection` keeps: ban_rolls, ban_first, bans {by: [heroes]}, start_rolls, first, picks {side: hero}.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from judge.core.errors import Refused
from judge.core.messages import Message, Ref
from judge.services.event.event_view import AnyEvent
from judge.services.event.stage_format import setting
from judge.services.event.tournament_of import EventRows, read_rows
from judge.services.log.changes import Actor, Change, changing, check_version, hold
from judge.services.play.outcomes import PLAYED
from judge.services.play.results import get_match
from judge.services.rulebook.heroes import catalogue
from judge.storage.events import Match, Player, Round
from judge.tournament.model import Side, winner

SIDES: tuple[Side, Side] = ("a", "b")


@dataclass(frozen=True, slots=True)
class HeroRules:
    mode: str = "free"  # bring-ban | lockout | random | free
    bring: int = 0
    ban: int = 0
    unlock_round: int | None = None
    allowed: tuple[str, ...] = ()


def hero_rules(event: AnyEvent) -> HeroRules:
    given: dict[str, Any] = setting(event, "heroes") or {}
    bring, ban = given.get("bring", 0), given.get("ban", 0)
    mode = given.get("mode")
    if mode is None:
        mode = (
            "lockout"
            if "lock" in given
            else "bring-ban"
            if ban
            else "random"
            if "random" in given
            else "free"
        )
    return HeroRules(mode, bring, ban, given.get("unlock_round"), tuple(given.get("allowed", ())))


@dataclass(frozen=True, slots=True)
class Step:
    """What comes next: roll (both), choose (by the winner), ban, pick, reveal (both at once), done."""

    kind: str
    by: Side | None = None
    stage: str = ""  # of a roll or choice: ban or start


@dataclass(frozen=True, slots=True)
class Lock:
    """A hero locked for its owner: won in this round, free again in round `until` (None: not any more)."""

    hero: str
    won_in: int
    until: int | None


@dataclass(frozen=True, slots=True)
class Choice:
    hero: str
    refused: Message | None  # why it cannot be taken


def other(side: Side) -> Side:
    return "b" if side == "a" else "a"


def winner_of(rolls: list[list[int]]) -> Side | None:
    """Highest wins; a tie is rolled again, so only the last pair decides."""
    if not rolls or rolls[-1][0] == rolls[-1][1]:
        return None
    return "a" if rolls[-1][0] > rolls[-1][1] else "b"


def next_step(selection: dict[str, Any], rules: HeroRules) -> Step:
    if rules.mode == "bring-ban" and rules.ban:
        step = _ban_step(selection, rules)
        if step:
            return step
    if winner_of(selection.get("start_rolls", [])) is None and not selection.get("first"):
        return Step("roll", stage="start")
    if not selection.get("first"):
        return Step("choose", winner_of(selection["start_rolls"]), "start")
    picks = selection.get("picks", {})
    if rules.mode in ("lockout", "random"):
        return Step("done") if len(picks) == 2 else Step("reveal" if rules.mode == "lockout" else "draw")
    first: Side = selection["first"]
    for side in (first, other(first)):
        if side not in picks:
            return Step("pick", side)
    return Step("done")


def _ban_step(selection: dict[str, Any], rules: HeroRules) -> Step | None:
    if not selection.get("ban_first"):
        winner = winner_of(selection.get("ban_rolls", []))
        return Step("roll", stage="ban") if winner is None else Step("choose", winner, "ban")
    bans, first = selection.get("bans", {}), selection["ban_first"]
    for turn in range(rules.ban):
        for side in (first, other(first)):
            if len(bans.get(side, [])) <= turn:
                return Step("ban", side)
    return None


# -- what may be taken --------------------------------------------------------------------------------------


def locks(rows: EventRows, player: int, before: Round, rules: HeroRules) -> list[Lock]:
    """The lockout ledger of a player as it stands before a round of this stage; a new stage starts afresh."""
    found = []
    for round_ in rows.of_stage(before.stage):
        if round_.number >= before.number:
            break
        for match in rows.matches.get(round_.id or 0, ()):
            side = "a" if match.a_id == player else "b" if match.b_id == player else None
            hero = match.selection.get("picks", {}).get(side)
            if side and hero and match.result in PLAYED and winner(match.result) == side:
                found.append(Lock(hero, round_.number, rules.unlock_round))
    return [k for k in found if not _is_free_again(k, before.number)]


def _is_free_again(lock: Lock, number: int) -> bool:
    return lock.until is not None and lock.won_in < lock.until <= number


def choices(
    rows: EventRows, round_: Round, match: Match, step: Step, rules: HeroRules, side: Side | None = None
) -> list[Choice]:
    """Every hero that could be meant at this step, with the reason where it is not allowed."""
    taker = side or step.by
    if taker is None:
        return []
    whose = other(taker) if step.kind == "ban" else taker
    owner = rows.players[match.a_id if whose == "a" else match.b_id or 0]
    heroes: Iterable[str] = owner.heroes or ([] if rules.bring else rules.allowed)
    return [Choice(hero, refusal(rows, round_, match, step.kind, taker, hero, rules)) for hero in heroes]


def refusal(
    rows: EventRows, round_: Round, match: Match, kind: str, side: Side, hero: str, rules: HeroRules
) -> Message | None:
    """Why this side may not ban or pick this hero; None if it may."""
    whose = other(side) if kind == "ban" else side
    owner = rows.players[match.a_id if whose == "a" else match.b_id or 0]
    named = Ref("hero", hero)
    if rules.bring and hero not in owner.heroes:
        return Message("hero_not_brought", name=owner.name, hero=named)
    if rules.allowed and hero not in rules.allowed:
        return Message("hero_not_allowed", hero=named)
    if hero in match.selection.get("bans", {}).get(other(whose), []):
        return Message("hero_banned", hero=named)
    if kind != "ban" and rules.mode == "lockout":
        return _locked(rows, round_, owner, hero, rules)
    return None


def _locked(rows: EventRows, round_: Round, owner: Player, hero: str, rules: HeroRules) -> Message | None:
    held = {lock.hero: lock for lock in locks(rows, owner.id or 0, round_, rules)}
    if hero not in held or set(owner.heroes) <= set(held):
        return None  # with every hero locked there would be nothing to play: all are free
    lock, named = held[hero], Ref("hero", hero)
    if lock.until is None or lock.until <= lock.won_in:
        return Message("hero_locked", hero=named, name=owner.name, round=lock.won_in)
    return Message("hero_locked_until", hero=named, name=owner.name, round=lock.won_in, until=lock.until)


# -- acting -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Act:
    """One step as a form sends it: two dice, a side, or heroes."""

    dice: tuple[int, int] | None = None
    side: Side | None = None
    heroes: tuple[str, ...] = ()


def act(
    session: Session, event: AnyEvent, actor: Actor, match_id: int, version: int, given: Act
) -> Change[Match]:
    """Do the next step of the selection."""
    event = hold(session, event)
    match, round_ = get_match(session, event, match_id)
    check_version(match, version, Message("changed_meanwhile"))
    if match.result is not None:
        raise Refused(Message("selection_over"))
    rows, rules = read_rows(session, event), hero_rules(event)
    selection = _after(rows, round_, match, next_step(match.selection, rules), given, rules)
    with changing(session, event, actor, "match.selection", match) as recording:
        match.selection = selection
    return recording.change.giving(match)


def start_over(session: Session, event: AnyEvent, actor: Actor, match_id: int, version: int) -> Change[Match]:
    event = hold(session, event)
    match, _ = get_match(session, event, match_id)
    check_version(match, version, Message("changed_meanwhile"))
    if match.result is not None:
        raise Refused(Message("selection_over"))
    with changing(session, event, actor, "match.selection-cleared", match) as recording:
        match.selection = {}
    return recording.change.giving(match)


def _after(
    rows: EventRows, round_: Round, match: Match, step: Step, given: Act, rules: HeroRules
) -> dict[str, Any]:
    kept = dict(match.selection)
    if step.kind == "roll" and given.dice:
        return _rolled(kept, step, given.dice)
    if step.kind == "choose" and given.side:
        return {**kept, "ban_first" if step.stage == "ban" else "first": given.side}
    if step.kind == "draw":
        return {**kept, "picks": _lots(rows, match, rules)}
    if step.kind in ("ban", "pick") and step.by and len(given.heroes) == 1:
        _check(rows, round_, match, step.kind, {step.by: given.heroes[0]}, rules)
        return _taken(kept, step.kind, step.by, given.heroes[0])
    if step.kind == "reveal" and len(given.heroes) == 2:
        both = dict(zip(SIDES, given.heroes, strict=True))
        _check(rows, round_, match, "pick", both, rules)
        return {**kept, "picks": both}
    raise Refused(Message("selection_incomplete"))


def _rolled(kept: dict[str, Any], step: Step, dice: tuple[int, int]) -> dict[str, Any]:
    if not all(1 <= d <= 6 for d in dice):
        raise Refused(Message("selection_dice"))
    name = f"{step.stage}_rolls"
    return {**kept, name: [*kept.get(name, []), list(dice)]}


def _taken(kept: dict[str, Any], kind: str, by: Side, hero: str) -> dict[str, Any]:
    if kind == "pick":
        return {**kept, "picks": {**kept.get("picks", {}), by: hero}}
    bans = kept.get("bans", {})
    return {**kept, "bans": {**bans, by: [*bans.get(by, []), hero]}}


def _check(
    rows: EventRows, round_: Round, match: Match, kind: str, heroes: dict[Side, str], rules: HeroRules
) -> None:
    found = [refusal(rows, round_, match, kind, side, hero, rules) for side, hero in heroes.items()]
    reasons = [reason for reason in found if reason is not None]
    if reasons:
        raise Refused(*reasons)


def _lots(rows: EventRows, match: Match, rules: HeroRules) -> dict[Side, str]:
    """Two different heroes by lot: of those the event allows, else the players brought, else of all known."""
    brought = [h for p in (match.a_id, match.b_id or 0) for h in rows.players[p].heroes]
    heroes = sorted(set(rules.allowed or brought or catalogue(rows.event.game)))
    if len(heroes) < 2:
        raise Refused(Message("selection_no_heroes"))
    lots = random.Random(f"{rows.event.id}/{match.id}/{match.version}")  # noqa: S311 - lots, not secrets
    first, second = lots.sample(heroes, 2)
    return {"a": first, "b": second}
