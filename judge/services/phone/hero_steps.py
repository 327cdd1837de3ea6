"""Bans and picks on both players' phones, one step at a time, each by the player whose turn it is.

The toss is kept by the program: each player throws one die, which follows from a seed that is stored with the
match before the first throw. The hash of the seed is shown at once, the seed when the dice are no longer
needed. Where both reveal a hero at once, each declares it in secret; the two are shown when both are there.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session, col, select

from judge.core.errors import Conflict, Refused
from judge.core.messages import Message
from judge.services.boxes.lending import read_shelf, with_boxes
from judge.services.event.event_rows import EventRows
from judge.services.event.event_view import (
    AnyEvent,
    MatchView,
    PlayerView,
    RoundView,
    match_view,
    player_view,
    round_view,
)
from judge.services.log.changes import Actor, Change, changing, hold, unchanged
from judge.services.phone.presence import phone_settings
from judge.services.phone.sealing import die, hash_of, new_seed, seal
from judge.services.play.bans_and_picks import (
    Act,
    Choice,
    HeroRules,
    Lock,
    Step,
    after_step,
    choices,
    hero_rules,
    locks,
    next_step,
    other,
    refusal,
)
from judge.services.play.reports import display_names_of, match_to_report
from judge.services.play.results import get_match
from judge.services.play.selection import SIDES, Sealed, Selection, Toss, read_selection
from judge.services.rulebook.heroes import find_hero
from judge.storage.events import Match, Player, Round, sits_at
from judge.tournament.model import Side

BY_PHONE = ("roll", "choose", "ban", "pick", "reveal")


@dataclass(frozen=True, slots=True)
class HeroPage:
    """Bans and picks of a match as one of its players sees them."""

    match: MatchView
    round: RoundView
    side: Side
    names: dict[Side, str]
    players: dict[Side, PlayerView]
    rules: HeroRules
    step: Step
    selection: Selection  # without what this player may not know yet
    toss_hash: str  # of the seed of the dice, shown from the beginning
    thrown: dict[Side, int]  # the dice of this throw
    sealed: dict[Side, str]  # who has declared in secret, with the hash
    seed: str | None  # once no more dice are thrown
    choices: tuple[Choice, ...]
    locks: dict[Side, list[Lock]]
    is_open: bool  # bans and picks can still be made by phone
    is_mine: bool  # this player has something to do now
    boxes: dict[Side, str]  # the label of a box that is lent or one's own; empty: no box was free


def step_due(selection: Selection, rules: HeroRules, side: Side) -> Step | None:
    """The step that waits for this side; None if none does."""
    step = next_step(selection, rules)
    if step.kind not in BY_PHONE or step.by not in (None, side) or side in _pending(selection, step):
        return None
    return step


def _pending(selection: Selection, step: Step) -> Collection[str]:
    """Who has already thrown or declared at a step that both take."""
    if step.kind == "roll":
        return set(selection.thrown.get(step.stage, {}))
    return set(selection.sealed) if step.kind == "reveal" else ()


def match_of_player(session: Session, player: Player | PlayerView) -> MatchView | None:
    """The player's current match, if it is one of two."""
    match = match_to_report(session, player)
    return match if match is not None and match.b_id is not None and not match.more else None


def read_hero_page(session: Session, event: AnyEvent, match_id: int, player: int) -> HeroPage:
    match, round_ = get_match(session, event, match_id)
    rules = hero_rules(event)
    rows = _rows_around(session, event, match, round_, rules)
    side: Side = "a" if match.a_id == player else "b"
    selection = read_selection(match.selection)
    step = next_step(selection, rules)
    seats = dict(zip(SIDES, match.seats, strict=True))
    names = dict(zip(SIDES, display_names_of(session, match.seats), strict=True))
    can_act = is_open(event, match.result) and round_.state == "published"
    needs_choice = step.kind == "reveal" or (step.kind in ("ban", "pick") and step.by == side)
    return HeroPage(
        match=match_view(match),
        round=round_view(round_),
        side=side,
        names=names,
        players={s: player_view(rows.players[p]) for s, p in seats.items()},
        rules=rules,
        step=step,
        selection=_visible(selection),
        toss_hash=selection.toss.hash if selection.toss else "",
        thrown=dict(selection.thrown.get(step.stage, {})),
        sealed={s: selection.sealed[s].hash for s in SIDES if s in selection.sealed},
        seed=selection.toss.seed if selection.toss and _dice_are_over(step) else None,
        choices=tuple(choices(rows, round_, match, step, rules, side)) if needs_choice else (),
        locks={s: locks(rows, p, round_, rules) for s, p in seats.items()} if rules.mode == "lockout" else {},
        is_open=can_act,
        boxes=_boxes(session, event, selection),
        is_mine=can_act and step_due(selection, rules, side) is not None,
    )


def _boxes(session: Session, event: AnyEvent, selection: Selection) -> dict[Side, str]:
    """The box of each side, where the boxes of its hero are shared."""
    lent, picks = selection.boxes, selection.picks
    if lent is None:
        return {}
    shelf = read_shelf(session, event)
    labels = {box.id: box.label or str(box.id) for box in shelf.boxes}
    return {s: labels.get(lent.get(s, 0), "") for s in SIDES if s in picks and shelf.of(picks[s])}


def is_open(event: AnyEvent, result: str | None) -> bool:
    return phone_settings(event).heroes and result is None


def _dice_are_over(step: Step) -> bool:
    """Whether no more dice come after this step."""
    return step.kind not in ("roll", "ban") and not (step.kind == "choose" and step.stage == "ban")


def _visible(selection: Selection) -> Selection:
    """What both players may know: neither heroes declared in secret nor the seed of dice to come."""
    return replace(selection, toss=None, sealed=selection.sealed if selection.is_complete else {})


def _rows_around(
    session: Session, event: AnyEvent, match: Match, round_: Round, rules: HeroRules
) -> EventRows:
    """The rows that decide what these two players may take: their own, and for a lockout their matches."""
    people = session.exec(select(Player).where(col(Player.id).in_(match.seats))).all()
    rounds = [round_]
    matches: dict[int, tuple[Match, ...]] = {round_.id: (match,)}
    if rules.mode == "lockout":
        query = select(Round).where(Round.event_id == event.id, Round.stage == round_.stage)
        rounds = list(session.exec(query.order_by(col(Round.number))).all())
        mine = session.exec(select(Match).where(Match.event_id == event.id, sits_at(*match.seats))).all()
        matches = {r.id: tuple(m for m in mine if m.round_id == r.id) for r in rounds}
    return EventRows(event, {p.id: p for p in people}, tuple(rounds), matches)


# -- acting -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PhoneAct:
    """What a phone sends: the step it saw, and a side or a hero where the step needs one."""

    kind: str
    stage: str = ""
    side: Side | None = None
    hero: str = ""


def act_by_phone(
    session: Session, event: AnyEvent, match_id: int, player_id: int, sent: PhoneAct, now: datetime
) -> Change[Match]:
    """Carry out the next step for the player whose turn it is. The same step sent twice counts once; one that
    has been overtaken is refused."""
    event = hold(session, event)
    match, round_ = get_match(session, event, match_id)
    if player_id not in match.seats or match.b_id is None or match.more:
        raise Refused(Message("selection_not_yours"))
    if not is_open(event, match.result) or round_.state != "published":
        raise Refused(Message("selection_over" if match.result else "phone_heroes_closed"))
    side: Side = "a" if match.a_id == player_id else "b"
    rules = hero_rules(event)
    before = read_selection(match.selection)
    step = next_step(before, rules)
    if (sent.kind, sent.stage) != (step.kind, step.stage) or step.by not in (None, side):
        raise Conflict(Message("selection_moved_on"))
    if side in _pending(before, step):
        return unchanged("match.selection", match).giving(match)
    rows = _rows_around(session, event, match, round_, rules)
    sent = replace(sent, hero=find_hero(event.game, sent.hero))
    selection = _after(rows, round_, match, step, side, sent, rules, now)
    is_open_choice = step.kind != "reveal"  # refusing a secret choice would tell the other one
    selection = with_boxes(read_shelf(session, event), match, selection, is_strict=is_open_choice)
    with changing(session, event, Actor(rows.players[player_id].name), "match.selection", match) as recording:
        match.selection = selection.as_json()
    return recording.change.giving(match)


def _after(
    rows: EventRows,
    round_: Round,
    match: Match,
    step: Step,
    side: Side,
    sent: PhoneAct,
    rules: HeroRules,
    now: datetime,
) -> Selection:
    if step.kind == "roll":
        return _thrown(read_selection(match.selection), step.stage, side)
    if step.kind == "reveal":
        return _declared(rows, round_, match, side, sent.hero, rules, now)
    heroes = (sent.hero,) if sent.hero else ()
    return after_step(rows, round_, match, step, Act(side=sent.side, heroes=heroes), rules)


def _thrown(selection: Selection, stage: str, side: Side) -> Selection:
    """One player's die; with both dice the throw is complete."""
    seed = selection.toss.seed if selection.toss else new_seed()
    throw = len(selection.rolls(stage)) + 1
    dice = {**selection.thrown.get(stage, {}), side: die(seed, stage, throw, side)}
    tossed = replace(selection, toss=Toss(seed, hash_of("toss", [seed])))
    if len(dice) < len(SIDES):
        return replace(tossed, thrown={stage: dice})
    return tossed.with_rolls(stage, (dice["a"], dice["b"]))


def _declared(
    rows: EventRows, round_: Round, match: Match, side: Side, hero: str, rules: HeroRules, now: datetime
) -> Selection:
    """One player's hero, in secret until the other one is there too."""
    reason = (
        refusal(rows, round_, match, "pick", side, hero, rules) if hero else Message("selection_incomplete")
    )
    if reason is not None:
        raise Refused(reason)
    selection = read_selection(match.selection)
    sealed = {**selection.sealed, side: Sealed(hero, **seal([hero], now))}
    picks = {s: sealed[s].hero for s in SIDES} if other(side) in sealed else selection.picks
    return replace(selection, sealed=sealed, picks=picks)
