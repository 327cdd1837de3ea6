"""Migrations: up and down on both databases, equal to the tables in code, one at a time, after a backup."""

import shutil

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect
from sqlmodel import select

from judge.services.dispute import kept_rulings
from judge.services.dispute.case import Case
from judge.storage import migrate as migrate_module
from judge.storage.backup import restore_backup
from judge.storage.database import Database
from judge.storage.migrate import (
    alembic_config,
    downgrade,
    migrate,
    newest_revision,
    revision,
    schema_change,
    upgrade,
)
from judge.storage.rulings import KeptRuling
from judge.storage.tables import METADATA
from tests.builders import DESK, NOW
from tests.dispute.test_kept_rulings import TABLE
from tests.storage.test_database import row


def revisions():
    found = ScriptDirectory.from_config(alembic_config()).walk_revisions()
    return [script.revision for script in found][::-1]


def test_the_migrations_build_exactly_the_tables_in_code(database):
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})

        assert compare_metadata(context, METADATA) == []


def test_every_step_can_be_taken_down_and_up_again(database):
    steps = revisions()
    for before in ["base", *steps[:-1]][::-1]:
        with schema_change(database) as connection:
            downgrade(connection, before)
    with database.engine.connect() as connection:
        left = set(inspect(connection).get_table_names()) - {"alembic_version"}
    for step in steps:
        with schema_change(database) as connection:
            upgrade(connection, step)

    assert left == set()
    assert revision(database) == newest_revision()


def test_rulings_kept_before_their_order_was_are_still_there_afterwards(database):
    with database.transaction() as session:
        kept_rulings.keep(session, Case(TABLE), NOW, actor=DESK, title="Eight")
    for step in (downgrade, upgrade):
        with schema_change(database) as connection:
            step(connection, "0003_judges_desk" if step is downgrade else "head")

    with database.transaction() as session:
        row = session.exec(select(KeptRuling)).one()
        assert (row.title, row.table, kept_rulings.rule_again(row, "en")[1]) == ("Eight", TABLE, [])


def test_a_database_that_is_current_is_left_alone(database, tmp_path):
    done = migrate(database, tmp_path / "backups")

    assert not done.changed
    assert done.backup is None


@pytest.fixture
def next_version(tmp_path, monkeypatch):
    """A judge of tomorrow, with one migration more."""
    folder = tmp_path / "migrations"
    shutil.copytree(migrate_module.MIGRATIONS, folder)
    (folder / "versions" / "9999_tomorrow.py").write_text(TOMORROW.format(newest_revision()))
    monkeypatch.setattr(migrate_module, "MIGRATIONS", folder)
    newest_revision.cache_clear()
    yield
    newest_revision.cache_clear()


TOMORROW = """
import sqlalchemy as sa
from alembic import op
revision, down_revision = "9999_tomorrow", "{}"
def upgrade():
    with op.batch_alter_table("audit") as table:
        table.add_column(sa.Column("mood", sa.String(20), nullable=False, server_default="calm"))
def downgrade():
    pass
"""


def test_existing_data_are_backed_up_before_a_migration(database, tmp_path, next_version):
    with database.transaction() as session:
        session.add(row(actor="Cleo"))

    done = migrate(database, tmp_path / "backups")

    assert (done.before, done.after) == (revisions()[-2], "9999_tomorrow")
    assert done.backup
    assert done.backup.stat().st_mode & 0o077 == 0
    with database.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT actor, mood FROM audit").all() == [("Cleo", "calm")]


def test_a_backup_of_an_older_version_is_upgraded_when_restored(database, tmp_path, next_version):
    with database.transaction() as session:
        session.add(row(actor="Cleo"))
    older = migrate(database, tmp_path / "backups").backup

    assert restore_backup(database, older) == 1
    assert revision(database) == "9999_tomorrow"
    with database.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT actor, mood FROM audit").all() == [("Cleo", "calm")]


def test_two_processes_migrating_at_once_end_with_one_sound_database(database_url, judge):
    both = [judge("migrate", DATABASE_URL=database_url) for _ in range(2)]
    said = [process.communicate(timeout=60)[0] for process in both]

    assert [process.returncode for process in both] == [0, 0], said
    assert sum("Database made" in text for text in said) == 1
    database = Database(database_url)
    assert revision(database) == newest_revision()
    database.close()
