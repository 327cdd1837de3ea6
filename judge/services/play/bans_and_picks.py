"""Bans and picks of one match, step by step: dice (ties are rolled again), bans, dice, who starts, picks.

Bring and ban: both roll; the winner says who bans first; each bans heroes of the other; both roll again; the
winner says who starts and picks first. Lockout: both roll for who starts; then both reveal a hero at once; a
hero that won is locked for its owner. Random: each gets a hero by lot when the round is published; both roll
for who starts. Free: both roll for who starts; any hero may be picked.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from sqlmodel import Session

from judge.core.errors import Refused
from judge.core.json_types import JsonObject
from judge.core.messages import Message, Ref
from judge.services.boxes.lending import NO_BOXES, Shelf, read_shelf, with_boxes
from judge.services.event.event_rows import EventRows, read_rows
from judge.services.event.event_view import AnyEvent
from judge.services.event.stage_format import setting
from judge.services.log.changes import Actor, Change, changing, check_version, hold
from judge.services.play.outcomes import PLAYED
from judge.services.play.results import get_match
from judge.services.play.selection import SIDES, Rolls, Selection, read_selection
from judge.services.rulebook.heroes import catalogue
from judge.storage.events import Match, Player, Round
from judge.tournament.model import Side, winner


@dataclass(frozen=True, slots=True)
class HeroRules:
    mode: str = "free"  # bring-ban | lockout | random | free
    bring: int = 0
    ban: int = 0
    unlock_round: int | None = None
    allowed: tuple[str, ...] = ()


def hero_rules(event: AnyEvent) -> HeroRules:
    heroes: JsonObject = setting(event, "heroes") or {}
    bring, ban = heroes.get("bring", 0), heroes.get("ban", 0)
    mode = heroes.get("mode") or _implied_mode(heroes)
    if mode == "random":
        bring = ban = 0  # by lot: nobody brings any
    return HeroRules(mode, bring, ban, heroes.get("unlock_round"), tuple(heroes.get("allowed", ())))


def _implied_mode(heroes: JsonObject) -> str:
    """The mode of settings that do not name one."""
    if "lock" in heroes:
        return "lockout"
    if heroes.get("ban"):
        return "bring-ban"
    return "random" if "random" in heroes else "free"


@dataclass(frozen=True, slots=True)
class Step:
    """The next step: roll (both), choose (by the winner), ban, pick, reveal (both at once), done."""

    kind: str
    by: Side | None = None
    stage: str = ""  # of a roll or choice: ban or start


@dataclass(frozen=True, slots=True)
class Lock:
    """A hero locked for its owner: it won in this round and is free again in round `until` (None: never)."""

    hero: str
    won_in: int
    until: int | None


@dataclass(frozen=True, slots=True)
class Choice:
    hero: str
    refused: Message | None  # why it cannot be taken


def other(side: Side) -> Side:
    return "b" if side == "a" else "a"


def winner_of(rolls: Rolls) -> Side | None:
    """The side with the higher roll. A tie is rolled again, so only the last pair decides."""
    if not rolls or rolls[-1][0] == rolls[-1][1]:
        return None
    return "a" if rolls[-1][0] > rolls[-1][1] else "b"


def next_step(selection: Selection, rules: HeroRules) -> Step:
    if rules.mode == "bring-ban" and rules.ban:
        step = _ban_step(selection, rules)
        if step:
            return step
    first = selection.first
    if first is None:
        starter = winner_of(selection.start_rolls)
        return Step("roll", stage="start") if starter is None else Step("choose", starter, "start")
    if rules.mode in ("lockout", "random"):
        return (
            Step("done") if selection.is_complete else Step("reveal" if rules.mode == "lockout" else "draw")
        )
    for side in (first, other(first)):
        if side not in selection.picks:
            return Step("pick", side)
    return Step("done")


def _ban_step(selection: Selection, rules: HeroRules) -> Step | None:
    first = selection.ban_first
    if first is None:
        winner = winner_of(selection.ban_rolls)
        return Step("roll", stage="ban") if winner is None else Step("choose", winner, "ban")
    for turn in range(rules.ban):
        for side in (first, other(first)):
            if len(selection.bans.get(side, ())) <= turn:
                return Step("ban", side)
    return None


# -- what may be taken --------------------------------------------------------------------------------------


def locks(rows: EventRows, player: int, before: Round, rules: HeroRules) -> list[Lock]:
    """A player's locked heroes before a round; each stage starts without any."""
    won = []
    for round_ in rows.of_stage(before.stage):
        if round_.number >= before.number:
            break
        for match in rows.matches.get(round_.id or 0, ()):
            side: Side | None = "a" if match.a_id == player else "b" if match.b_id == player else None
            hero = read_selection(match.selection).picks.get(side) if side else None
            if side and hero and match.result in PLAYED and winner(match.result) == side:
                won.append(Lock(hero, round_.number, rules.unlock_round))
    return [lock for lock in won if not _is_free_again(lock, before.number)]


def _is_free_again(lock: Lock, number: int) -> bool:
    return lock.until is not None and lock.won_in < lock.until <= number


def choices(
    rows: EventRows, round_: Round, match: Match, step: Step, rules: HeroRules, side: Side | None = None
) -> list[Choice]:
    """Every hero to choose from at this step, with the reason if it is not allowed."""
    chooser = side or step.by
    if chooser is None:
        return []
    owner_side = other(chooser) if step.kind == "ban" else chooser
    owner = rows.players[match.a_id if owner_side == "a" else match.b_id or 0]
    heroes: Iterable[str] = owner.heroes or ([] if rules.bring else rules.allowed)
    return [Choice(hero, refusal(rows, round_, match, step.kind, chooser, hero, rules)) for hero in heroes]


def refusal(
    rows: EventRows, round_: Round, match: Match, kind: str, side: Side, hero: str, rules: HeroRules
) -> Message | None:
    """Why this side may not ban or pick this hero; None if it may."""
    owner_side = other(side) if kind == "ban" else side
    owner = rows.players[match.a_id if owner_side == "a" else match.b_id or 0]
    ref = Ref("hero", hero)
    if rules.bring and hero not in owner.heroes:
        return Message("hero_not_brought", name=owner.name, hero=ref)
    if rules.allowed and hero not in rules.allowed:
        return Message("hero_not_allowed", hero=ref)
    if hero in read_selection(match.selection).bans.get(other(owner_side), ()):
        return Message("hero_banned", hero=ref)
    if kind != "ban" and rules.mode == "lockout":
        return _locked(rows, round_, owner, hero, rules)
    return None


def _locked(rows: EventRows, round_: Round, owner: Player, hero: str, rules: HeroRules) -> Message | None:
    locked = {lock.hero: lock for lock in locks(rows, owner.id or 0, round_, rules)}
    if hero not in locked or set(owner.heroes) <= set(locked):
        return None  # with every hero locked there would be nothing to play: all are free
    lock, ref = locked[hero], Ref("hero", hero)
    if lock.until is None or lock.until <= lock.won_in:
        return Message("hero_locked", hero=ref, name=owner.name, round=lock.won_in)
    return Message("hero_locked_until", hero=ref, name=owner.name, round=lock.won_in, until=lock.until)


# -- acting -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Act:
    """What a form sends for one step: two dice, a side, or heroes."""

    dice: tuple[int, int] | None = None
    side: Side | None = None
    heroes: tuple[str, ...] = ()


def act(
    session: Session, event: AnyEvent, actor: Actor, match_id: int, version: int, answer: Act
) -> Change[Match]:
    """Carry out the next step of the selection."""
    event = hold(session, event)
    match, round_ = get_match(session, event, match_id)
    check_version(match, version, Message("changed_meanwhile"))
    if match.result is not None:
        raise Refused(Message("selection_over"))
    rows, rules = read_rows(session, event), hero_rules(event)
    step = next_step(read_selection(match.selection), rules)
    selection = after_step(rows, round_, match, step, answer, rules)
    selection = with_boxes(read_shelf(session, event), match, selection, is_strict=True)
    with changing(session, event, actor, "match.selection", match) as recording:
        match.selection = selection.as_json()
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


def after_step(
    rows: EventRows, round_: Round, match: Match, step: Step, answer: Act, rules: HeroRules
) -> Selection:
    """The selection after this step; refused if the answer does not fit it or a hero may not be taken."""
    selection = read_selection(match.selection)
    if step.kind == "roll" and answer.dice:
        if not all(1 <= d <= 6 for d in answer.dice):
            raise Refused(Message("selection_dice"))
        return selection.with_rolls(step.stage, answer.dice)
    if step.kind == "choose" and answer.side:
        if step.stage == "ban":
            return replace(selection, ban_first=answer.side)
        return replace(selection, first=answer.side)
    if step.kind == "draw":
        seed = round_.report.get("hero_seed") or f"{match.id}/{match.version}"
        return replace(selection, picks=_lots(rows, match, rules, seed))
    if step.kind in ("ban", "pick") and step.by and len(answer.heroes) == 1:
        _check(rows, round_, match, step.kind, {step.by: answer.heroes[0]}, rules)
        return _with_hero(selection, step.kind, step.by, answer.heroes[0])
    if step.kind == "reveal" and len(answer.heroes) == 2:
        picks = dict(zip(SIDES, answer.heroes, strict=True))
        _check(rows, round_, match, "pick", picks, rules)
        return replace(selection, picks=picks)
    raise Refused(Message("selection_incomplete"))


def _with_hero(selection: Selection, kind: str, by: Side, hero: str) -> Selection:
    if kind == "pick":
        return replace(selection, picks={**selection.picks, by: hero})
    return replace(selection, bans={**selection.bans, by: (*selection.bans.get(by, ()), hero)})


def _check(
    rows: EventRows, round_: Round, match: Match, kind: str, heroes: Mapping[Side, str], rules: HeroRules
) -> None:
    refusals = [refusal(rows, round_, match, kind, side, hero, rules) for side, hero in heroes.items()]
    reasons = [reason for reason in refusals if reason is not None]
    if reasons:
        raise Refused(*reasons)


def draw_for_round(session: Session, rows: EventRows, round_: Round) -> None:
    """Draw heroes for the tables of a published round that have none, and keep the seed with the round."""
    seed = draw_heroes(rows, round_, read_shelf(session, rows.event))
    if seed and round_.report.get("hero_seed") != seed:
        round_.report = {**round_.report, "hero_seed": seed}


def draw_heroes(rows: EventRows, round_: Round, shelf: Shelf = NO_BOXES) -> str | None:
    """Draw heroes for all tables of a round that have none, by the round's seed, which is returned. None if
    heroes are not drawn in this event, or there are too few to draw from. Where boxes are shared, heroes are
    drawn whose boxes are free, as long as there are any."""
    rules = hero_rules(rows.event)
    tables = [m for m in rows.matches.get(round_.id, ()) if m.b_id and not m.more]
    if rules.mode != "random" or any(len(_drawn_from(rows, m, rules)) < 2 for m in tables):
        return None
    seed = round_.report.get("hero_seed") or secrets.token_hex(8)
    for match in tables:
        selection = read_selection(match.selection)
        if not selection.picks:
            selection = replace(selection, picks=_lots(rows, match, rules, seed, shelf))
            match.selection = with_boxes(shelf, match, selection, is_strict=False).as_json()
            shelf = shelf.with_match(match)
    return str(seed)


def _drawn_from(rows: EventRows, match: Match, rules: HeroRules) -> list[str]:
    """The heroes that the event allows, else those brought, else all there are."""
    brought = [h for p in (match.a_id, match.b_id or 0) for h in rows.players[p].heroes]
    return sorted(set(rules.allowed or brought or catalogue(rows.event.game)))


def _lots(
    rows: EventRows, match: Match, rules: HeroRules, seed: str, shelf: Shelf = NO_BOXES
) -> dict[Side, str]:
    """Two different heroes by lot: always the same for the same seed, players, heroes and boxes."""
    heroes = _drawn_from(rows, match, rules)
    free = [hero for hero in heroes if shelf.can_lend(hero, match.id)] if shelf.boxes else []
    heroes = free if len(free) >= len(SIDES) else heroes
    if len(heroes) < 2:
        raise Refused(Message("selection_no_heroes"))
    lots = random.Random(f"{seed}/{match.a_id}/{match.b_id}")  # noqa: S311 - lots, not secrets
    first, second = lots.sample(heroes, 2)
    return {"a": first, "b": second}
