"""Heroes that a player has declared by phone: when, with salt and hash."""

import sqlalchemy as sa
from alembic import op

from judge.storage.columns import Json

revision = "0008_declared_heroes"
down_revision = "0007_names_in_kept_rulings"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("player") as batch_op:
        batch_op.add_column(sa.Column("declared", Json, nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("player") as batch_op:
        batch_op.drop_column("declared")
