"""The audit table."""

import sqlalchemy as sa
from alembic import op

from judge.storage.columns import Json, UtcDateTime

revision = "0001_audit"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("actor", sa.String(200), nullable=False),
        sa.Column("account_id", sa.String(64), nullable=True),
        sa.Column("event_id", sa.String(64), nullable=True),
        sa.Column("what", sa.String(64), nullable=False),
        sa.Column("subject_kind", sa.String(64), nullable=False),
        sa.Column("subject_id", sa.String(64), nullable=False),
        sa.Column("before", Json, nullable=True),
        sa.Column("after", Json, nullable=True),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("undone_by", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["undone_by"], ["audit.id"], name=op.f("fk_audit_undone_by_audit")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index("ix_audit_event_id_id", "audit", ["event_id", "id"])
    op.create_index("ix_audit_subject", "audit", ["subject_kind", "subject_id"])


def downgrade() -> None:
    op.drop_table("audit")
