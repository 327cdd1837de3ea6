"""Alembic's environment: runs migrations on the open connection that judge.storage.migrate passes in."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import JSON, String

from judge.storage.columns import UtcDateTime
from judge.storage.tables import METADATA


def render_column_type(kind: str, item: Any, autogen: AutogenContext) -> str | Literal[False]:
    """New migrations use our column types by name, and plain strings in place of SQLModel's own."""
    ours = {UtcDateTime: "UtcDateTime()", JSON: "Json"}
    if kind != "type":
        return False
    for our_type, written in ours.items():
        if isinstance(item, our_type):
            autogen.imports.add(f"from judge.storage.columns import {written.removesuffix('()')}")
            return written
    if isinstance(item, String) or getattr(item, "impl_instance", None).__class__ is String:
        return f"sa.String({item.length})" if getattr(item, "length", None) else "sa.String()"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite alters a table by copying it
    compare_type=True,
    render_item=render_column_type,
)
context.run_migrations()
