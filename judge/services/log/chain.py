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

from sqlalchemy import bindparam, text
from sqlmodel import Session, col, select

from judge.storage.audit import AuditRow
from judge.storage.database import PATIENCE

LOCK_NUMBER = 0x6C6F67  # "log": writers of the chain on PostgreSQL come one after another
WALKED_AT_ONCE = 500


# Only a writer that gets ahead has this lock, so it is worth waiting for longer than for others.
_CHAIN_LOCK = text("SELECT set_config('lock_timeout', :wait, true), pg_advisory_xact_lock(:n)")
_LINK_BEFORE = (
    select(AuditRow.link)
    .where(col(AuditRow.id) < bindparam("entry"))
    .order_by(col(AuditRow.id).desc())
    .limit(1)
)


def add_to_chain(session: Session, entry: AuditRow) -> None:
    """Store a new entry as the last of the chain."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(_CHAIN_LOCK, {"n": LOCK_NUMBER, "wait": f"{PATIENCE}s"})
    session.add(entry)
    session.flush()
    before = session.execute(_LINK_BEFORE, {"entry": entry.id}).scalar()
    entry.digest = digest_of(entry)
    entry.link = link_of(entry, before or "")
    session.flush()


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
    found = Walk()
    for entry in _entries(session):
        found.entries += 1
        if entry.link is None and not found.last:
            found.older += 1
            continue
        if entry.link != link_of(entry, found.last):
            found.broken_at, found.why = entry.id, "unlinked"
            return found
        if entry.is_erased:
            found.erased += 1
        elif entry.digest != digest_of(entry):
            found.broken_at, found.why = entry.id, "altered"
            return found
        found.last = entry.link
    return found


def _entries(session: Session) -> Iterator[AuditRow]:
    number = 0
    while True:
        more = select(AuditRow).where(col(AuditRow.id) > number).order_by(col(AuditRow.id))
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
