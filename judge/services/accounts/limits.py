"""Limits on what is stored for people without an account.

Visits are counted in the database, so that all workers share one limit. A hall shares one address, so the
limits are far above what a hall needs. The README lists them.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import delete, func
from sqlmodel import Session, col, select

from judge.core.errors import Refused
from judge.core.messages import Message
from judge.storage.accounts import AnonymousVisit

WINDOW = timedelta(minutes=10)
# How often in ten minutes: tables and rulings without an account and registrations from one address, calls
# and reports by one link.
MOST = {"table": 60, "ruling": 30, "registration": 300, "call": 20, "report": 60}
LONGEST_ADDRESS = 100

# Of a table being entered: characters of its file, and steps that can be undone.
LONGEST_DRAFT, MOST_STEPS = 300_000, 2_000
# Of a ruling kept without an account: characters in all languages together, about 400 events.
LONGEST_KEPT = 200_000
# Of all tables that belong to nobody: how many are stored. Beyond it the oldest go.
MOST_OWNERLESS = 5_000


def count_visit(session: Session, what: str, address: str, now: datetime) -> None:
    """Count one more visit from this address or by this link; Refused after too many recent ones."""
    address, since = address[:LONGEST_ADDRESS], now - WINDOW
    recent = select(func.count()).where(
        AnonymousVisit.what == what,
        AnonymousVisit.address == address,
        AnonymousVisit.at > since,
        AnonymousVisit.at <= now,
    )
    if session.exec(recent).one() >= MOST[what]:
        minutes = int(WINDOW.total_seconds() // 60)
        raise Refused(Message("too_many_from_here", most=MOST[what], minutes=minutes))
    session.execute(delete(AnonymousVisit).where(col(AnonymousVisit.at) <= since))
    session.add(AnonymousVisit(what=what, address=address, at=now))
