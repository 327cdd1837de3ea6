"""Kept rulings carry the names of their things, so that they are shown without today's catalogue."""

import sqlalchemy as sa
from alembic import op

from judge.storage.columns import Json

revision = "0007_names_in_kept_rulings"
down_revision = "0006_visits_without_an_account"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("kept_ruling") as batch_op:
        batch_op.add_column(sa.Column("names", Json, nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("kept_ruling") as batch_op:
        batch_op.drop_column("names")
