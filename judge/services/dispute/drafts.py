"""Tables that judges are entering: begun, changed step by step with undo and redo without end, found again.

A draft is a table file in the making. Whoever has its link may change it; a draft of an event also belongs
to that event's staff.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, or_, select

from judge.services.dispute.case import Case
from judge.services.dispute.draft_steps import first_step, is_known, step_between, table_at, with_move
from judge.services.event.event_view import AnyEvent
from judge.storage.events import Match
from judge.storage.rulings import TableDraft

NOBODYS_LAST = timedelta(days=30)  # a table that belongs to nobody is forgotten after this
RECENT = 8


def table_of(draft: TableDraft) -> dict[str, Any]:
    """The table file as it is shown."""
    return table_at(draft.steps, draft.at)


def case_of(draft: TableDraft) -> Case:
    """The table as it is shown, to be asked."""
    return Case(table_of(draft))


def begin(
    session: Session,
    table: dict[str, Any],
    now: datetime,
    *,
    account_id: int | None = None,
    event: AnyEvent | None = None,
    match: Match | None = None,
    title: str = "",
) -> TableDraft:
    """A new draft of this table file; InputError if it cannot be ruled."""
    Case(table).check()
    draft = TableDraft(
        event_id=event.id if event else None,
        match_id=match.id if match else None,
        account_id=account_id,
        title=title[:120],
        steps=first_step(table),
        started_at=now,
        changed_at=now,
    )
    _forget_old(session, now)
    session.add(draft)
    session.flush()
    return draft


def _forget_old(session: Session, now: datetime) -> None:
    old = select(TableDraft).where(
        col(TableDraft.account_id).is_(None),
        col(TableDraft.event_id).is_(None),
        TableDraft.changed_at < now - NOBODYS_LAST,
        col(TableDraft.is_pinned).is_(False),
    )
    for draft in session.exec(old.limit(50)).all():
        session.delete(draft)


def change(draft: TableDraft, case: Case, now: datetime, once: str = "") -> None:
    """Make this the table. InputError, and nothing happens, if it cannot be ruled then."""
    if is_done(draft, once):
        return
    before = table_of(draft)
    if case.data == before:
        return
    case.check()
    kept = list(draft.steps[: draft.at + 1])
    draft.steps = [*kept, step_between(before, case.data, once)]
    draft.at = len(kept)
    draft.changed_at = now


def is_done(draft: TableDraft, once: str) -> bool:
    """This very tap has arrived before."""
    return is_known(draft.steps, once)


def undo(draft: TableDraft, now: datetime, once: str = "") -> None:
    _go(draft, draft.at - 1, now, once)


def redo(draft: TableDraft, now: datetime, once: str = "") -> None:
    _go(draft, draft.at + 1, now, once)


def _go(draft: TableDraft, to: int, now: datetime, once: str) -> None:
    if 0 <= to < len(draft.steps) and not is_done(draft, once):
        draft.at, draft.changed_at, draft.steps = to, now, with_move(draft.steps, once)


def pin(draft: TableDraft, once: str = "") -> None:
    """Keep it at the head of the list, or no longer."""
    if not is_done(draft, once):
        draft.is_pinned, draft.steps = not draft.is_pinned, with_move(draft.steps, once)


def can_undo(draft: TableDraft) -> bool:
    return draft.at > 0


def can_redo(draft: TableDraft) -> bool:
    return draft.at < len(draft.steps) - 1


def recent(session: Session, account_id: int | None, numbers: list[int]) -> list[TableDraft]:
    """This judge's tables, or those this browser remembers: pinned first, then the newest."""
    mine: ColumnElement[bool] = col(TableDraft.id).in_(numbers)
    if account_id is not None:
        mine = or_(mine, col(TableDraft.account_id) == account_id)
    order = (col(TableDraft.is_pinned).desc(), col(TableDraft.changed_at).desc())
    return list(session.exec(select(TableDraft).where(mine).order_by(*order).limit(RECENT)).all())


def drafts_of(session: Session, event: AnyEvent) -> list[TableDraft]:
    own = select(TableDraft).where(TableDraft.event_id == event.id)
    order = (col(TableDraft.is_pinned).desc(), col(TableDraft.changed_at).desc())
    return list(session.exec(own.order_by(*order).limit(RECENT)).all())
