"""Follows a game event by event: every player's board after the first `after` events, what the last of them
changed, and where the turn stands.

Pending damage of Dice Throne is not yet subtracted, because somebody may still answer it; after the
last event comes one more moment in which it is. A table without events shows how it began.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from judge.core.messages import Lang
from judge.rules.ruling import Report
from judge.services.dispute.case import Case
from judge.services.dispute.games import Now
from judge.services.dispute.repair import Repair, repair

if TYPE_CHECKING:  # a cold start need not load it
    from judge.rules.ruling_json import EventJson, StepJson, TotalJson


@dataclass(frozen=True, slots=True)
class Dial:
    what: str
    value: int
    change: int  # by the last event
    cap: int | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """One player. state: the game's report of them; changed: tokens by id, and by how many."""

    who: str
    state: Report
    dials: list[Dial]
    is_active: bool
    changed: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Moment:
    """The table after `after` of `count` events."""

    after: int
    count: int
    boards: list[Board]
    turn: Report
    teams: dict[str, int]
    says: EventJson | None  # the verdict on the last of these events
    steps: list[StepJson]  # what it led to
    is_resolved: bool = False  # everything pending is concluded
    has_resolved: bool = False  # a moment of that kind follows the last event
    totals: dict[str, TotalJson] = field(default_factory=dict)  # what was concluded there


def follow(case: Case, after: int | None, lang: Lang) -> Moment:
    """The moment asked for; the last one if none is, or if it lies behind the last event."""
    ruling = case.said(lang)
    count = len(case.data.get("events") or [])
    has_resolved = bool(count) and case.ruling.players != case.now.players
    if has_resolved and (after is None or after > count):
        return _resolved(case, count, lang)
    after = count if after is None else min(max(after, 0), count)
    now = _now(case, after)
    before = _now(case, after - 1).players if after else now.players
    says = next((e for e in ruling["events"] if e["n"] == after), None)
    steps = [step for step in ruling["steps"] if after in step.get("events", ())]
    boards = [
        _board(case.game.dials, who, state, before.get(who, state), now.turn.active)
        for who, state in now.players.items()
    ]
    teams = case.cut(after).said(lang)["teams"] if ruling.get("teams") else {}
    return Moment(after, count, boards, now.turn, teams, says, steps, has_resolved=has_resolved)


def _resolved(case: Case, count: int, lang: Lang) -> Moment:
    """The table once everything pending is concluded: what a judge reads off the dials."""
    ruling, before, turn = case.said(lang), case.now.players, case.ruling.turn
    boards = [
        _board(case.game.dials, who, state, before[who], turn.active)
        for who, state in case.ruling.players.items()
    ]
    totals = ruling["resolutions"][-1]["totals"] if ruling["resolutions"] else {}
    return Moment(count, count, boards, turn, ruling.get("teams") or {}, None, [], True, True, totals)


def _now(case: Case, after: int) -> Now[Any, Any]:
    return (case.after(after) if case.data.get("events") else case).now


def _board(dials: tuple[str, ...], who: str, now: Report, before: Report, active: str) -> Board:
    caps: dict[str, int] = getattr(now, "caps", {})
    values = []
    for what in dials:
        value, old = getattr(now, what), getattr(before, what)
        if value is not None and (value or what != "hundreds"):
            values.append(Dial(what, value, value - (value if old is None else old), caps.get(what)))
    return Board(who, now, values, active == who, _tokens_changed(now, before))


def _tokens_changed(now: Report, before: Report) -> dict[str, int]:
    changed: dict[str, int] = {}
    for key in ("statuses", "companions", "tokens"):
        new: dict[str, int] = getattr(now, key, None) or {}
        old: dict[str, int] = getattr(before, key, None) or {}
        for token in {**new, **old}:
            if new.get(token, 0) != old.get(token, 0):
                changed[token] = new.get(token, 0) - old.get(token, 0)
    return changed


def mend(case: Case, after: int, lang: Lang, *, illegal: int | None = None, shows: Any = None) -> Repair:
    """The changes that put the table right at this moment, when event `illegal` should not have counted or
    the table shows something else than it should."""
    return repair(case.cut(after), shows, illegal, lang, "shows")
