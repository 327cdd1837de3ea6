"""The round's clock. It is stored in the round's row, so that every page and every worker shows the same
time.

The row stores how many seconds were left at a moment, and whether the clock has run since. After the set-up
minutes the round starts by itself, without a write. The arithmetic is pure (`face` and `at`, with `now`); the
rest are the changes a scorekeeper makes, each recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from judge.core.errors import Conflict, Missing, Refused
from judge.core.messages import Message
from judge.services.event.event_view import AnyEvent, RoundView, round_view
from judge.services.log.changes import Actor, Change, changing, check_version, hold
from judge.services.play.outcomes import house_rules
from judge.storage.events import Match, Round
from judge.tournament.end_of_time import AtTime, EndOfTime, Seat, SimultaneousDefeat, at_time

SETUP_S, ROUND_S = 120, 1800  # the defaults: Ranked Play's two and thirty minutes
LONGEST_S = 24 * 3600


@dataclass(frozen=True, slots=True)
class Timer:
    setup_s: int = SETUP_S
    round_s: int = ROUND_S


@dataclass(frozen=True, slots=True)
class Face:
    """A clock as pages show it. It does not depend on the current time, so it stays valid until it is
    changed.

    While it runs: `setup_ends` (if set-up comes first) and `ends`. While it is stopped: `setup_left` and
    `left` seconds.
    """

    phase: str  # idle | setup | round | over (closed by hand)
    is_running: bool
    setup_ends: datetime | None = None
    ends: datetime | None = None
    setup_left: int = 0
    left: int = 0


@dataclass(frozen=True, slots=True)
class Moment:
    """A clock at one moment. `left` is below zero when time has run out."""

    phase: str  # idle | setup | round | over
    left: int


def timer_of(settings: Mapping[str, Any], stage: int = 1) -> Timer:
    """The minutes of a stage's rounds: its own, else the event's."""
    clock = dict(settings.get("clock") or {})
    for own in settings.get("stage_clocks") or ():
        clock |= own if own["stage"] == stage else {}
    return Timer(int(clock.get("setup_s", SETUP_S)), int(clock.get("round_s", ROUND_S)))


def face(phase: str, since: datetime | None, left: int, timer: Timer) -> Face:
    """The clock of a round from its row: the phase, when it was last set, and the seconds left then."""
    setup_left, round_left = (left, timer.round_s) if phase == "setup" else (0, left)
    if since is None or phase in ("idle", "over"):
        return Face(phase, False, setup_left=setup_left, left=round_left)
    setup_ends = since + timedelta(seconds=setup_left) if phase == "setup" else None
    return Face(phase, True, setup_ends, (setup_ends or since) + timedelta(seconds=round_left))


def at(clock: Face, now: datetime) -> Moment:
    """The clock at this moment."""
    if clock.phase in ("idle", "over"):
        return Moment(clock.phase, clock.left)
    if not clock.is_running:
        return Moment(clock.phase, clock.setup_left if clock.phase == "setup" else clock.left)
    if clock.setup_ends is not None and now < clock.setup_ends:
        return Moment("setup", seconds(clock.setup_ends - now))
    assert clock.ends is not None
    left = seconds(clock.ends - now)
    return Moment("round" if left > 0 else "over", left)


def seconds(span: timedelta) -> int:
    """Whole seconds, rounded up, so that a clock shows 0:01 until the very end."""
    return -int(-span.total_seconds() // 1)


def round_face(round_: Round, event: AnyEvent) -> Face:
    return face(round_.clock_phase, round_.clock_from, round_.clock_left, timer_for(event, round_))


def timer_for(event: AnyEvent, round_: Round) -> Timer:
    return timer_of(event.settings, round_.stage)


def find_current_round(session: Session, event: AnyEvent) -> Round | None:
    """The round being played: the latest one that is published."""
    published = select(Round).where(Round.event_id == event.id, Round.state == "published")
    newest = published.order_by(col(Round.stage).desc(), col(Round.number).desc()).limit(1)
    return session.exec(newest).first()


@dataclass(frozen=True, slots=True)
class ClockPage:
    """The clock of the round being played; before round 1 only the event's times."""

    round: RoundView | None
    face: Face | None
    moment: Moment | None
    timer: Timer


def read_clock(session: Session, event: AnyEvent, now: datetime) -> ClockPage:
    round_ = find_current_round(session, event)
    if round_ is None:
        return ClockPage(None, None, None, timer_of(event.settings))
    clock = round_face(round_, event)
    return ClockPage(round_view(round_), clock, at(clock, now), timer_for(event, round_))


# -- changes ------------------------------------------------------------------------------------------------


def get_round_to_time(session: Session, event: AnyEvent, version: int) -> Round:
    """The round being played; a Conflict if its clock changed since the form was made."""
    round_ = find_current_round(session, event)
    if round_ is None:
        raise Missing
    check_version(round_, version, Message("clock_changed_meanwhile"))
    return round_


def start(
    session: Session, event: AnyEvent, round_: Round, actor: Actor, now: datetime, *, setup: bool = True
) -> Change[None]:
    """Start the clock: with the set-up minutes if the event has any, else with the round."""
    if round_.state != "published":
        raise Refused(Message("clock_not_published"))
    if round_.clock_phase != "idle":
        raise Conflict(Message("clock_started_already"))
    timer = timer_for(event, round_)
    phase, left = ("setup", timer.setup_s) if setup and timer.setup_s else ("round", timer.round_s)
    with changing(session, event, actor, "clock.started", round_) as recording:
        _set(round_, phase, left, now)
    return recording.change


def begin_round(
    session: Session, event: AnyEvent, round_: Round, actor: Actor, now: datetime
) -> Change[None]:
    """Skip the rest of the set-up time."""
    if at(round_face(round_, event), now).phase != "setup":
        raise Conflict(Message("clock_not_in_setup"))
    with changing(session, event, actor, "clock.round_begun", round_) as recording:
        _set(round_, "round", timer_for(event, round_).round_s, now)
    return recording.change


def pause(session: Session, event: AnyEvent, round_: Round, actor: Actor, now: datetime) -> Change[None]:
    moment = _running(round_, event, now)
    with changing(session, event, actor, "clock.paused", round_) as recording:
        _set(round_, "setup" if moment.phase == "setup" else "round", moment.left, None)
    return recording.change


def resume(session: Session, event: AnyEvent, round_: Round, actor: Actor, now: datetime) -> Change[None]:
    if round_.clock_phase not in ("setup", "round") or round_.clock_from is not None:
        raise Conflict(Message("clock_not_paused"))
    with changing(session, event, actor, "clock.resumed", round_) as recording:
        _set(round_, round_.clock_phase, round_.clock_left, now)
    return recording.change


def add(
    session: Session, event: AnyEvent, round_: Round, actor: Actor, now: datetime, *, minutes: int
) -> Change[None]:
    """Add minutes for every table, or subtract them; the time left never falls below zero."""
    clock = round_face(round_, event)
    if clock.phase in ("idle", "over"):
        raise Conflict(Message("clock_not_running"))
    moment = at(clock, now)
    phase = "setup" if moment.phase == "setup" else "round"
    left = moment.left + minutes * 60
    if (minutes < 0 and left < 0) or left > LONGEST_S:
        raise Refused(Message("clock_out_of_reach"))
    with changing(session, event, actor, "clock.changed", round_, why=f"{minutes:+d} min") as recording:
        _set(round_, phase, left, now if clock.is_running else None)
    return recording.change


def close(session: Session, event: AnyEvent, round_: Round, actor: Actor, now: datetime) -> Change[None]:
    """End the round, whatever the clock shows."""
    if round_.clock_phase in ("idle", "over"):
        raise Conflict(Message("clock_not_running"))
    with changing(session, event, actor, "clock.closed", round_) as recording:
        _set(round_, "over", 0, None)
    return recording.change


def reset(session: Session, event: AnyEvent, round_: Round, actor: Actor) -> Change[None]:
    """Reset the clock to the state before its start; extensions of tables stay."""
    with changing(session, event, actor, "clock.reset", round_) as recording:
        _set(round_, "idle", 0, None)
    return recording.change


def pause_all(session: Session, event: AnyEvent, actor: Actor, now: datetime) -> Change[int]:
    """Stop every running clock at once; `resume_all` starts exactly these again. Returns how many."""
    row = hold(session, event)
    running = [r for r in _published(session, row) if round_face(r, row).is_running]
    if not running:
        raise Conflict(Message("clock_none_running"))
    with changing(session, row, actor, "clock.all-paused") as recording:
        for round_ in running:
            moment = at(round_face(round_, row), now)
            _set(round_, "setup" if moment.phase == "setup" else "round", moment.left, None)
            round_.report = {**round_.report, "paused_together": True}
    return recording.change.giving(len(running))


def resume_all(session: Session, event: AnyEvent, actor: Actor, now: datetime) -> Change[int]:
    row = hold(session, event)
    paused = [r for r in _published(session, row) if r.report.get("paused_together")]
    if not paused:
        raise Conflict(Message("clock_none_paused"))
    with changing(session, row, actor, "clock.all-resumed") as recording:
        for round_ in paused:
            round_.report = {k: v for k, v in round_.report.items() if k != "paused_together"}
            if round_.clock_phase in ("setup", "round") and round_.clock_from is None:
                _set(round_, round_.clock_phase, round_.clock_left, now)
    return recording.change.giving(len(paused))


def _published(session: Session, event: AnyEvent) -> Sequence[Round]:
    return session.exec(select(Round).where(Round.event_id == event.id, Round.state == "published")).all()


def is_paused_together(session: Session, event: AnyEvent) -> bool:
    return any(r.report.get("paused_together") for r in _published(session, event))


def extend(
    session: Session, event: AnyEvent, match: Match, actor: Actor, minutes: int, why: str = ""
) -> Change[None]:
    """Set the total extra minutes of one table; 0 removes them."""
    if not 0 <= minutes <= 120:
        raise Refused(Message("extension_out_of_reach"))
    if match.result is not None:
        raise Conflict(Message("table_has_finished"))
    with changing(session, event, actor, "table.extended", match, why=why) as recording:
        match.extension_s = minutes * 60
    return recording.change


def _running(round_: Round, event: AnyEvent, now: datetime) -> Moment:
    clock = round_face(round_, event)
    if not clock.is_running:
        raise Conflict(Message("clock_not_running"))
    return at(clock, now)


def _set(round_: Round, phase: str, left: int, since: datetime | None) -> None:
    round_.clock_phase, round_.clock_left, round_.clock_from = phase, left, since


# -- when time is called ------------------------------------------------------------------------------------


def time_called(
    event: AnyEvent, stage: int, started: Seat, turns: tuple[int, int], health: tuple[int, int]
) -> EndOfTime:
    """Who still takes a turn at a table, or how its game ends, by the event's rules."""
    rules = house_rules(event, stage)
    rule: AtTime = "most-health" if rules.at_time == "most-health" or not rules.has_draws else "tie"
    simultaneous: SimultaneousDefeat = "fewest-turns-then-roll-off"
    if rules.has_draws and rules.simultaneous_defeat == "draw":
        simultaneous = "draw"
    return at_time(started, turns, health, rule, simultaneous)
