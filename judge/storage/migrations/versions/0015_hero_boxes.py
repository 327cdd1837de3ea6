"""Hero boxes that players of an event share."""

import sqlalchemy as sa
from alembic import op

revision = "0015_hero_boxes"
down_revision = "0014_sessions_and_chain"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "hero_box",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("hero", sa.String(length=60), nullable=False),
        sa.Column("label", sa.String(length=40), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["event_id"], ["event.id"], name=op.f("fk_hero_box_event_id_event"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_hero_box_player_id_player"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hero_box")),
    )
    op.create_index(op.f("ix_hero_box_event_id"), "hero_box", ["event_id"])
    op.create_index(op.f("ix_hero_box_player_id"), "hero_box", ["player_id"])


def downgrade() -> None:
    op.drop_table("hero_box")
