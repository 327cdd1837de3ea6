"""The audit table: who changed what, when, from what to what, and why. Rows are added, never changed or
removed; only `undone_by` is filled in later, with the row that took the change back.

Rows are a chain: `digest` is the hash of what the row says, `link` the hash of that together with the link
of the row before. A row that is altered, added in between or taken out breaks the chain. Where a name had to
be erased, what the row says is replaced and `is_erased` set; its place in the chain stays. Rows of versions
before the chain have none.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Column, Index
from sqlmodel import Field, SQLModel

from judge.storage.columns import Json, UtcDateTime


class AuditRow(SQLModel, table=True):
    __tablename__ = "audit"
    __table_args__ = (
        Index("ix_audit_event_id_id", "event_id", "id"),
        Index("ix_audit_subject", "subject_kind", "subject_id"),
    )

    id: int = Field(default=None, primary_key=True)
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    actor: str = Field(max_length=200)  # as shown to people: stays readable when the account is gone
    account_id: str | None = Field(default=None, max_length=64)
    event_id: str | None = Field(default=None, max_length=64)
    what: str = Field(max_length=64)  # a verb: "result.entered", "round.paired"
    subject_kind: str = Field(max_length=64)
    subject_id: str = Field(max_length=64)
    before: Any | None = Field(default=None, sa_column=Column(Json, nullable=True))
    after: Any | None = Field(default=None, sa_column=Column(Json, nullable=True))
    why: str = Field(default="")
    digest: str | None = Field(default=None, max_length=64)
    link: str | None = Field(default=None, max_length=64)
    is_erased: bool = Field(default=False)
    undone_by: int | None = Field(default=None, foreign_key="audit.id")
