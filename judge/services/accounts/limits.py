"""How often somebody without an account may do something: counted in the database, so that all workers share
one limit, per address. A hall shares one address, so the limits are far above what a hall needs."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import delete, func
from sqlmodel import Session, col, select

from judge.core.errors import Refused
from judge.core.messages import Message
from judge.storage.accounts import SignInAttempt

WINDOW = timedelta(minutes=10)
MOST = {"table": 60, "ruling": 30}


def count_visit(session: Session, what: str, address: str, now: datetime) -> None:
    """One more of these from this address; Refused where there were too many of late."""
    who, since = f"{what}:{address}"[:120], now - WINDOW
    done = select(func.count()).where(SignInAttempt.who == who, SignInAttempt.at > since)
    if session.exec(done).one() >= MOST[what]:
        minutes = int(WINDOW.total_seconds() // 60)
        raise Refused(Message("too_many_from_here", most=MOST[what], minutes=minutes))
    session.execute(delete(SignInAttempt).where(col(SignInAttempt.at) <= since))
    session.add(SignInAttempt(who=who, at=now))
