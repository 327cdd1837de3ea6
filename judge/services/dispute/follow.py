"""A game followed event by event: every player's board after the first `after` events, what the last of them
changed, and where the turn stands.

Dice Throne boards are taken while the table is still open: damage that waits is not yet taken off, because
somebody may still answer it. A table without events so far shows how it began.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from judge.core.messages import Lang
from judge.rules.ruling import Report
from judge.services.dispute.case import Case
from judge.services.dispute.games import Now
from judge.services.dispute.repair import repair


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
    says: dict[str, Any] | None  # the verdict on the last of these events
    steps: list[dict[str, Any]]  # what it led to


def follow(case: Case, after: int | None, lang: Lang) -> Moment:
    """The moment asked for, or the last one."""
    ruling = case.said(lang)
    count = len(case.data.get("events") or [])
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
    return Moment(after, count, boards, now.turn, teams, says, steps)


def _now(case: Case, after: int) -> Now[Any, Any]:
    return (case.after(after) if case.data.get("events") else case).now


def _board(dials: tuple[str, ...], who: str, now: Report, before: Report, active: str) -> Board:
    caps: dict[str, int] = getattr(now, "caps", {})
    shown = []
    for what in dials:
        value, was = getattr(now, what), getattr(before, what)
        if value is not None and (value or what != "hundreds"):
            shown.append(Dial(what, value, value - (value if was is None else was), caps.get(what)))
    return Board(who, now, shown, active == who, _tokens_changed(now, before))


def _tokens_changed(now: Report, before: Report) -> dict[str, int]:
    changed: dict[str, int] = {}
    for key in ("statuses", "companions", "tokens"):
        new: dict[str, int] = getattr(now, key, None) or {}
        old: dict[str, int] = getattr(before, key, None) or {}
        for token in {**new, **old}:
            if new.get(token, 0) != old.get(token, 0):
                changed[token] = new.get(token, 0) - old.get(token, 0)
    return changed


def mend(
    case: Case, after: int, lang: Lang, *, illegal: int | None = None, shows: Any = None
) -> dict[str, Any]:
    """The changes that mend the table at this moment: if event `illegal` should not have counted, or if the
    table shows something else than it should."""
    return repair(case.cut(after), shows, illegal, lang, "shows")
