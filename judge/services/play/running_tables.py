"""The tables being played, with their players and how late they are, in one query.

It returns light values instead of rows: it is read with every result that comes in, so its cost must not grow
with finished rounds.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import String, bindparam, cast, func
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from judge.core.errors import Refused
from judge.core.folding import folded
from judge.core.json_types import JsonObject
from judge.core.messages import Message
from judge.services.event.event_view import AnyEvent
from judge.services.play.clock import Face, face, timer_of
from judge.services.play.outcomes import Outcome
from judge.storage.events import Match, Player, Round
from judge.storage.reader import Prepared, Reader, reader_of, select_columns


@dataclass(frozen=True, slots=True)
class Table:
    """One match as a list shows it."""

    id: int
    version: int
    number: int | None
    round: int
    stage: int
    a_id: int
    b_id: int | None
    a: str
    b: str | None
    outcome: Outcome | None
    reports: JsonObject = field(default_factory=dict)
    selection: JsonObject = field(default_factory=dict)
    link: int = 1
    extension_s: int = 0
    names: tuple[str, ...] = ()  # all players; in a pod `b` names everybody after the first
    members: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # of teams, on side a and b
    overdue_s: int | None = None  # seconds past the end of its time; None without a running clock

    @property
    def everybody(self) -> tuple[str, ...]:
        """All players, and the members of teams."""
        return (*self.names, *self.members[0], *self.members[1])

    @property
    def is_missing(self) -> bool:
        return self.outcome is None

    @property
    def is_late(self) -> bool:
        return self.is_missing and self.overdue_s is not None and self.overdue_s > 0

    @property
    def is_disputed(self) -> bool:
        """Whether several players have reported different results."""
        return self.is_missing and len(self.reports) > 1

    @property
    def is_reported(self) -> bool:
        return self.is_missing and len(self.reports) == 1


_A, _B = aliased(Player), aliased(Player)
_CURRENT = (
    select(func.max(Round.number))
    .where(Round.event_id == bindparam("event"), Round.state == "published")
    .scalar_subquery()
)
_TABLES = (
    select_columns(
        Match.id, Match.version, Match.table_no, Round.number, Round.stage, Match.a_id, Match.b_id,
        _A.name, _B.name, cast(_A.members, String), cast(_B.members, String),
        Match.result, Match.how, Match.health_a, Match.health_b,
        cast(Match.games, String), cast(Match.reports, String), cast(Match.selection, String), Match.link,
        Match.extension_s, cast(Match.more, String), cast(Match.scores, String),
        Round.clock_phase, Round.clock_from, Round.clock_left,
    )
    .join(Round, col(Match.round_id) == Round.id)
    .join(_A, col(Match.a_id) == _A.id)
    .join(_B, col(Match.b_id) == _B.id)
    .where(Match.event_id == bindparam("event"), Round.state == "published")
    .where((col(Round.number) == _CURRENT) | col(Match.result).is_(None))
)  # fmt: skip


_NEWEST = Prepared(
    select(func.max(Round.number)).where(Round.event_id == bindparam("event"), Round.state == "published"),
    "event",
)
_ALL = Prepared(_TABLES, "event")
_NUMBERED = Prepared(_TABLES.where(Match.table_no == bindparam("table")), "event", "table")
_OPEN = Prepared(_TABLES.where(col(Match.result).is_(None)), "event")


def tables_now(session: Session, event: AnyEvent, now: datetime) -> list[Table]:
    """The tables of the current round and older ones without a result, except byes.

    Disputed ones come first, then late ones (longest first), then open ones by number, then finished ones."""
    reader = reader_of(session)
    return _tables(reader, reader.rows(_ALL, event.id), event, now)


def tables_numbered(session: Session, event: AnyEvent, number: int, now: datetime) -> list[Table]:
    """The tables of `tables_now` with this number."""
    reader = reader_of(session)
    return _tables(reader, reader.rows(_NUMBERED, event.id, number), event, now)


def open_tables(reader: Reader, event: AnyEvent, now: datetime) -> list[Table]:
    """The tables of `tables_now` without a result."""
    return _tables(reader, reader.rows(_OPEN, event.id), event, now)


def newest_round(reader: Reader, event: AnyEvent) -> int | None:
    """The published round with the highest number."""
    number: int | None = reader.rows(_NEWEST, event.id)[0][0]
    return number


_NAMES = Prepared(select(Player.id, Player.name).where(Player.event_id == bindparam("event")), "event")


def newest_stage(session: Session, event: AnyEvent) -> int:
    """The stage of the newest published round; 1 before there is any."""
    stage = session.exec(
        select(Round.stage)
        .where(Round.event_id == event.id, Round.state == "published")
        .order_by(col(Round.number).desc())
        .limit(1)
    ).first()
    return stage or 1


def _tables(reader: Reader, rows: Sequence[Any], event: AnyEvent, now: datetime) -> list[Table]:
    clocks = {
        (stage, phase, since, left): face(phase, since, left, timer_of(event.settings, stage))
        for stage, phase, since, left in {_clock(row) for row in rows}
    }
    has_pods = any(row[-5] for row in rows)
    names = dict(map(tuple, reader.rows(_NAMES, event.id))) if has_pods else {}
    return sorted((_table(row, clocks[_clock(row)], now, names) for row in rows), key=_urgency)


def _clock(row: Any) -> tuple[int, str, datetime | None, int]:
    """The stage of a table's round and its stored clock: phase, since when, seconds left."""
    return (row[4], *row[-3:])


def _table(row: Any, clock: Face, now: datetime, player_names: dict[int, str]) -> Table:
    (
        match_id, version, number, round_number, stage, a_id, b_id, a, b, of_a, of_b, result, how, health_a,
        health_b,
        games, reports, selection, link, extension_s, more, scores, *_,
    ) = row  # fmt: skip
    outcome = None
    if result is not None:
        outcome = Outcome(
            result, how, health_a, health_b, tuple(json.loads(games)) if games else None,
            tuple(json.loads(scores)) if scores else None,
        )  # fmt: skip
    names = (a, b, *(player_names[p] for p in json.loads(more))) if more else (a, b)
    return Table(
        match_id, version, number, round_number, stage, a_id, b_id, a, " – ".join(names[1:]), outcome,
        reports=_read(reports), selection=_read(selection), link=link, names=names,
        extension_s=extension_s, overdue_s=overdue(clock, extension_s, now),
        members=(member_names(of_a), member_names(of_b)),
    )  # fmt: skip


def member_names(text: str | None) -> tuple[str, ...]:
    """The members of a team from their stored JSON."""
    if not text or text == "[]":
        return ()
    return tuple(m if isinstance(m, str) else str(m["name"]) for m in json.loads(text))


def _read(text: str) -> JsonObject:
    """Stored JSON. Most tables have none; parsing it hundreds of times would take too long."""
    return {} if text == "{}" else json.loads(text)


def overdue(clock: Face, extension_s: int, now: datetime) -> int | None:
    """Seconds past the end of a table's time, negative before it; None while no clock runs."""
    if clock.ends is None:
        return None
    return int((now - clock.ends).total_seconds()) - extension_s


def _urgency(table: Table) -> tuple[Any, ...]:
    late = -(table.overdue_s or 0) if table.is_late else 1
    return not table.is_missing, not table.is_disputed, late, table.round, table.number or 0


def find_table(tables: list[Table], number: int | None, name: str) -> Table:
    """Find a table by its number or a player's name; open tables come before finished ones."""
    if number is not None:
        matches = [t for t in tables if t.number == number]
        if not matches:
            raise Refused(Message("no_such_table", table=number))
        return max(matches, key=lambda t: (t.is_missing, t.round))
    matches = _by_name(tables, folded(name))
    if not matches:
        raise Refused(Message("no_such_player", name=name))
    pending = [t for t in matches if t.is_missing] or matches
    if len(pending) > 1:
        raise Refused(Message("several_players", name=name, tables=[_spoken(t) for t in pending[:5]]))
    return pending[0]


def _by_name(tables: list[Table], name: str) -> list[Table]:
    """Tables of players with exactly this name, else whose name, else a word of whose name, begins with
    it."""
    tests = (
        lambda full: full == name,
        lambda full: full.startswith(name),
        lambda full: any(word.startswith(name) for word in full.split()),
    )
    for test in tests:
        matches = [t for t in tables if any(test(folded(player)) for player in t.everybody)]
        if matches:
            return matches
    return []


def _spoken(table: Table) -> str:
    return f"{table.number}: {table.a} – {table.b}"


def is_on_side_b(table: Table, name: str) -> bool:
    """Whether the typed name means the player on side b."""
    name = folded(name)
    sides = ((table.a, *table.members[0]), (table.b or "", *table.members[1]))
    closeness = [max(_closeness(folded(full), name) for full in side) for side in sides]
    return closeness[1] > closeness[0]


def _closeness(full: str, name: str) -> tuple[bool, bool, bool]:
    return full == name, full.startswith(name), any(w.startswith(name) for w in full.split())
