"""Column types and names that mean the same on SQLite and PostgreSQL."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

from sqlalchemy import JSON, DateTime, Dialect
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.types import TypeDecorator
from sqlmodel import SQLModel

# Every constraint has a name, so that a later migration can refer to it on both databases.
SQLModel.metadata.naming_convention = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


def new_token() -> str:
    """The random end of a private link: nothing in it can be guessed or counted, and none is given twice."""
    return secrets.token_urlsafe(18)


class UtcDateTime(TypeDecorator[datetime]):
    """A point in time, stored and returned as UTC because SQLite drops time zones. Refuses naive values."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a moment without a time zone cannot be stored: {value!r}")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


# Replace values, never edit them in place: SQLAlchemy does not notice a change inside a JSON value.
Json = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")

# Stored as text: PostgreSQL's JSONB would sort the keys, and a ruling is shown exactly as it was given.
JsonAsWritten = JSON(none_as_null=True)
