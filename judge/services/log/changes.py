"""Records every change to an event in its log, with who, when, why and the rows before and after; and undoes
it.

A service changes rows inside `changing(...)`. When the block ends, every row of the event that it added,
changed or deleted goes into one log entry of the same transaction, and the event's version rises (the ETag of
the public pages). The service returns the `Change`, which names that entry. `undo` restores the rows if
nobody has changed them since; it is itself a change. Rows are changed through the session's objects, or many
at once through the `Recording`: a bulk UPDATE would not be noticed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, Generic, TypedDict, TypeVar

from sqlalchemy import ColumnElement, Date, Table, inspect
from sqlalchemy import event as sa_event
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm.exc import StaleDataError
from sqlmodel import Session, SQLModel

from judge.core.errors import Conflict, Missing
from judge.core.json_types import JsonObject
from judge.core.messages import Message
from judge.services.accounts.account_view import AnyAccount
from judge.services.event.event_view import AnyEvent
from judge.services.log.chain import add_to_chain
from judge.services.log.references import let_go
from judge.storage.audit import AuditRow
from judge.storage.boxes import HeroBox
from judge.storage.columns import UtcDateTime
from judge.storage.connect import ApiToken, Webhook
from judge.storage.events import Announcement, Event, Match, Player, Round, Staff
from judge.storage.rulings import EventCatalogue, JudgeCall, KeptRuling, Penalty
from judge.storage.seasons import Season, SeasonEvent

# Tables whose rows undo can restore, parents before children.
TABLES: dict[str, type[SQLModel]] = {
    str(table.__tablename__): table
    for table in (
        Event,
        Staff,
        Player,
        Round,
        Match,
        EventCatalogue,
        KeptRuling,
        JudgeCall,
        Penalty,
        Announcement,
        Season,
        SeasonEvent,
        ApiToken,
        Webhook,
        HeroBox,
    )
}
UNRECORDED = {"version"}

Key = tuple[str, int]
Values = JsonObject | None  # None: the row does not exist
Difference = tuple[Key, Values, Values]  # a row, before and after


class RowCopy(TypedDict):
    """A row as a log entry stores it: all its columns, or only those that changed."""

    table: str
    id: int
    row: Values


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts, as the log shows it: a member of staff, or a player by private link."""

    name: str
    account_id: int | None = None


Result = TypeVar("Result")
Other = TypeVar("Other")


@dataclass(frozen=True, slots=True)
class Change(Generic[Result]):
    """What a write changed. entry: the number of its log entry; None if nothing changed.

    subject: the table and id of the row it is about. result: what else the caller needs.
    """

    entry: int | None
    what: str
    subject: Key
    result: Result

    def giving(self, result: Other) -> Change[Other]:
        """The same change with a result for the caller."""
        return Change(self.entry, self.what, self.subject, result)


def unchanged(what: str, subject: SQLModel | AnyEvent) -> Change[None]:
    """The change of a write that had nothing to change."""
    return Change(None, what, _key(subject), None)


@dataclass(slots=True)
class Rows:
    """The rows that a block touched, before and after."""

    before: dict[Key, Values] = field(default_factory=dict)
    after: dict[Key, Values] = field(default_factory=dict)

    def collect(self, session: Session, _context: object) -> None:
        for row in session.new:
            self.note(row, None, values_of(row))
        for row in session.dirty:
            self.note(row, _old_values(row), values_of(row))
        for row in session.deleted:
            self.note(row, _old_values(row), None)

    def note(self, row: SQLModel, before: Values, after: Values) -> None:
        if row.__tablename__ in TABLES:
            self.put(_key(row), before, after)

    def put(self, key: Key, before: Values, after: Values) -> None:
        self.before.setdefault(key, before)
        self.after[key] = after

    def differing(self) -> list[Difference]:
        """Each row that differs, before and after; of a changed row only the columns that differ."""
        result = []
        for key, after in self.after.items():
            before = self.before[key]
            if before is not None and after is not None:
                names = [name for name in after if after[name] != before[name]]
                before, after = {n: before[n] for n in names}, {n: after[n] for n in names}
            if before != after:
                result.append((key, before, after))
        return result


@dataclass(slots=True)
class Recording:
    """A block that changes rows; after it has ended, `change` says what it did."""

    session: Session
    what: str
    subject: SQLModel | AnyEvent
    entry: AuditRow | None = None  # None if nothing changed
    rows: Rows = field(default_factory=Rows)

    @property
    def change(self) -> Change[None]:
        return Change(self.entry.id if self.entry else None, self.what, _key(self.subject), None)

    def add_many(self, rows: Sequence[SQLModel], **shared: Any) -> None:
        """Insert many rows at once, with values that all of them share; faster than one by one."""
        if not rows:
            return
        table = _table(rows[0])
        if "version" in table.columns:
            shared["version"] = 1
        stored = [_columns(row) | shared for row in rows]
        insert = table.insert().returning(table.c.id, sort_by_parameter_order=True)
        numbers = self.session.connection().execute(insert, stored).scalars()
        for values, number in zip(stored, numbers, strict=True):
            recorded = {name: _plain(value) for name, value in values.items() if name not in UNRECORDED}
            self.rows.put((table.name, number), None, {"id": number, **recorded})

    def remove_many(self, rows: Sequence[SQLModel]) -> None:
        if not rows:
            return
        table = _table(rows[0])
        numbers = [_key(row)[1] for row in rows]
        let_go(self.session, TABLES, table.name, numbers)
        self.session.flush()
        for row in rows:
            self.rows.note(row, values_of(row), None)
            self.session.expunge(row)
        self.session.connection().execute(table.delete().where(table.c.id.in_(numbers)))


def hold(session: Session, event: AnyEvent) -> Event:
    """Lock the event and return its row. Read the event's other rows only after this."""
    return session.get_one(Event, event.id, with_for_update=True, populate_existing=True)


def check_version(row: Any, version: int, current: Message) -> None:
    """Refuse a form that was made from an older version of the row; `current` describes the newer one."""
    if row.version != version:
        raise Conflict(current)


@contextmanager
def changing(
    session: Session,
    event: AnyEvent | Season,
    actor: Actor,
    what: str,
    subject: SQLModel | None = None,
    why: str = "",
) -> Iterator[Recording]:
    """Record what the block changes in the event's or season's rows; nothing if it changes nothing.

    `subject` may be a row that the block adds; by default it is the event itself.
    """
    recording = Recording(session, what, subject if subject is not None else event)
    rows = recording.rows
    session.flush()
    sa_event.listen(session, "before_flush", _let_go_of_deleted)
    sa_event.listen(session, "after_flush", rows.collect)
    try:
        yield recording
        session.flush()
    except StaleDataError as error:
        raise Conflict(Message("changed_meanwhile")) from error
    finally:
        sa_event.remove(session, "before_flush", _let_go_of_deleted)
        sa_event.remove(session, "after_flush", rows.collect)
    if differing := rows.differing():
        recording.entry = _record(event, actor, recording, why, differing)


def _let_go_of_deleted(session: Session, *_: object) -> None:
    for row in list(session.deleted):
        table, number = _key(row)
        let_go(session, TABLES, table, [number])


def note(
    session: Session, event: AnyEvent, actor: Actor, what: str, subject: SQLModel | None = None
) -> Change[None]:
    """Add a log entry without rows, for something that cannot be undone."""
    recording = Recording(session, what, subject if subject is not None else event)
    recording.entry = _record(event, actor, recording, "", [])
    return recording.change


def note_account(session: Session, account: AnyAccount, what: str, now: datetime) -> Change[None]:
    """Add an entry about an account, outside any event: signing in, a new password, a passkey."""
    number = str(account.id or "")
    entry = AuditRow(
        at=now, actor=account.name, account_id=number, what=what, subject_kind="account", subject_id=number
    )
    add_to_chain(session, entry)
    return Change(entry.id, what, ("account", account.id or 0), None)


def undo(
    session: Session, event: AnyEvent | Season, entry_id: int, actor: Actor, why: str = ""
) -> Change[None]:
    """Restore the rows of a log entry; refused if any of them has changed since."""
    entry = session.get(AuditRow, entry_id)
    if entry is None or entry.event_id != log_of(event):
        raise Missing(Message("log_entry_unknown"))
    if entry.undone_by is not None:
        raise Conflict(Message("already_undone"))
    if not entry.before and not entry.after:
        raise Conflict(Message("cannot_undo"))
    try:
        with changing(session, event, actor, "undone", entry, why) as recording:
            for snapshot in _in_order(entry.before or [], entry.after or []):
                _put_back(session, *snapshot)
    except IntegrityError as error:  # a later row refers to one that would be deleted
        raise Conflict(Message("still_needed")) from error
    change = recording.change
    assert change.entry is not None, "undoing a recorded change changes something"
    entry.undone_by = change.entry
    session.flush()
    return change


def _in_order(before: list[RowCopy], after: list[RowCopy]) -> Iterator[tuple[str, int, Values, Values]]:
    """Rows to restore with parents first, then rows to delete with children first."""
    old = {(copy["table"], copy["id"]): copy["row"] for copy in before}
    new = {(copy["table"], copy["id"]): copy["row"] for copy in after}
    rank = {name: n for n, name in enumerate(TABLES)}
    restored = sorted((k for k in old if old[k] is not None), key=lambda k: (rank[k[0]], k[1]))
    deleted = sorted((k for k in old if old[k] is None), key=lambda k: (-rank[k[0]], -k[1]))
    for key in restored + deleted:
        yield *key, old[key], new[key]


def _put_back(session: Session, table: str, row_id: int, before: Values, after: Values) -> None:
    """Restore one row as it was before the change, if it is still as it was after it."""
    model = TABLES[table]
    row = session.get(model, row_id)
    current = None if row is None else values_of(row)
    if current is not None and after is not None:
        current = {name: current[name] for name in after}
    if current != after:
        raise Conflict(Message("changed_since", table=table))
    if before is None:
        session.delete(row)
    elif row is None:
        session.add(model(**_typed(model, before)))
    else:
        for name, value in _typed(model, before).items():
            if value != getattr(row, name):
                setattr(row, name, value)
    session.flush()


def _key(row: SQLModel | AnyEvent) -> Key:
    """The table and id of a stored row."""
    number: int = row.id  # type: ignore[union-attr]  # every table of ours has one
    return str(getattr(row, "__tablename__", "event")), number


def numbers_of(model: type[SQLModel]) -> ColumnElement[int]:
    """The id column of a table."""
    column: ColumnElement[int] = inspect(model).columns["id"]
    return column


def _table(row: SQLModel) -> Table:
    table: Table = row.__table__  # type: ignore[attr-defined]  # SQLModel does not declare it
    return table


def _columns(row: SQLModel) -> JsonObject:
    """The columns of a new row without the id, which the database assigns."""
    return {c.key: getattr(row, c.key) for c in _table(row).columns if c.key != "id"}


def values_of(row: SQLModel) -> JsonObject:
    """The columns of a row as JSON values."""
    return {c.key: _plain(getattr(row, c.key)) for c in _table(row).columns if c.key not in UNRECORDED}


def _old_values(row: SQLModel) -> JsonObject:
    """The columns of a row as they were before this flush."""
    values = values_of(row)
    state = inspect(row)
    if not state.modified:  # deleted as it was read
        return values
    attributes = state.attrs
    for name in values:
        old = attributes[name].history.deleted
        if old:
            values[name] = _plain(old[0])
    return values


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def _typed(model: type[SQLModel], values: JsonObject) -> JsonObject:
    """The values of a recorded row with dates and times in place of their text."""
    read: dict[type, Callable[[str], date]] = {
        UtcDateTime: datetime.fromisoformat,
        Date: date.fromisoformat,
    }
    columns = inspect(model).columns
    result = {}
    for column in columns:
        if column.key in values:
            value = values[column.key]
            parse = read.get(type(column.type))
            result[column.key] = parse(value) if parse and value is not None else value
    return result


def log_of(event: AnyEvent | Season) -> str:
    """The name of the log that an event's or a season's entries belong to."""
    return f"season-{event.id}" if isinstance(event, Season) else str(event.id)


def _record(
    event: AnyEvent | Season, actor: Actor, recording: Recording, why: str, differing: list[Difference]
) -> AuditRow:
    session, (kind, number) = recording.session, _key(recording.subject)
    entry = AuditRow(
        at=datetime.now(UTC),
        actor=actor.name,
        account_id=str(actor.account_id) if actor.account_id else None,
        event_id=log_of(event),
        what=recording.what,
        subject_kind=kind,
        subject_id=str(number),
        before=[{"table": t, "id": i, "row": before} for (t, i), before, _ in differing],
        after=[{"table": t, "id": i, "row": after} for (t, i), _, after in differing],
        why=why,
    )
    add_to_chain(session, entry, event)
    return entry
