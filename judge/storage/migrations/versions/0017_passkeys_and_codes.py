"""Passkeys of accounts, codes of an authenticator app, recovery codes."""

import sqlalchemy as sa
from alembic import op

from judge.storage.columns import UtcDateTime

revision = "0017_passkeys_and_codes"
down_revision = "0016_half_byes"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "authenticator_app",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("salt", sa.String(40), nullable=False),
        sa.Column("last_step", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("confirmed_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_authenticator_app_account_id_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_authenticator_app")),
        sa.UniqueConstraint("account_id", name=op.f("uq_authenticator_app_account_id")),
    )
    op.create_table(
        "passkey",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("host", sa.String(255), nullable=False),
        sa.Column("credential", sa.String(1400), nullable=False),
        sa.Column("public_key", sa.String(2800), nullable=False),
        sa.Column("uses", sa.BigInteger(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("used_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_passkey_account_id_account")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passkey")),
        sa.UniqueConstraint("credential", name=op.f("uq_passkey_credential")),
    )
    op.create_index(op.f("ix_passkey_account_id"), "passkey", ["account_id"])
    op.create_table(
        "recovery_code",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("used_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["account_id"], ["account.id"], name=op.f("fk_recovery_code_account_id_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recovery_code")),
    )
    op.create_index(op.f("ix_recovery_code_account_id"), "recovery_code", ["account_id"])
    op.create_index(op.f("ix_recovery_code_key"), "recovery_code", ["key"])


def downgrade() -> None:
    for table in ("recovery_code", "passkey", "authenticator_app"):
        op.drop_table(table)
