"""Answers of an event's own, made from precedents or read from another event's file."""

import sqlalchemy as sa
from alembic import op

from judge.storage.columns import JsonAsWritten

revision = "0011_answers_of_an_event"
down_revision = "0010_random_links"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("event_catalogue") as batch_op:
        batch_op.add_column(sa.Column("answers", JsonAsWritten, nullable=False, server_default="[]"))


def downgrade() -> None:
    with op.batch_alter_table("event_catalogue") as batch_op:
        batch_op.drop_column("answers")
