"""Empties what refers to rows that will be deleted. The database would do so too, but unrecorded, and undo
could not bring it back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import inspect
from sqlmodel import Session, SQLModel, col, select

Tables = Mapping[str, type[SQLModel]]


def let_go(session: Session, tables: Tables, table: str, numbers: Sequence[int]) -> None:
    """Empty the columns of these tables that refer to these rows."""
    for model, column in _referring(tables, table):
        for row in session.exec(select(model).where(col(getattr(model, column)).in_(numbers))):
            setattr(row, column, None)


def _referring(tables: Tables, table: str) -> list[tuple[type[SQLModel], str]]:
    """The columns that are emptied when a row of the table is deleted."""
    return [
        (model, column.key)
        for model in tables.values()
        for column in inspect(model).columns
        for key in column.foreign_keys
        if key.column.table.name == table and key.ondelete == "SET NULL"
    ]
