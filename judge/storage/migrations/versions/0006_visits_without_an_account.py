"""Visits without an account in a table of their own, apart from failed sign-ins."""

import sqlalchemy as sa
from alembic import op

from judge.storage.columns import UtcDateTime

revision = "0006_visits_without_an_account"
down_revision = "0005_pods"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "anonymous_visit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("what", sa.String(20), nullable=False),
        sa.Column("address", sa.String(100), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_anonymous_visit")),
    )
    with op.batch_alter_table("anonymous_visit") as batch_op:
        batch_op.create_index(batch_op.f("ix_anonymous_visit_address"), ["address"], unique=False)
    # What was counted among the failed sign-ins holds for ten minutes only: it is not carried over.
    op.execute("DELETE FROM sign_in_attempt WHERE who LIKE 'table:%' OR who LIKE 'ruling:%'")


def downgrade() -> None:
    op.drop_table("anonymous_visit")
