"""The ids and groups of players that a tournament file gave."""

import sqlalchemy as sa
from alembic import op

revision = "0018_ids_and_groups_of_files"
down_revision = "0017_passkeys_and_codes"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("player") as batch_op:
        batch_op.add_column(sa.Column("key", sa.String(200), nullable=True))
        batch_op.add_column(sa.Column("group_no", sa.Integer, nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("player") as batch_op:
        batch_op.drop_column("group_no")
        batch_op.drop_column("key")
