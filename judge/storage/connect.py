"""Tables for machines: tokens, webhooks, and the outbox of what is still to be delivered to them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Column, ForeignKey, Index
from sqlmodel import Field, SQLModel

from judge.storage.columns import UtcDateTime


def _owner(table: str) -> Any:
    return Field(sa_column=Column(ForeignKey(f"{table}.id", ondelete="CASCADE"), nullable=False, index=True))


def _moment(*, nullable: bool = False) -> Any:
    column = Column(UtcDateTime, nullable=nullable)
    return Field(default=None, sa_column=column) if nullable else Field(sa_column=column)


class ApiToken(SQLModel, table=True):
    """A token of an event. scope: read | results. Only the hash of the token is stored."""

    __tablename__ = "api_token"

    id: int = Field(default=None, primary_key=True)
    event_id: int = _owner("event")
    name: str = Field(max_length=80)
    scope: str = Field(max_length=20)
    digest: str = Field(max_length=64, unique=True)
    created_at: datetime = _moment()


class Webhook(SQLModel, table=True):
    """An address that is told what changes. topics: ",results,rounds,". Its secret follows from the server's
    own secret and the salt, so that neither the database nor the log holds it."""

    id: int = Field(default=None, primary_key=True)
    event_id: int = _owner("event")
    url: str = Field(max_length=500)
    topics: str = Field(max_length=120)
    salt: str = Field(max_length=40)
    is_active: bool = Field(default=True)
    created_at: datetime = _moment()


class Delivery(SQLModel, table=True):
    """One log entry on its way to a webhook. It is written in the transaction of the change itself. state:
    waiting | done | failed (given up). `next_at`: not before; `status` and `error`: of the last attempt."""

    __table_args__ = (Index("ix_delivery_state_webhook", "state", "webhook_id", "id"),)

    id: int = Field(default=None, primary_key=True)
    webhook_id: int = _owner("webhook")
    entry_id: int
    what: str = Field(max_length=64)
    state: str = Field(default="waiting", max_length=20)
    attempts: int = Field(default=0)
    next_at: datetime = _moment()
    status: int | None = None
    error: str = Field(default="", max_length=200)
    created_at: datetime = _moment()
    done_at: datetime | None = _moment(nullable=True)
