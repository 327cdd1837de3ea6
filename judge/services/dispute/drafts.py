"""Drafts: tables that judges are entering. They are changed step by step with unlimited undo and redo.

Whoever has the link of a draft may see it, and change it unless it is an event's, whose staff alone may.
Pages see frozen copies of the stored drafts.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, bindparam, delete
from sqlmodel import Session, col, or_, select

from judge.core.errors import Missing, fail
from judge.core.json_types import TableFile
from judge.core.messages import Message
from judge.services.accounts.limits import LONGEST_DRAFT, MOST_OWNERLESS, MOST_STEPS
from judge.services.dispute.case import Case
from judge.services.dispute.draft_steps import (
    fewer_steps,
    first_step,
    is_known,
    step_between,
    table_at,
    with_move,
)
from judge.services.event.event_view import AnyEvent, MatchView
from judge.services.play.calls import find_open, minutes_taken
from judge.storage.events import Match
from judge.storage.rulings import TableDraft

OWNERLESS_LAST = timedelta(days=30)  # a draft that belongs to nobody is deleted after this
RECENT = 8


@dataclass(frozen=True, slots=True)
class Draft:
    """A table being entered. `table` is its table file after undo and redo."""

    id: int
    token: str
    event_id: int | None
    match_id: int | None
    title: str
    is_pinned: bool
    can_undo: bool
    can_redo: bool
    started_at: datetime
    changed_at: datetime
    table: TableFile


def _view(row: TableDraft, table: TableFile | None = None) -> Draft:
    return Draft(
        id=row.id or 0,
        token=row.token,
        event_id=row.event_id,
        match_id=row.match_id,
        title=row.title,
        is_pinned=row.is_pinned,
        can_undo=row.at > 0,
        can_redo=row.at < len(row.steps) - 1,
        started_at=row.started_at,
        changed_at=row.changed_at,
        table=table_of(row) if table is None else table,
    )


def table_of(row: TableDraft) -> TableFile:
    """The table file after undo and redo."""
    return table_at(row.steps, row.at)


def get_draft(session: Session, token: str) -> Draft:
    return _view(_row(session, token))


def get_draft_numbered(session: Session, number: int) -> Draft:
    row = session.get(TableDraft, number)
    if row is None:
        raise Missing(Message("table_gone"))
    return _view(row)


_BY_TOKEN = select(TableDraft).where(TableDraft.token == bindparam("token"))


def _row(session: Session, token: str) -> TableDraft:
    row = session.exec(_BY_TOKEN, params={"token": token}).first()
    if row is None:
        raise Missing(Message("table_gone"))
    return row


def begin(
    session: Session,
    table: TableFile,
    now: datetime,
    *,
    account_id: int | None = None,
    event: AnyEvent | None = None,
    match: Match | MatchView | None = None,
    title: str = "",
) -> Draft:
    """A new draft of this table file; InputError if it cannot be ruled."""
    check_draft_size(table)
    Case(table).check()
    row = TableDraft(
        event_id=event.id if event else None,
        match_id=match.id if match else None,
        account_id=account_id,
        title=title[:120],
        steps=first_step(table),
        started_at=now,
        changed_at=now,
    )
    _forget_old(session, now)
    session.add(row)
    session.flush()
    return _view(row)


def check_draft_size(table: TableFile) -> None:
    if len(json.dumps(table)) > LONGEST_DRAFT:
        raise fail("", "draft_too_large", most=LONGEST_DRAFT)


def _forget_old(session: Session, now: datetime) -> None:
    """Delete what belongs to nobody and is old; and, when there is too much of it, the oldest."""
    ownerless = select(TableDraft.id).where(
        col(TableDraft.account_id).is_(None), col(TableDraft.event_id).is_(None)
    )
    expired = ownerless.where(
        TableDraft.changed_at < now - OWNERLESS_LAST, col(TableDraft.is_pinned).is_(False)
    )
    order = (col(TableDraft.is_pinned).desc(), col(TableDraft.changed_at).desc())
    surplus = ownerless.order_by(*order).offset(MOST_OWNERLESS).limit(50)
    for old in (expired.limit(50), surplus):
        numbers = session.exec(old).all()
        if numbers:
            session.execute(delete(TableDraft).where(col(TableDraft.id).in_(numbers)))


class OpenDraft:
    """A draft that is being changed; `shown` is the copy for pages after the last change. The caller's
    transaction stores it."""

    def __init__(self, session: Session, token: str) -> None:
        row = _row(session, token)
        self._row, self.shown = row, _view(row)

    def is_done(self, once: str) -> bool:
        """Whether this very tap has arrived before."""
        return is_known(self._row.steps, once)

    def change(self, case: Case, now: datetime, once: str = "") -> None:
        """Replace the table. If the new one cannot be ruled, raise InputError and change nothing."""
        row, before = self._row, self.shown.table
        if self.is_done(once) or case.data == before:
            return
        check_draft_size(case.data)
        case.check()
        steps = fewer_steps(list(row.steps[: row.at + 1]), MOST_STEPS)
        row.steps = [*steps, step_between(before, case.data, once)]
        row.at = len(steps)
        row.changed_at = now
        self.shown = _view(row, case.data)

    def undo(self, now: datetime, once: str = "") -> None:
        self._go(self._row.at - 1, now, once)

    def redo(self, now: datetime, once: str = "") -> None:
        self._go(self._row.at + 1, now, once)

    def _go(self, to: int, now: datetime, once: str) -> None:
        row = self._row
        if 0 <= to < len(row.steps) and not self.is_done(once):
            row.at, row.changed_at, row.steps = to, now, with_move(row.steps, once)
            self.shown = _view(row)

    def pin(self, once: str = "") -> None:
        """Pin the draft to the head of the list, or unpin it."""
        if not self.is_done(once):
            self._row.is_pinned, self._row.steps = not self._row.is_pinned, with_move(self._row.steps, once)
            self.shown = _view(self._row, self.shown.table)

    def rename(self, title: str) -> None:
        self._row.title = title[:120]
        self.shown = _view(self._row, self.shown.table)


# -- queries ------------------------------------------------------------------------------------------------


def recent(session: Session, account_id: int | None, tokens: list[str]) -> list[Draft]:
    """Drafts of this judge and those this browser remembers: pinned first, then the newest."""
    own: ColumnElement[bool] = col(TableDraft.token).in_(tokens)
    if account_id is not None:
        own = or_(own, col(TableDraft.account_id) == account_id)
    return _newest(session, own)


def drafts_of(session: Session, event: AnyEvent) -> list[Draft]:
    return _newest(session, col(TableDraft.event_id) == event.id)


def _newest(session: Session, condition: ColumnElement[bool]) -> list[Draft]:
    order = (col(TableDraft.is_pinned).desc(), col(TableDraft.changed_at).desc())
    rows = session.exec(select(TableDraft).where(condition).order_by(*order).limit(RECENT)).all()
    return [_view(row) for row in rows]


def minutes_so_far(session: Session, draft: Draft, now: datetime) -> int:
    """How long the dispute has taken: since the call was claimed, else since the table was begun."""
    call = find_open(session, draft.match_id) if draft.match_id else None
    if call is not None:
        return minutes_taken(call, now)
    return min(60, max(1, round((now - draft.started_at).total_seconds() / 60)))
