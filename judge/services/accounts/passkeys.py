"""Passkeys (WebAuthn) of accounts: made, listed, removed, and used to sign in without a password.

The library is loaded when a passkey is first used. A challenge is random, is worth something for five
minutes, and is taken once. The device has to ask its owner (finger, face, PIN), so a passkey alone is enough.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, NoReturn

from sqlalchemy import func, text
from sqlmodel import Session, col, select

from judge.core.errors import Missing, Refused
from judge.core.json_types import JsonObject
from judge.core.messages import Message
from judge.services.accounts.account_view import AccountView, account_view
from judge.services.accounts.signing_in import LOCK_NUMBER, folded
from judge.services.log.changes import Change, note_account
from judge.storage.accounts import Account, SignInAttempt
from judge.storage.second_steps import Passkey

if TYPE_CHECKING:
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

MOST_PASSKEYS = 20
CHALLENGE_SECONDS = 300
LONGEST_ANSWER = 20_000  # characters of what a browser sends


@dataclass(frozen=True, slots=True)
class Site:
    """This server as the browser sees it: the name in its address, and the whole beginning of it."""

    host: str
    origins: list[str]
    secret: str


@dataclass(frozen=True, slots=True)
class PasskeyView:
    id: int
    name: str
    host: str
    created_at: datetime
    used_at: datetime | None


def passkeys_of(session: Session, account_id: int) -> list[PasskeyView]:
    own = select(Passkey).where(Passkey.account_id == account_id).order_by(col(Passkey.id))
    return [PasskeyView(p.id, p.name, p.host, p.created_at, p.used_at) for p in session.exec(own)]


def options_to_make(session: Session, site: Site, account: AccountView, challenge: bytes) -> JsonObject:
    """What the browser needs to make a passkey for this account."""
    from webauthn import generate_registration_options
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    if len(passkeys_of(session, account.id)) >= MOST_PASSKEYS:
        raise Refused(Message("too_many_passkeys", most=MOST_PASSKEYS))
    options = generate_registration_options(
        rp_id=site.host,
        rp_name="judge",
        user_id=_handle(site, account.id),
        user_name=account.login,
        user_display_name=account.name,
        challenge=challenge,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.PREFERRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=_known(session, site, account.id),
    )
    return _as_json(options)


def add_passkey(
    session: Session,
    site: Site,
    account: AccountView,
    name: str,
    answer: str,
    challenge: bytes,
    now: datetime,
) -> Change[None]:
    """Store the passkey that the browser made."""
    from webauthn import verify_registration_response
    from webauthn.helpers import bytes_to_base64url

    with _refusing():
        verified = verify_registration_response(
            credential=_read(answer),
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origins,
            require_user_verification=True,
        )
        passkey = Passkey(
            account_id=account.id,
            name=name,
            host=site.host,
            credential=bytes_to_base64url(verified.credential_id),
            public_key=bytes_to_base64url(verified.credential_public_key),
            uses=verified.sign_count,
            created_at=now,
        )
    _check_new(session, passkey)
    session.add(passkey)
    session.flush()
    return note_account(session, account, "account.passkey-added", now)


def _check_new(session: Session, passkey: Passkey) -> None:
    """Refuse a passkey too many, one that is stored already, and one that no column holds."""
    count = select(func.count()).where(Passkey.account_id == passkey.account_id)
    if session.exec(count).one() >= MOST_PASSKEYS:
        raise Refused(Message("too_many_passkeys", most=MOST_PASSKEYS))
    taken = session.exec(select(Passkey.id).where(Passkey.credential == passkey.credential)).first()
    if taken is not None or len(passkey.credential) > 1400 or len(passkey.public_key) > 2800:
        raise Refused(Message("passkey_wrong"))


def remove_passkey(session: Session, account: AccountView, number: int, now: datetime) -> Change[None]:
    row = session.get(Passkey, number)
    if row is None or row.account_id != account.id:
        raise Missing
    session.delete(row)
    session.flush()
    return note_account(session, account, "account.passkey-removed", now)


def remove_all(session: Session, account_id: int) -> None:
    for row in session.exec(select(Passkey).where(Passkey.account_id == account_id)):
        session.delete(row)
    session.flush()


def options_to_sign_in(session: Session, site: Site, login: str, challenge: bytes) -> JsonObject:
    """What the browser needs to sign in with a passkey. Without a name the device lists its passkeys; with
    one, devices that keep no list are asked for that account's. A name without passkeys looks the same."""
    from webauthn import generate_authentication_options
    from webauthn.helpers.structs import UserVerificationRequirement

    known: list[PublicKeyCredentialDescriptor] | None = None
    if folded(login):
        account = session.exec(select(Account.id).where(Account.login == folded(login))).first()
        known = (account and _known(session, site, account)) or _made_up(site, folded(login))
    options = generate_authentication_options(
        rp_id=site.host,
        challenge=challenge,
        allow_credentials=known,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return _as_json(options)


def credential_in(answer: str) -> str:
    """The passkey that an answer claims to be of, to count attempts with it."""
    credential = _read(answer).get("id")
    if not isinstance(credential, str) or not re.fullmatch(r"[\w-]{1,1400}", credential, re.ASCII):
        raise Refused(Message("passkey_wrong"))
    return credential


def sign_in_with(session: Session, site: Site, answer: str, challenge: bytes, now: datetime) -> AccountView:
    """The account whose passkey gave this answer; Refused if it is wrong or was given before."""
    from webauthn import verify_authentication_response
    from webauthn.helpers import base64url_to_bytes

    _use_up(session, challenge, now)
    asked = select(Passkey).where(Passkey.credential == credential_in(answer), Passkey.host == site.host)
    passkey = session.exec(asked.with_for_update()).first()
    if passkey is None:
        raise Refused(Message("passkey_unknown"))
    with _refusing():
        used = verify_authentication_response(
            credential=_read(answer),
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origins,
            credential_public_key=base64url_to_bytes(passkey.public_key),
            credential_current_sign_count=passkey.uses,
            require_user_verification=True,
        )
    passkey.uses, passkey.used_at = used.new_sign_count, now
    return account_view(session.get_one(Account, passkey.account_id))


def _use_up(session: Session, challenge: bytes, now: datetime) -> None:
    """Take a challenge once. The note lies among the attempts, which are swept after ten minutes."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": LOCK_NUMBER})
    who = f"challenge:{hashlib.sha256(challenge).hexdigest()}"
    if session.exec(select(SignInAttempt.id).where(SignInAttempt.who == who)).first() is not None:
        raise Refused(Message("passkey_wrong"))
    session.add(SignInAttempt(who=who, at=now))
    session.flush()


@contextmanager
def _refusing() -> Iterator[None]:
    """Whatever the library finds wrong with an answer is one refusal for the visitor."""
    try:
        yield
    except Exception as error:
        _refuse(error)


def _refuse(error: Exception) -> NoReturn:
    raise Refused(Message("passkey_wrong")) from error


def _read(answer: str) -> JsonObject:
    try:
        value = json.loads(answer) if len(answer) <= LONGEST_ANSWER else None
    except (ValueError, RecursionError) as error:
        _refuse(error)
    if not isinstance(value, dict):
        raise Refused(Message("passkey_wrong"))
    return value


def _known(session: Session, site: Site, account_id: int) -> list[PublicKeyCredentialDescriptor]:
    from webauthn.helpers import base64url_to_bytes
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

    own = select(Passkey.credential).where(Passkey.account_id == account_id, Passkey.host == site.host)
    return [PublicKeyCredentialDescriptor(id=base64url_to_bytes(id)) for id in session.exec(own)]


def _made_up(site: Site, login: str) -> list[PublicKeyCredentialDescriptor]:
    """A passkey that does not exist, the same each time, for a name that has none."""
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

    return [PublicKeyCredentialDescriptor(id=_derived(site, f"no-passkey/{login}"))]


def _handle(site: Site, account_id: int) -> bytes:
    """What devices tell accounts apart by. It says nothing about the person."""
    return _derived(site, f"passkey/{account_id}")


def _derived(site: Site, what: str) -> bytes:
    return hmac.new(site.secret.encode(), what.encode("utf-8", "replace"), hashlib.sha256).digest()


def _as_json(options: Any) -> JsonObject:
    from webauthn import options_to_json

    result: JsonObject = json.loads(options_to_json(options))
    return result
