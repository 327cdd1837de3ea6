"""The log as a chain of hashes: each entry's link covers the entry and the link before it, so that nobody can
alter, insert or take out an entry unnoticed. `judge log --verify` walks it.

What the chain cannot see: entries cut off at its end (the number of entries and the last link, which backups
and the page "Is all well?" show, tell that), and rows older than the chain.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import bindparam, false, func, select
from sqlalchemy.orm.attributes import set_committed_value
from sqlalchemy.orm.util import identity_key
from sqlmodel import Session, col
from sqlmodel import select as select_rows

from judge.services.connect.outbox import IS_WANTED, enqueue, wanted
from judge.services.event.event_view import AnyEvent
from judge.storage.audit import AuditRow
from judge.storage.database import PATIENCE
from judge.storage.events import Event
from judge.storage.seasons import Season

LOCK_NUMBER = 0x6C6F67  # "log": writers of the chain on PostgreSQL come one after another
WALKED_AT_ONCE = 500

# Made once: every change of an event sends them. Only a writer that gets ahead has the lock, so it is worth
# waiting for longer than for others. What is read after it must be asked for in a statement of its own: one
# statement sees only what was stored when it began.
_LOCK = (
    func.set_config("lock_timeout", f"{PATIENCE}s", True),
    func.pg_advisory_xact_lock(LOCK_NUMBER),
)
_RAISED = {
    table: table.__table__.update()  # type: ignore[union-attr]  # SQLModel does not declare it
    .where(col(table.id) == bindparam("number"))
    .values(version=table.version + 1)
    for table in (Event, Season)
}
_RAISED_AND_LOCKED = {table: raised.returning(*_LOCK) for table, raised in _RAISED.items()}
_LOCKED = select(*_LOCK)
_NEXT_NUMBER = {
    "sqlite": select(func.coalesce(func.max(AuditRow.id), 0) + 1).scalar_subquery(),
    "postgresql": func.nextval(func.pg_get_serial_sequence(AuditRow.__tablename__, "id")),
}
_LAST_LINK = select(col(AuditRow.link)).order_by(col(AuditRow.id).desc()).limit(1).scalar_subquery()
_PLACE = {name: select(number, _LAST_LINK, IS_WANTED) for name, number in _NEXT_NUMBER.items()}
_PLACE_WITHOUT_EVENT = {name: select(number, _LAST_LINK, false()) for name, number in _NEXT_NUMBER.items()}


def add_to_chain(session: Session, entry: AuditRow, event: AnyEvent | Season | None = None) -> None:
    """Store a new entry as the last of the chain. The version of its event or season rises; an event's
    webhooks will be told."""
    session.flush()
    entry.digest = digest_of(entry)
    dialect = session.get_bind().dialect.name
    _take_turn(session, event, is_locked=dialect == "postgresql")
    if event is None or isinstance(event, Season):
        place = session.execute(_PLACE_WITHOUT_EVENT[dialect])
    else:
        place = session.execute(_PLACE[dialect], wanted(entry, event.id))
    entry.id, before, is_wanted = place.one()
    entry.link = link_of(entry, before or "")
    session.add(entry)
    session.flush()
    if is_wanted and event is not None:
        enqueue(session, entry, event.id)


def _take_turn(session: Session, event: AnyEvent | Season | None, *, is_locked: bool) -> None:
    """Raise the version, and wait until no other transaction adds to the chain."""
    if event is None:
        if is_locked:
            session.execute(_LOCKED)
        return
    table = Season if isinstance(event, Season) else Event
    session.execute((_RAISED_AND_LOCKED if is_locked else _RAISED)[table], {"number": event.id})
    row = session.identity_map.get(identity_key(table, event.id))
    if isinstance(row, Event | Season) and "version" in row.__dict__:
        set_committed_value(row, "version", row.version + 1)


def digest_of(entry: AuditRow) -> str:
    """The hash of what the entry says."""
    said = json.loads(json.dumps([entry.actor, entry.before, entry.after, entry.why]))  # as it is read again
    return _hash(json.dumps(said, sort_keys=True, ensure_ascii=True, separators=(",", ":")))


def link_of(entry: AuditRow, before: str) -> str:
    facts = (entry.id, entry.at.isoformat(), entry.account_id, entry.event_id, entry.what)
    about = (entry.subject_kind, entry.subject_id, entry.digest)
    return _hash(json.dumps([before, *facts, *about], ensure_ascii=True))


def _hash(said: str) -> str:
    return hashlib.sha256(said.encode()).hexdigest()


@dataclass(slots=True)
class Walk:
    """What a walk along the chain found: how many entries, and the first one that does not fit."""

    entries: int = 0
    older: int = 0  # than the chain
    erased: int = 0
    last: str = ""  # link
    broken_at: int | None = None
    why: str = ""  # altered | unlinked


def walk(session: Session) -> Walk:
    """Walk the whole chain, up to the first entry that does not fit."""
    result = Walk()
    for entry in _entries(session):
        result.entries += 1
        if entry.link is None and not result.last:
            result.older += 1
            continue
        if entry.link != link_of(entry, result.last):
            result.broken_at, result.why = entry.id, "unlinked"
            return result
        if entry.is_erased:
            result.erased += 1
        elif entry.digest != digest_of(entry):
            result.broken_at, result.why = entry.id, "altered"
            return result
        result.last = entry.link
    return result


def _entries(session: Session) -> Iterator[AuditRow]:
    number = 0
    while True:
        more = select_rows(AuditRow).where(col(AuditRow.id) > number).order_by(col(AuditRow.id))
        rows = session.exec(more.limit(WALKED_AT_ONCE)).all()
        if not rows:
            return
        yield from rows
        number = rows[-1].id
        session.expunge_all()


def erase(entry: AuditRow) -> None:
    """Take everything out of an entry that could name somebody; its place in the chain stays."""
    entry.actor, entry.before, entry.after, entry.why, entry.is_erased = "", None, None, "", True


def note_erasure(entry: AuditRow) -> None:
    """Mark an entry from which a name was taken out."""
    if entry.digest is not None and entry.digest != digest_of(entry):
        entry.is_erased = True
