"""Members, awarded byes and absences of players; announcements; calls for the head judge."""

import sqlalchemy as sa
from alembic import op

from judge.storage.columns import Json, UtcDateTime

revision = "0009_teams_byes_announcements"
down_revision = "0008_declared_heroes"
branch_labels = None
depends_on = None

LISTS = ("members", "byes", "absent")


def upgrade() -> None:
    with op.batch_alter_table("player") as batch_op:
        for name in LISTS:
            batch_op.add_column(sa.Column(name, Json, nullable=False, server_default="[]"))
    with op.batch_alter_table("judge_call") as batch_op:
        batch_op.add_column(sa.Column("is_for_head", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "announcement",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("by", sa.String(80), nullable=False),
        sa.Column("text", sa.String(500), nullable=False),
        sa.Column("is_shown", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id"], ["event.id"], name=op.f("fk_announcement_event_id_event"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_announcement")),
    )
    with op.batch_alter_table("announcement") as batch_op:
        batch_op.create_index(batch_op.f("ix_announcement_event_id"), ["event_id"], unique=False)


def downgrade() -> None:
    op.drop_table("announcement")
    with op.batch_alter_table("judge_call") as batch_op:
        batch_op.drop_column("is_for_head")
    with op.batch_alter_table("player") as batch_op:
        for name in LISTS:
            batch_op.drop_column(name)
