"""Signed-in browsers of an account: begun, listed, ended one by one or everywhere.

The cookie of a browser holds a random token, the row only its hash. Signing out ends the row, so a copy of
the cookie opens nothing afterwards.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from judge.core.errors import Missing
from judge.services.accounts.account_view import AccountView, account_view
from judge.services.log.changes import Change, note_account
from judge.storage.accounts import Account, AccountSession

KEPT = timedelta(days=90)  # how long an ended or forgotten one stays listed
SEEN_EVERY = timedelta(minutes=10)
BROWSERS = ("Firefox", "Edg", "OPR", "SamsungBrowser", "Chrome", "Safari", "curl")
SYSTEMS = ("Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux")


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A browser that is signed in, as its owner sees it."""

    id: int
    browser: str
    began_at: datetime
    seen_at: datetime
    is_this: bool


def key_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def begin_session(
    session: Session, account: AccountView, browser: str, how: str, now: datetime
) -> Change[str]:
    """Sign a browser in; gives the token for its cookie. `how`: what the log calls it."""
    old = select(AccountSession).where(AccountSession.account_id == account.id)
    for row in session.exec(old.where(AccountSession.seen_at < now - KEPT)):
        session.delete(row)
    token = secrets.token_urlsafe(24)
    row = AccountSession(
        key=key_of(token), account_id=account.id, browser=named(browser), began_at=now, seen_at=now
    )
    session.add(row)
    session.flush()
    return note_account(session, account, how, now).giving(token)


def named(user_agent: str) -> str:
    """What a browser calls itself, in two words people know."""
    browser = next((name for name in BROWSERS if name in user_agent), "")
    system = next((name for name in SYSTEMS if name in user_agent), "")
    browser = {"Edg": "Edge", "OPR": "Opera", "SamsungBrowser": "Samsung"}.get(browser, browser)
    said = ", ".join(filter(None, (browser, system)))
    return said or re.sub(r"[^\w ./-]", "", user_agent)[:60]


def find_account(session: Session, account_id: int, epoch: int, token: str = "") -> AccountView | None:
    """The account of a cookie; None if its password has changed or the browser was signed out since."""
    account = session.get(Account, account_id)
    if account is None or account.epoch != epoch:
        return None
    if token:
        row = session.exec(select(AccountSession).where(AccountSession.key == key_of(token))).first()
        if row is None or row.ended_at is not None or row.account_id != account_id:
            return None
    return account_view(account)


def note_seen(session: Session, token: str, now: datetime) -> None:
    """Remember now and then that the browser is still in use."""
    row = session.exec(select(AccountSession).where(AccountSession.key == key_of(token))).first()
    if row is not None and now - row.seen_at > SEEN_EVERY:
        row.seen_at = now


def sessions_of(session: Session, account_id: int, token: str) -> list[SignedIn]:
    rows = session.exec(
        select(AccountSession)
        .where(AccountSession.account_id == account_id, col(AccountSession.ended_at).is_(None))
        .order_by(col(AccountSession.seen_at).desc())
    )
    here = key_of(token)
    return [SignedIn(row.id, row.browser, row.began_at, row.seen_at, row.key == here) for row in rows]


def end_session(session: Session, token: str, now: datetime) -> None:
    for row in session.exec(select(AccountSession).where(AccountSession.key == key_of(token))):
        row.ended_at = now


def end_one(session: Session, account_id: int, number: int, now: datetime) -> None:
    row = session.get(AccountSession, number)
    if row is None or row.account_id != account_id:
        raise Missing
    row.ended_at = now


def sign_out_everywhere(session: Session, account: AccountView, now: datetime) -> Change[None]:
    """Sign the account out in every browser, this one too."""
    end_everywhere(session, account.id, now)
    return note_account(session, account, "account.signed-out-everywhere", now)


def end_everywhere(session: Session, account_id: int, now: datetime) -> None:
    """End every session of the account, as a part of some other change."""
    account = session.get_one(Account, account_id)
    account.epoch += 1
    open_ones = select(AccountSession).where(AccountSession.account_id == account_id)
    for row in session.exec(open_ones.where(col(AccountSession.ended_at).is_(None))):
        row.ended_at = now
