"""A game followed event by event: every player's board after the first `after` events, what the last of them
changed, and where the turn stands.

Dice Throne boards are taken while the table is still open: damage that waits is not yet taken off, because
somebody may still answer it. A table without events so far shows how it began.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from judge.core.messages import Lang
from judge.services.dispute.repair import repair
from judge.services.dispute.rulings import cut, rule_table
from judge.services.dispute.table_now import look

DIALS = {
    "dice-throne": ("health", "cp", "hand", "deck", "discard"),
    "dice-forge": ("gold", "sun", "moon", "glory", "hundreds"),
}


@dataclass(frozen=True, slots=True)
class Dial:
    what: str
    value: int
    change: int  # by the last event
    cap: int | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """One player. state: as in the ruling; gained and lost: tokens by id that the last event changed."""

    who: str
    state: dict[str, Any]
    dials: list[Dial]
    is_active: bool
    changed: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Moment:
    """The table after `after` of `count` events."""

    after: int
    count: int
    boards: list[Board]
    turn: dict[str, Any]
    teams: dict[str, int]
    says: dict[str, Any] | None  # the verdict on the last of these events
    steps: list[dict[str, Any]]  # what it led to


def follow(table: dict[str, Any], after: int | None, lang: Lang) -> tuple[Moment, dict[str, Any]]:
    """The moment asked for (the last one if none is), and the ruling on the whole table."""
    ruling = rule_table(table, lang)
    count = len(table.get("events") or [])
    after = count if after is None else min(max(after, 0), count)
    state, turn = _state(table, after, lang)
    before = _state(table, after - 1, lang)[0] if after else state
    says = next((e for e in ruling["events"] if e["n"] == after), None)
    steps = [step for step in ruling["steps"] if after in step.get("events", ())]
    boards = [_board(table["game"], who, now, before.get(who, now), turn) for who, now in state.items()]
    teams = rule_table(cut(table, after), lang).get("teams") or {}
    return Moment(after, count, boards, turn, teams, says, steps), ruling


def _state(table: dict[str, Any], after: int, lang: Lang) -> tuple[dict[str, Any], dict[str, Any]]:
    if table["game"] == "dice-throne":
        stands = look(cut(table, after) if table.get("events") else table, [])
        return stands.players, stands.turn
    ruling = rule_table(table, lang, after=after if table.get("events") else None)
    return ruling["players"], ruling["turn"]


def _board(game: str, who: str, now: dict[str, Any], before: dict[str, Any], turn: dict[str, Any]) -> Board:
    caps = now.get("caps") or {}
    dials = [
        Dial(what, now[what], now[what] - before.get(what, now[what]), caps.get(what))
        for what in DIALS[game]
        if isinstance(now.get(what), int) and (now[what] or what != "hundreds")
    ]
    return Board(who, now, dials, turn.get("active") == who, _tokens_changed(now, before))


def _tokens_changed(now: dict[str, Any], before: dict[str, Any]) -> dict[str, int]:
    changed: dict[str, int] = {}
    for key in ("statuses", "companions", "tokens"):
        new, old = now.get(key) or {}, before.get(key) or {}
        for token in {**new, **old}:
            if new.get(token, 0) != old.get(token, 0):
                changed[token] = new.get(token, 0) - old.get(token, 0)
    return changed


def mend(
    table: dict[str, Any], after: int, lang: Lang, *, illegal: int | None = None, shows: Any = None
) -> dict[str, Any]:
    """The changes that mend the table at this moment: if event `illegal` should not have counted, or if the
    table shows something else than it should."""
    return repair(cut(table, after), shows, illegal, lang, "shows")
