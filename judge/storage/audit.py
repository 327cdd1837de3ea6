"""The audit table: who changed what, when, from what to what, and why. Rows are added, never changed or
removed; only `undone_by` is filled in later, with the row that took the change back.
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
    undone_by: int | None = Field(default=None, foreign_key="audit.id")
