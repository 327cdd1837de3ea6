"""Invites and tables being entered get random links in place of signed row numbers."""

import sqlalchemy as sa
from alembic import op

from judge.storage.columns import new_token

revision = "0010_random_links"
down_revision = "0009_teams_byes_announcements"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("invite", "table_draft"):
        op.add_column(name, sa.Column("token", sa.String(40), nullable=True))
        table = sa.table(name, sa.column("id"), sa.column("token"))
        connection = op.get_bind()
        for number in connection.execute(sa.select(table.c.id)).scalars().all():
            connection.execute(table.update().where(table.c.id == number).values(token=new_token()))
        with op.batch_alter_table(name) as batch_op:
            batch_op.alter_column("token", existing_type=sa.String(40), nullable=False)
            batch_op.create_unique_constraint(batch_op.f(f"uq_{name}_token"), ["token"])
    with op.batch_alter_table("invite") as batch_op:
        batch_op.add_column(sa.Column("made_by", sa.Integer(), nullable=True))
        batch_op.create_foreign_key(batch_op.f("fk_invite_made_by_account"), "account", ["made_by"], ["id"])


def downgrade() -> None:
    with op.batch_alter_table("invite") as batch_op:
        batch_op.drop_constraint(batch_op.f("fk_invite_made_by_account"), type_="foreignkey")
        batch_op.drop_column("made_by")
    for name in ("invite", "table_draft"):
        with op.batch_alter_table(name) as batch_op:
            batch_op.drop_constraint(batch_op.f(f"uq_{name}_token"), type_="unique")
            batch_op.drop_column("token")
