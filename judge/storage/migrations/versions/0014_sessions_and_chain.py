"""Signed-in browsers; the log becomes a chain."""

import sqlalchemy as sa
from alembic import op

from judge.storage.columns import UtcDateTime

revision = "0014_sessions_and_chain"
down_revision = "0013_connect"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "account_session",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("browser", sa.String(120), nullable=False),
        sa.Column("began_at", UtcDateTime(), nullable=False),
        sa.Column("seen_at", UtcDateTime(), nullable=False),
        sa.Column("ended_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_account_session_account_id_account"),
        sa.PrimaryKeyConstraint("id", name="pk_account_session"),
        sa.UniqueConstraint("key", name="uq_account_session_key"),
    )
    op.create_index("ix_account_session_account_id", "account_session", ["account_id"])
    with op.batch_alter_table("audit") as batch_op:
        batch_op.add_column(sa.Column("digest", sa.String(64), nullable=True))
        batch_op.add_column(sa.Column("link", sa.String(64), nullable=True))
        batch_op.add_column(sa.Column("is_erased", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("audit") as batch_op:
        batch_op.alter_column("is_erased", existing_type=sa.Boolean(), server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("audit") as batch_op:
        for name in ("is_erased", "link", "digest"):
            batch_op.drop_column(name)
    op.drop_table("account_session")
