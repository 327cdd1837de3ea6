"""Signing in with counted attempts.

An attempt is counted before the password is looked at, so many at once gain nothing, and taken back when it
was right. Who may go on trying depends on where they come from, so that nobody locks out a judge or a hall:

  a browser in which this name signed in before    8 for itself, whatever others do
  any other, with this name from this address      8
  any other, with this name from anywhere         40
  any other, from this address                   100
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from sqlalchemy import delete, func, text
from sqlmodel import Session, col, select

from judge.core.errors import Refused
from judge.core.messages import Message
from judge.services.accounts.account_view import AccountView, account_view
from judge.services.accounts.passwords import is_password, of_nobody
from judge.storage.accounts import Account, SignInAttempt

ATTEMPTS, FROM_ANYWHERE, FROM_ADDRESS = 8, 40, 100
ATTEMPT_WINDOW = timedelta(minutes=10)
LOCK_NUMBER = 0x7369676E  # "sign": attempts on PostgreSQL are counted one after another


def folded(login: str) -> str:
    return login.strip().casefold()


def reserve_attempt(session: Session, login: str, address: str, device: str, now: datetime) -> list[str]:
    """Count one more attempt; Refused after too many. Returns what it was counted under."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": LOCK_NUMBER})
    limits = _limits(folded(login), address, device)
    since = now - ATTEMPT_WINDOW
    failures = session.execute(
        select(SignInAttempt.who, func.count().label("count"))
        .where(col(SignInAttempt.who).in_(limits), SignInAttempt.at > since, SignInAttempt.at <= now)
        .group_by(SignInAttempt.who)
    ).all()
    if any(count >= limits[who] for who, count in failures):
        raise Refused(Message("too_many_attempts", minutes=int(ATTEMPT_WINDOW.total_seconds() // 60)))
    session.execute(delete(SignInAttempt).where(col(SignInAttempt.at) <= since))
    session.add_all(SignInAttempt(who=who, at=now) for who in limits)
    return list(limits)


def _limits(login: str, address: str, device: str) -> dict[str, int]:
    if device:
        return {_who("device", login, device): ATTEMPTS}
    pair, name = _who("pair", login, address), _who("name", login)
    return {pair: ATTEMPTS, name: FROM_ANYWHERE, _who("from", address): FROM_ADDRESS}


def _who(kind: str, *parts: str) -> str:
    """A name of fixed length, whatever was typed."""
    return f"{kind}:{hashlib.sha256(chr(0).join(parts).encode('utf-8', 'replace')).hexdigest()[:40]}"


def check_password(session: Session, login: str, password: str) -> AccountView | None:
    """The account with this name and password. Takes its time: hold no transaction that others wait for."""
    account = session.exec(select(Account).where(Account.login == folded(login))).first()
    stored, seen = (account.password, account_view(account)) if account else (of_nobody(), None)
    session.rollback()
    return seen if is_password(stored, password) else None


def forgive(session: Session, counted: list[str]) -> None:
    """Forget the attempts of somebody who has signed in."""
    own = [who for who in counted if not who.startswith("from:")]
    session.execute(delete(SignInAttempt).where(col(SignInAttempt.who).in_(own)))


def forgive_name(session: Session, login: str) -> None:
    """Forget the attempts with this name from anywhere: it has a new password."""
    session.execute(delete(SignInAttempt).where(col(SignInAttempt.who) == _who("name", folded(login))))
