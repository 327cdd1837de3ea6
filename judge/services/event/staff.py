"""An event's staff: its members, their roles, and the links that invite people."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from judge.core.errors import Conflict, Missing, Refused
from judge.core.messages import Message
from judge.services.accounts.account_view import (
    AccountView,
    AnyAccount,
    InviteView,
    account_view,
    invite_view,
)
from judge.services.accounts.accounts import accept_staff_invite, make_invite, may_reset
from judge.services.accounts.roles import ROLES
from judge.services.event.event_view import AnyEvent, EventView, get_event_numbered
from judge.services.log.changes import Actor, Change, changing, note
from judge.storage.accounts import Account, Invite
from judge.storage.events import Staff


@dataclass(frozen=True, slots=True)
class StaffView:
    id: int
    role: str


@dataclass(frozen=True, slots=True)
class Member:
    staff: StaffView
    account: AccountView


@dataclass(frozen=True, slots=True)
class StaffPage:
    members: list[Member]
    invites: list[InviteView]  # the ones still valid


def staff_of(session: Session, event: AnyEvent, now: datetime) -> StaffPage:
    rows = session.exec(
        select(Staff, Account)
        .join(Account, col(Staff.account_id) == col(Account.id))
        .where(Staff.event_id == event.id)
    ).all()
    members = [Member(StaffView(s.id, s.role), account_view(account)) for s, account in rows]
    members.sort(key=lambda m: (-ROLES.index(m.staff.role), m.account.name.casefold()))
    invites = session.exec(
        select(Invite)
        .where(Invite.event_id == event.id, Invite.kind == "staff", Invite.expires_at > now)
        .where(col(Invite.used_at).is_(None), col(Invite.revoked_at).is_(None))
        .order_by(col(Invite.id))
    ).all()
    return StaffPage(members, [invite_view(invite) for invite in invites])


def invite_staff(
    session: Session, event: AnyEvent, actor: Actor, role: str, for_whom: str, now: datetime
) -> Change[InviteView]:
    invite = make_invite(
        session, "staff", now, event=event, role=role, note=for_whom.strip(), made_by=actor.account_id
    )
    return note(session, event, actor, "staff.invited", invite).giving(invite_view(invite))


def revoke_invite(
    session: Session, event: AnyEvent, actor: Actor, invite_id: int, now: datetime
) -> Change[None]:
    invite = session.get(Invite, invite_id)
    if invite is None or invite.event_id != event.id:
        raise Missing(Message("invite_unknown"))
    if invite.used_at or invite.revoked_at:
        raise Conflict(Message("invite_spent"))
    invite.revoked_at = now
    return note(session, event, actor, "staff.invite-revoked", invite)


def join_staff(session: Session, invite: InviteView, account: AnyAccount, now: datetime) -> Change[EventView]:
    event = get_event_numbered(session, invite.event_id)
    with changing(session, event, Actor(account.name, account.id), "staff.joined") as recording:
        accept_staff_invite(session, invite, account, now)
        _keep_an_organiser(session, event)
    return recording.change.giving(event)


def change_role(session: Session, event: AnyEvent, actor: Actor, staff_id: int, role: str) -> Change[None]:
    staff = get_member(session, event, staff_id)
    with changing(session, event, actor, "staff.role", staff) as recording:
        staff.role = role
        _keep_an_organiser(session, event)
    return recording.change


def remove_member(session: Session, event: AnyEvent, actor: Actor, staff_id: int) -> Change[None]:
    staff = get_member(session, event, staff_id)
    with changing(session, event, actor, "staff.removed", staff) as recording:
        session.delete(staff)
        _keep_an_organiser(session, event)
    return recording.change


def new_password_link(
    session: Session, event: AnyEvent, actor: Actor, staff_id: int, now: datetime
) -> Change[InviteView]:
    """Issue a link with which a member of the staff sets a new password."""
    staff = get_member(session, event, staff_id)
    account = session.get_one(Account, staff.account_id)
    if not may_reset(session, account, actor.account_id):
        raise Refused(Message("reset_not_yours", login=account.login))
    invite = make_invite(session, "password", now, account=account, made_by=actor.account_id)
    return note(session, event, actor, "staff.password-link", staff).giving(invite_view(invite))


def get_member(session: Session, event: AnyEvent, staff_id: int) -> Staff:
    staff = session.get(Staff, staff_id)
    if staff is None or staff.event_id != event.id:
        raise Missing(Message("member_unknown"))
    return staff


def _keep_an_organiser(session: Session, event: AnyEvent) -> None:
    session.flush()
    roles = session.exec(select(Staff.role).where(Staff.event_id == event.id)).all()
    if "organiser" not in roles:
        raise Refused(Message("last_organiser"))
