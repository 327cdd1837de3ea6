"""Seasons and the events that count for them."""

import sqlalchemy as sa
from alembic import op

from judge.storage.columns import Json, UtcDateTime

revision = "0012_seasons"
down_revision = "0011_answers_of_an_event"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "season",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("points", Json, nullable=False),
        sa.Column("best", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_season_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_season")),
        sa.UniqueConstraint("slug", name=op.f("uq_season_slug")),
    )
    op.create_index(op.f("ix_season_account_id"), "season", ["account_id"])
    op.create_table(
        "season_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("season_id", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("standings", Json, nullable=True),
        sa.Column("frozen_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["season_id"], ["season.id"], name=op.f("fk_season_event_season_id_season"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["event_id"], ["event.id"], name=op.f("fk_season_event_event_id_event"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_season_event")),
        sa.UniqueConstraint("season_id", "event_id", name=op.f("uq_season_event_season_id_event_id")),
    )
    op.create_index(op.f("ix_season_event_season_id"), "season_event", ["season_id"])
    op.create_index(op.f("ix_season_event_event_id"), "season_event", ["event_id"])


def downgrade() -> None:
    op.drop_table("season_event")
    op.drop_table("season")
