"""Limits on what somebody without an account may do, per address.

Visits are counted in the database, so that all workers share one limit. A hall shares one address, so the
limits are far above what a hall needs.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import delete, func
from sqlmodel import Session, col, select

from judge.core.errors import Refused
from judge.core.messages import Message
from judge.storage.accounts import AnonymousVisit

WINDOW = timedelta(minutes=10)
MOST = {"table": 60, "ruling": 30}
LONGEST_ADDRESS = 100


def count_visit(session: Session, what: str, address: str, now: datetime) -> None:
    """Count one more visit from this address; Refused after too many recent ones."""
    address, since = address[:LONGEST_ADDRESS], now - WINDOW
    recent = select(func.count()).where(
        AnonymousVisit.what == what, AnonymousVisit.address == address, AnonymousVisit.at > since
    )
    if session.exec(recent).one() >= MOST[what]:
        minutes = int(WINDOW.total_seconds() // 60)
        raise Refused(Message("too_many_from_here", most=MOST[what], minutes=minutes))
    session.execute(delete(AnonymousVisit).where(col(AnonymousVisit.at) <= since))
    session.add(AnonymousVisit(what=what, address=address, at=now))
