"""Proofs of who somebody is, in steps: the password again before a change to the account, and a code of the
authenticator app after the password.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from flask import Response, request, url_for
from flask import session as cookie
from werkzeug.exceptions import ServiceUnavailable

from judge.services.accounts.account_view import AccountView
from judge.services.accounts.accounts import stored_password
from judge.services.accounts.codes import codes_of
from judge.services.accounts.passwords import is_password
from judge.services.accounts.sessions import find_account
from judge.services.accounts.signing_in import forgive, reserve_attempt
from judge.web.accounts.access import device_of, remember
from judge.web.frame.links import redirect
from judge.web.frame.metrics import count
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import database, roll_back, session
from judge.web.frame.work import Gate

HALF, HALF_SECONDS = "half", 300  # the password was right; the code is still to come


# Checking a password takes a while on purpose. A few at once, a few more that wait: the rest of the threads
# stays free for pages, however many somebody sends.
# A browser in which the name signed in before has places of its own, so that a flood keeps no judge out.
CHECKING, KNOWN = Gate(at_once=2, waiting=1, seconds=3), Gate(at_once=1, waiting=1, seconds=3)


@contextmanager
def few_at_once(login: str) -> Iterator[None]:
    """One of the few whose passwords are checked now; the others are told to come back, and not counted."""
    gate = KNOWN if device_of(login) else CHECKING
    if not gate.enter():
        count("refused_work", "passwords")
        error = ServiceUnavailable(retry_after=2)
        error.shown = gettext(  # type: ignore[attr-defined]  # ours, on an exception of Werkzeug
            "Many are signing in just now. Try again in a moment."
        )
        raise error
    try:
        yield
    finally:
        gate.leave()


def count_attempt(login: str, now: datetime, device: str = "") -> list[str]:
    """Count an attempt to prove something; it stays counted if the request is refused. What the request did
    so far is rolled back: SQLite has one writer at a time."""
    roll_back()
    with database().transaction() as own:
        return reserve_attempt(own, login, request.remote_addr or "", device, now)


def is_own_password(me: AccountView, password: str, now: datetime) -> bool:
    """Whether this is the password of the account that is signed in. Counts like signing in."""
    stored = stored_password(session(), me.id)
    with few_at_once(me.login):
        counted = count_attempt(me.login, now, device_of(me.login))
        if not is_password(stored, password):
            return False
    with database().transaction() as own:
        forgive(own, counted)
    return True


def enter_or_ask(account: AccountView, now: datetime, how: str, next_page: str) -> Response:
    """After a right password: sign in, or ask for a code first if the account uses an app."""
    if not codes_of(session(), account.id).is_on:
        remember(account, now, how)
        return redirect(next_page)
    cookie.clear()
    cookie[HALF] = [account.id, account.epoch, int(now.timestamp())]
    return redirect(url_for("codes.sign_in", next=next_page))


def half_signed_in(now: datetime) -> AccountView | None:
    """The account whose password was right a moment ago in this browser."""
    half = cookie.get(HALF)
    if not (isinstance(half, list) and len(half) == 3 and abs(now.timestamp() - half[2]) <= HALF_SECONDS):
        return None
    return find_account(session(), half[0], half[1])
