"""Codes of an authenticator app (RFC 6238) as a second step after the password, and recovery codes.

The app counts only once a code of it has been typed. A code is taken once; its neighbours of half a minute
are taken too, since phones' clocks differ. Recovery codes are stored as hashes and work once each.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote, urlencode

from sqlalchemy import delete, func
from sqlmodel import Session, col, select

from judge.core.errors import Refused
from judge.core.messages import Message
from judge.services.accounts.account_view import AccountView
from judge.services.log.changes import Change, note_account
from judge.storage.columns import new_token
from judge.storage.second_steps import AuthenticatorApp, RecoveryCode

STEP_SECONDS, DIGITS, NEIGHBOURS = 30, 6, 1
SECRET_BYTES = 20
RECOVERY_CODES, RECOVERY_BYTES = 10, 10  # ten codes of 16 letters
APP, RECOVERY = "app", "recovery"  # what a code was of


@dataclass(frozen=True, slots=True)
class Codes:
    """Whether an account is asked for codes, whether an app waits for its first, recovery codes left."""

    is_on: bool
    is_begun: bool
    recovery_left: int


@dataclass(frozen=True, slots=True)
class AppSetUp:
    """What the app has to be told: by its QR code, or typed."""

    address: str
    typed: str


def code_at(secret: bytes, step: int) -> str:
    """The code of one time step (RFC 4226 with the step as counter)."""
    digest = hmac.new(secret, step.to_bytes(8, "big"), hashlib.sha1).digest()
    start = digest[-1] & 15
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**DIGITS:0{DIGITS}}"


def codes_of(session: Session, account_id: int) -> Codes:
    app = _app(session, account_id)
    unused = select(func.count()).where(
        RecoveryCode.account_id == account_id, col(RecoveryCode.used_at).is_(None)
    )
    is_on = app is not None and app.confirmed_at is not None
    return Codes(is_on, app is not None and not is_on, session.exec(unused).one() if is_on else 0)


def begin_app(session: Session, account_id: int, now: datetime) -> None:
    """A new secret for an app that is not confirmed yet; Refused if one is in use."""
    app = _app(session, account_id, to_use=True)
    if app and app.confirmed_at:
        raise Refused(Message("codes_are_on"))
    if app:
        app.salt, app.created_at = new_token(), now
    else:
        session.add(AuthenticatorApp(account_id=account_id, created_at=now))
    session.flush()


def app_set_up(session: Session, server_secret: str, account_id: int, login: str, host: str) -> AppSetUp:
    """The secret of an app that waits for its first code; never shown again after that."""
    app = _app(session, account_id)
    if app is None or app.confirmed_at:
        raise Refused(Message("codes_not_begun"))
    typed = base64.b32encode(_secret(server_secret, app)).decode()
    label = quote(f"judge {host}:{login}")
    values = urlencode({"secret": typed, "issuer": f"judge {host}"}, quote_via=quote)
    spaced = " ".join(typed[n : n + 4] for n in range(0, len(typed), 4))
    return AppSetUp(f"otpauth://totp/{label}?{values}", spaced)


def confirm_app(
    session: Session, server_secret: str, account: AccountView, code: str, now: datetime
) -> Change[list[str]]:
    """Begin to ask for codes; gives the recovery codes, which are shown this once."""
    app = _app(session, account.id, to_use=True)
    if app is None or app.confirmed_at:
        raise Refused(Message("codes_not_begun"))
    if not _is_code(server_secret, app, code, now):
        raise Refused(Message("code_wrong"))
    app.confirmed_at = now
    codes = _store_recovery_codes(session, account.id)
    return note_account(session, account, "account.codes-on", now).giving(codes)


def new_recovery_codes(session: Session, account: AccountView, now: datetime) -> Change[list[str]]:
    """Ten new recovery codes; the ones before are worth nothing."""
    codes = _store_recovery_codes(session, account.id)
    return note_account(session, account, "account.new-recovery-codes", now).giving(codes)


def _store_recovery_codes(session: Session, account_id: int) -> list[str]:
    session.execute(delete(RecoveryCode).where(col(RecoveryCode.account_id) == account_id))
    codes = [base64.b32encode(secrets.token_bytes(RECOVERY_BYTES)).decode() for _ in range(RECOVERY_CODES)]
    session.add_all(RecoveryCode(account_id=account_id, key=_key(code)) for code in codes)
    session.flush()
    return ["-".join(code[n : n + 4] for n in range(0, len(code), 4)).lower() for code in codes]


def use_code(
    session: Session, server_secret: str, account: AccountView, code: str, now: datetime
) -> Change[str] | None:
    """Use up a code of the app or a recovery code; gives which, None if it is neither."""
    app = _app(session, account.id, to_use=True)
    if app is None or app.confirmed_at is None:
        return None
    if _is_code(server_secret, app, code, now):
        return Change(None, "", ("account", account.id), APP)  # signing in is noted by itself
    stored = select(RecoveryCode).where(RecoveryCode.account_id == account.id, RecoveryCode.key == _key(code))
    recovery = session.exec(stored.with_for_update()).first()
    if recovery is None or recovery.used_at:
        return None
    recovery.used_at = now
    session.flush()
    return note_account(session, account, "account.recovery-code-used", now).giving(RECOVERY)


def refuse_code(session: Session, account: AccountView, now: datetime) -> Change[None]:
    """Note that somebody who knows the password gave a wrong code."""
    return note_account(session, account, "account.code-refused", now)


def turn_off(session: Session, account: AccountView, now: datetime) -> Change[None]:
    """Ask for no codes any more."""
    forget_codes(session, account.id)
    return note_account(session, account, "account.codes-off", now)


def forget_codes(session: Session, account_id: int) -> None:
    session.execute(delete(RecoveryCode).where(col(RecoveryCode.account_id) == account_id))
    session.execute(delete(AuthenticatorApp).where(col(AuthenticatorApp.account_id) == account_id))


def _app(session: Session, account_id: int, *, to_use: bool = False) -> AuthenticatorApp | None:
    """`to_use` locks the row: of two requests with the same code at once, one gets in."""
    own = select(AuthenticatorApp).where(AuthenticatorApp.account_id == account_id)
    return session.exec(own.with_for_update() if to_use else own).first()


def _secret(server_secret: str, app: AuthenticatorApp) -> bytes:
    text = f"authenticator/{app.account_id}/{app.salt}".encode()
    return hmac.new(server_secret.encode(), text, hashlib.sha256).digest()[:SECRET_BYTES]


def _is_code(server_secret: str, app: AuthenticatorApp, code: str, now: datetime) -> bool:
    """Whether it is a code of this moment that was not used before; notes that it is now."""
    typed, secret = "".join(code.split()), _secret(server_secret, app)
    present = int(now.timestamp()) // STEP_SECONDS
    for step in range(present - NEIGHBOURS, present + NEIGHBOURS + 1):
        # A last step far ahead was noted before the clock was set back.
        is_used = step <= app.last_step <= step + 2 * NEIGHBOURS
        is_same = hmac.compare_digest(code_at(secret, step).encode(), typed.encode("utf-8", "replace"))
        if is_same and not is_used:
            app.last_step = step
            return True
    return False


def _key(code: str) -> str:
    plain = "".join(letter for letter in code.upper() if letter.isalnum())
    return hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()
