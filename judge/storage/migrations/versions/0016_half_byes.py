"""Half byes of players."""

import sqlalchemy as sa
from alembic import op

from judge.storage.columns import Json

revision = "0016_half_byes"
down_revision = "0015_hero_boxes"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("player") as batch_op:
        batch_op.add_column(sa.Column("half_byes", Json, nullable=False, server_default="[]"))


def downgrade() -> None:
    # A round shown as a half bye becomes one that was missed: older programs know no other word for it.
    op.execute("UPDATE \"match\" SET result = 'missed' WHERE result = 'half_bye'")
    with op.batch_alter_table("player") as batch_op:
        batch_op.drop_column("half_byes")
