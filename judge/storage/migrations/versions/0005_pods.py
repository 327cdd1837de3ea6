"""Pods: the third seat of a table and those after it, and everybody's score."""

import sqlalchemy as sa
from alembic import op

from judge.storage.columns import Json

revision = "0005_pods"
down_revision = "0004_rulings_as_written"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("match") as batch_op:
        batch_op.add_column(sa.Column("more", Json, nullable=True))
        batch_op.add_column(sa.Column("scores", Json, nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("match") as batch_op:
        batch_op.drop_column("scores")
        batch_op.drop_column("more")
