"""Copies of accounts and invites for pages, without the password."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from judge.storage.accounts import Account, Invite


@dataclass(frozen=True, slots=True)
class AccountView:
    """An account. Sessions of an older `epoch` have ended."""

    id: int
    login: str
    name: str
    may_create: bool
    epoch: int


@dataclass(frozen=True, slots=True)
class InviteView:
    """A one-time link: what it is for, and until when."""

    id: int
    token: str
    kind: str
    event_id: int | None
    role: str | None
    account_id: int | None
    note: str
    expires_at: datetime
    made_by: int | None


AnyAccount = Account | AccountView  # services that only read take either


def account_view(row: Account) -> AccountView:
    return AccountView(row.id, row.login, row.name, row.may_create, row.epoch)


def invite_view(row: Invite) -> InviteView:
    return InviteView(
        row.id,
        row.token,
        row.kind,
        row.event_id,
        row.role,
        row.account_id,
        row.note,
        row.expires_at,
        row.made_by,
    )
