"""Accounts of the staff: signing in with counted attempts, invite links, passwords.

A link ends in a random token; the invite's row says whether it is valid, and the rights of whoever made it
are asked again when it is used.
Passwords are hashed with argon2id. A new password ends every session of the account.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import bindparam, delete, func
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
from judge.services.accounts.roles import ROLES, may
from judge.services.event.event_view import AnyEvent, EventView, event_view
from judge.storage.accounts import Account, Invite, SignInAttempt
from judge.storage.events import Event, Staff

SHORTEST_PASSWORD = 10
LONGEST_LOGIN = 80  # the length of the column
ATTEMPTS, ATTEMPT_WINDOW = 8, timedelta(minutes=10)
INVITE_DAYS = {"organiser": 7, "staff": 14, "password": 1}


@cache
def hasher() -> PasswordHasher:
    return PasswordHasher()


def find_account(session: Session, account_id: int, epoch: int) -> AccountView | None:
    """The account of a session cookie; None if its password has changed since."""
    account = session.get(Account, account_id)
    return account_view(account) if account is not None and account.epoch == epoch else None


def get_account(session: Session, account_id: int | None) -> AccountView:
    return account_view(session.get_one(Account, account_id))


def find_login(session: Session, login: str) -> Account | None:
    return session.exec(select(Account).where(Account.login == login.strip().casefold())).first()


def is_first_start(session: Session) -> bool:
    return session.scalar(select(func.count()).select_from(Account)) == 0


def sign_in(session: Session, login: str, password: str, address: str, now: datetime) -> AccountView | None:
    """The account, or None if name or password is wrong. Refused for a while after too many failures from one
    address or for one name."""
    login = login.strip().casefold()
    names = (f"name:{login}"[:120], f"from:{address}"[:120])
    since = now - ATTEMPT_WINDOW
    count = func.count().label("count")
    failures = session.execute(
        select(SignInAttempt.who, count)
        .where(col(SignInAttempt.who).in_(names), SignInAttempt.at > since)
        .group_by(SignInAttempt.who)
    ).all()
    if any(n >= (ATTEMPTS if who.startswith("name:") else ATTEMPTS * 5) for who, n in failures):
        raise Refused(Message("too_many_attempts", minutes=int(ATTEMPT_WINDOW.total_seconds() // 60)))
    account = find_login(session, login)
    if is_password(account.password if account else _nobody(), password) and account:
        session.execute(delete(SignInAttempt).where(col(SignInAttempt.who) == names[0]))
        return account_view(account)
    session.execute(delete(SignInAttempt).where(col(SignInAttempt.at) <= since))
    session.add_all(SignInAttempt(who=who, at=now) for who in names)
    return None


@cache
def _nobody() -> str:
    """A hash to check when there is no such account, so that both answers take the same time."""
    return hasher().hash("nobody has this password")


def is_password(hashed: str, password: str) -> bool:
    try:
        return hasher().verify(hashed, password)
    except (VerificationError, InvalidHashError):
        return False


def set_password(account: Account, password: str) -> None:
    if len(password) < SHORTEST_PASSWORD:
        raise Refused(Message("password_too_short", least=SHORTEST_PASSWORD))
    account.password = hasher().hash(password)
    account.epoch = (account.epoch or 0) + 1


def rename(session: Session, account_id: int, name: str) -> None:
    session.get_one(Account, account_id).name = name
    session.flush()


def change_password(session: Session, account_id: int, old: str, new: str) -> AccountView | None:
    """Change the password of an account; None if the old password is wrong."""
    account = session.get_one(Account, account_id)
    if not is_password(account.password, old):
        return None
    set_password(account, new)
    session.flush()
    return account_view(account)


def create_account(
    session: Session, login: str, name: str, password: str, now: datetime, *, may_create: bool = False
) -> AccountView:
    login = check_text(login.strip().casefold(), "login", LONGEST_LOGIN)  # "ß" folds into two letters
    if find_login(session, login):
        raise Refused(Message("login_taken", login=login))
    account = Account(login=login, name=name.strip(), password="", may_create=may_create, created_at=now)
    set_password(account, password)
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
    session: Session, invite: InviteView, login: str, name: str, password: str, now: datetime
) -> AccountView:
    account = create_account(session, login, name, password, now, may_create=True)
    session.get_one(Invite, invite.id).used_at = now
    return account


def accept_password_invite(session: Session, invite: InviteView, password: str, now: datetime) -> AccountView:
    """Set a new password; it ends every session of the account and its other password links."""
    account = session.get_one(Account, invite.account_id)
    set_password(account, password)
    unused = select(Invite).where(Invite.account_id == account.id, col(Invite.used_at).is_(None))
    for other in session.exec(unused):
        other.revoked_at = now
    used = session.get_one(Invite, invite.id)
    used.used_at, used.revoked_at = now, None
    session.execute(delete(SignInAttempt).where(col(SignInAttempt.who) == f"name:{account.login}"[:120]))
    return account_view(account)


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


# Built once, since every page of the desk begins with it.
_AT_THE_DESK = (
    select(Event, Account, Staff.role)
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
    .where(Event.slug == bindparam("slug"))
)


def at_the_desk(
    session: Session, slug: str, account_id: int, epoch: int
) -> tuple[EventView, AccountView | None, str | None]:
    """The event with this slug, the account of a session cookie, and its role there."""
    row = session.execute(_AT_THE_DESK, {"slug": slug, "account": account_id, "epoch": epoch}).first()
    if row is None:
        raise Missing
    event, account, role = row
    return event_view(event), account_view(account) if account else None, role


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
