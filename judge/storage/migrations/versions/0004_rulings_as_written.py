"""Rulings and tables keep the order of their keys: JSON instead of JSONB on PostgreSQL. SQLite always did.

What was stored before stays in the order the database gave it: nobody knows the other one any more.
"""

from alembic import op

revision = "0004_rulings_as_written"
down_revision = "0003_judges_desk"
branch_labels = None
depends_on = None

COLUMNS = (("kept_ruling", "table_file"), ("kept_ruling", "rulings"), ("table_draft", "steps"))


def upgrade() -> None:
    _make("json")


def downgrade() -> None:
    _make("jsonb")


def _make(kind: str) -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    for table, column in COLUMNS:
        op.execute(f"ALTER TABLE {table} ALTER COLUMN {column} TYPE {kind} USING {column}::{kind}")
