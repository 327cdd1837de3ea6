"""Tables for staff accounts, invitation links, failed sign-ins and visits without an account."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, ForeignKey
from sqlmodel import Field, SQLModel

from judge.storage.columns import UtcDateTime, new_token


class Account(SQLModel, table=True):
    """A member of staff. A new password raises `epoch`, which ends every session that began before."""

    id: int = Field(default=None, primary_key=True)
    login: str = Field(max_length=80, unique=True)  # stored casefolded
    name: str = Field(max_length=80)
    password: str = Field(max_length=200)
    epoch: int = Field(default=0)
    may_create: bool = Field(default=False)  # organisers create events; invited staff do not
    created_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))


class AccountSession(SQLModel, table=True):
    """A browser that is signed in. `key` is the hash of what its cookie holds: the row opens nothing."""

    __tablename__ = "account_session"

    id: int = Field(default=None, primary_key=True)
    key: str = Field(max_length=64, unique=True)
    account_id: int = Field(foreign_key="account.id", index=True)
    browser: str = Field(default="", max_length=120)
    began_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    seen_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    ended_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))


class SignInAttempt(SQLModel, table=True):
    """A failed sign-in, counted here so that all workers share one limit."""

    __tablename__ = "sign_in_attempt"

    id: int = Field(default=None, primary_key=True)
    who: str = Field(max_length=120, index=True)
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))


class AnonymousVisit(SQLModel, table=True):
    """Something done from an address without an account, counted here so that all workers share one limit."""

    __tablename__ = "anonymous_visit"

    id: int = Field(default=None, primary_key=True)
    what: str = Field(max_length=20)  # a key of judge.services.accounts.limits.MOST
    address: str = Field(max_length=100, index=True)
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))


class Invite(SQLModel, table=True):
    """A one-time link. kind: organiser (a new account that may create events), staff (a role at one event),
    password (a new password for an account). `token` is the end of the link; `made_by` the account that made
    it, whose rights are asked again when the link is used (null: made by a command on the server)."""

    id: int = Field(default=None, primary_key=True)
    token: str = Field(default_factory=new_token, max_length=40, unique=True)
    kind: str = Field(max_length=20)
    event_id: int | None = Field(
        default=None, sa_column=Column(ForeignKey("event.id", ondelete="CASCADE"), nullable=True, index=True)
    )
    role: str | None = Field(default=None, max_length=20)
    account_id: int | None = Field(default=None, foreign_key="account.id")
    made_by: int | None = Field(default=None, foreign_key="account.id")
    note: str = Field(default="", max_length=120)  # the invited person, as the organiser wrote it
    created_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    expires_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    used_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))
    revoked_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))
