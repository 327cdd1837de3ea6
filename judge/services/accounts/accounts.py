"""Accounts of the staff: invite links, new passwords, who is at the desk of an event.

A link ends in a random token; the invite's row says whether it is valid, and the rights of whoever made it
are asked again when it is used.
Passwords arrive hashed (`passwords.hashed`). A new one ends every session of the account.
"""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime, timedelta

from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import bindparam, func
from sqlmodel import Session, col, select

from judge.core.errors import Missing, Refused
from judge.core.messages import Message
from judge.schemas.shape import check_text
from judge.services.accounts.account_view import (
    AccountView,
    AnyAccount,
    InviteView,
    account_view,
    invite_view,
)
from judge.services.accounts.codes import forget_codes
from judge.services.accounts.passkeys import remove_all
from judge.services.accounts.roles import ROLES, may
from judge.services.accounts.sessions import key_of
from judge.services.accounts.signing_in import forgive_name
from judge.services.event.event_view import AnyEvent, EventView
from judge.services.log.changes import Change, note_account
from judge.storage.accounts import Account, AccountSession, Invite
from judge.storage.events import Event, Staff
from judge.storage.reader import Prepared, reader_of, select_columns

LONGEST_LOGIN = 80  # the length of the column
INVITE_DAYS = {"organiser": 7, "staff": 14, "password": 1}


def get_account(session: Session, account_id: int | None) -> AccountView:
    return account_view(session.get_one(Account, account_id))


def find_login(session: Session, login: str) -> Account | None:
    return session.exec(select(Account).where(Account.login == login.strip().casefold())).first()


def is_first_start(session: Session) -> bool:
    return session.scalar(select(func.count()).select_from(Account)) == 0


def set_password(account: Account, hashed: str) -> None:
    """Give the account the hash of a new password; every session that began before ends."""
    account.password = hashed
    account.epoch = (account.epoch or 0) + 1


def rename(session: Session, account_id: int, name: str) -> None:
    session.get_one(Account, account_id).name = name
    session.flush()


def change_password(session: Session, account_id: int, hashed: str) -> AccountView:
    account = session.get_one(Account, account_id)
    set_password(account, hashed)
    session.flush()
    return account_view(account)


def stored_password(session: Session, account_id: int) -> str:
    return session.get_one(Account, account_id).password


def create_account(
    session: Session, login: str, name: str, hashed: str, now: datetime, *, may_create: bool = False
) -> AccountView:
    login = check_text(login.strip().casefold(), "login", LONGEST_LOGIN)  # "ß" folds into two letters
    if find_login(session, login):
        raise Refused(Message("login_taken", login=login))
    account = Account(login=login, name=name.strip(), password="", may_create=may_create, created_at=now)
    set_password(account, hashed)
    session.add(account)
    session.flush()
    return account_view(account)


def make_invite(
    session: Session,
    kind: str,
    now: datetime,
    *,
    event: AnyEvent | None = None,
    role: str | None = None,
    account: Account | None = None,
    note: str = "",
    made_by: int | None = None,
) -> Invite:
    invite = Invite(
        kind=kind,
        event_id=event.id if event else None,
        role=role,
        account_id=account.id if account else None,
        note=note,
        made_by=made_by,
        created_at=now,
        expires_at=now + timedelta(days=INVITE_DAYS[kind]),
    )
    session.add(invite)
    session.flush()
    return invite


def find_invite(session: Session, token: str, now: datetime, *, to_use: bool = False) -> InviteView | None:
    """The invite of a link, if it is still valid. `to_use` locks it for this transaction: of two people with
    the same link at the same moment, only one gets in."""
    asked = select(Invite).where(Invite.token == token)
    invite = session.exec(asked.with_for_update() if to_use else asked).first()
    if invite is None or invite.used_at or invite.revoked_at or invite.expires_at < now:
        return None
    return invite_view(invite) if _may_still_invite(session, invite) else None


def _may_still_invite(session: Session, invite: Invite) -> bool:
    """Whether whoever made the link could make it today."""
    maker = invite.made_by
    if maker is None:
        return True
    if invite.kind == "password":
        account = session.get(Account, invite.account_id)
        return account is not None and may_reset(session, account, maker)
    own = select(Staff.role).where(Staff.event_id == invite.event_id, Staff.account_id == maker)
    return may(session.exec(own).first(), "manage-staff")


def may_reset(session: Session, account: AnyAccount, organiser: int | None) -> bool:
    """Whether this organiser may issue a password link for the account: not for one with rights elsewhere
    that the organiser does not have, since it would be a way into other events."""
    if account.id == organiser:
        return True
    own_events = select(Staff.event_id).where(Staff.account_id == organiser, Staff.role == "organiser")
    staff = select(Staff.event_id).where(Staff.account_id == account.id)
    elsewhere = session.exec(staff.where(col(Staff.event_id).not_in(own_events))).first()
    return not account.may_create and elsewhere is None and session.exec(staff).first() is not None


def first_invite(session: Session, now: datetime) -> Invite | None:
    """The invite for the first organiser of a database without accounts; the same one until it expires."""
    if not is_first_start(session):
        return None
    valid = select(Invite).where(Invite.kind == "organiser", Invite.expires_at > now)
    unused = valid.where(col(Invite.used_at).is_(None), col(Invite.revoked_at).is_(None))
    return session.exec(unused).first() or make_invite(session, "organiser", now)


def accept_organiser_invite(
    session: Session, invite: InviteView, login: str, name: str, hashed: str, now: datetime
) -> AccountView:
    account = create_account(session, login, name, hashed, now, may_create=True)
    session.get_one(Invite, invite.id).used_at = now
    return account


def accept_password_invite(
    session: Session, invite: InviteView, hashed: str, now: datetime
) -> Change[AccountView]:
    """Set a new password; it ends every session of the account and its other password links. A link made on
    the server also takes away its passkeys and codes: whoever lost them all, or had a stranger's added, gets
    in again."""
    account = session.get_one(Account, invite.account_id)
    if invite.made_by is None:
        remove_all(session, account.id)
        forget_codes(session, account.id)
    set_password(account, hashed)
    unused = select(Invite).where(Invite.account_id == account.id, col(Invite.used_at).is_(None))
    for other in session.exec(unused):
        other.revoked_at = now
    used = session.get_one(Invite, invite.id)
    used.used_at, used.revoked_at = now, None
    forgive_name(session, account.login)
    change = note_account(session, account, "account.password-by-link", now)
    return change.giving(account_view(account))


def accept_staff_invite(session: Session, invite: InviteView, account: AnyAccount, now: datetime) -> None:
    """Add an account to the event's staff; a member with two roles has the higher one."""
    staff = session.exec(
        select(Staff).where(Staff.event_id == invite.event_id, Staff.account_id == account.id)
    ).first()
    if staff is None:
        assert invite.event_id is not None, "an invite of kind staff names its event"
        assert account.id is not None, "the account is stored"
        staff = Staff(event_id=invite.event_id, account_id=account.id, role=str(invite.role))
    staff.role = max(staff.role, str(invite.role), key=ROLES.index)
    session.add(staff)
    session.get_one(Invite, invite.id).used_at = now
    session.flush()


def role_of(session: Session, event: AnyEvent, account: AnyAccount | None) -> str | None:
    if account is None:
        return None
    return session.exec(
        select(Staff.role).where(Staff.event_id == event.id, Staff.account_id == account.id)
    ).first()


# Built once, since every page of the desk begins with it; views cost less than rows of a session.
_ACCOUNT = tuple(field.name for field in fields(AccountView))
_AT_THE_DESK = Prepared(
    select_columns(
        *(getattr(Event, name) for name in EventView._fields),
        *(getattr(Account, name) for name in _ACCOUNT),
        Staff.role,
        AccountSession.id,
    )
    .select_from(Event)
    .join(
        Account,
        (col(Account.id) == bindparam("account")) & (col(Account.epoch) == bindparam("epoch")),
        isouter=True,
    )
    .join(
        Staff,
        (col(Staff.event_id) == col(Event.id)) & (col(Staff.account_id) == col(Account.id)),
        isouter=True,
    )
    .join(
        AccountSession,
        (col(AccountSession.key) == bindparam("key"))
        & (col(AccountSession.account_id) == col(Account.id))
        & col(AccountSession.ended_at).is_(None),
        isouter=True,
    )
    .where(Event.slug == bindparam("slug")),
    "slug",
    "account",
    "epoch",
    "key",
)


def at_the_desk(
    session: Session, slug: str, account_id: int, epoch: int, token: str = ""
) -> tuple[EventView, AccountView | None, str | None]:
    """The event with this slug, the account of a session cookie, and its role there."""
    rows = reader_of(session).rows(_AT_THE_DESK, slug, account_id, epoch, key_of(token))
    if not rows:
        raise Missing
    row, own = rows[0], len(EventView._fields)
    event, account, (role, signed_in) = EventView._make(row[:own]), row[own:-2], row[-2:]
    if account[0] is None or (token and signed_in is None):
        return event, None, None
    return event, AccountView(*account), role


def make_token(secret: str, kind: str, *numbers: int) -> str:
    """The signed numbers at the end of a link. `kind` keeps a player's link from opening a table's."""
    return URLSafeSerializer(secret, salt=f"judge-{kind}").dumps(numbers)


def read_token(secret: str, kind: str, token: str) -> tuple[int, ...] | None:
    try:
        numbers = URLSafeSerializer(secret, salt=f"judge-{kind}").loads(token)
    except BadSignature:
        return None
    if not isinstance(numbers, list) or not numbers or not all(type(n) is int for n in numbers):
        return None
    return tuple(numbers)
