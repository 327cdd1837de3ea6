"""Announcements of the organiser to every phone and screen; each stands in the log and can be taken off."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from judge.core.errors import Missing, Refused
from judge.core.messages import Message
from judge.services.event.event_view import AnyEvent
from judge.services.log.changes import Actor, Change, changing, hold
from judge.storage.events import Announcement

LONGEST = 500
MOST_SHOWN = 3  # at once; the oldest makes room


@dataclass(frozen=True, slots=True)
class Announced:
    id: int
    at: datetime
    by: str
    text: str
    is_shown: bool


def announce(session: Session, event: AnyEvent, actor: Actor, text: str, now: datetime) -> Change[None]:
    """Show a text on every public page, phone and screen of the event."""
    event = hold(session, event)
    text = " ".join(text.split())
    if not text or len(text) > LONGEST:
        raise Refused(Message("announcement_length", most=LONGEST))
    shown = [row for row in _rows(session, event) if row.is_shown]
    row = Announcement(event_id=event.id, at=now, by=actor.name[:80], text=text)
    with changing(session, event, actor, "announcement.made", row) as recording:
        session.add(row)
        for old in shown[MOST_SHOWN - 1 :]:
            old.is_shown = False
    return recording.change


def take_off(session: Session, event: AnyEvent, actor: Actor, number: int) -> Change[None]:
    """Take an announcement off the pages; it stays in the log."""
    event = hold(session, event)
    row = session.get(Announcement, number)
    if row is None or row.event_id != event.id:
        raise Missing(Message("announcement_gone"))
    with changing(session, event, actor, "announcement.taken-off", row) as recording:
        row.is_shown = False
    return recording.change


def announcements_of(session: Session, event: AnyEvent) -> list[Announced]:
    """Everything announced so far, the newest first."""
    return [Announced(row.id, row.at, row.by, row.text, row.is_shown) for row in _rows(session, event)]


def _rows(session: Session, event: AnyEvent) -> list[Announcement]:
    query = select(Announcement).where(Announcement.event_id == event.id)
    return list(session.exec(query.order_by(col(Announcement.id).desc())).all())
