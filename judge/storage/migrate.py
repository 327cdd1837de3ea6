"""Upgrades a database to the newest schema, one process at a time, after a backup if it holds data."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from judge.storage.database import Database

MIGRATIONS = Path(__file__).parent / "migrations"
LOCK_SECONDS = 120
PLAIN_KEY = "PRIMARY KEY (id)"
LOCK_NUMBER = 0x6A75646765  # "judge": the advisory lock all judge processes on one PostgreSQL database share


@dataclass(frozen=True)
class Migration:
    """What was done: from which revision to which (None: an empty database), and where the backup is."""

    before: str | None
    after: str | None
    backup: Path | None = None

    @property
    def changed(self) -> bool:
        return self.before != self.after


def migrate(database: Database, backups: Path) -> Migration:
    """Upgrade to the newest revision. A database that holds data is backed up first."""
    from judge.storage.backup import write_backup  # which needs this module to restore

    with migration_lock(database):
        before, newest = revision(database), newest_revision()
        if before == newest:
            return Migration(before, before)
        backup = write_backup(database, backups, f"before-{newest}") if before else None
        with schema_change(database) as connection:
            upgrade(connection)
        return Migration(before, newest, backup)


@cache
def newest_revision() -> str:
    head = ScriptDirectory.from_config(alembic_config()).get_current_head()
    assert head is not None
    return head


def revision(database: Database) -> str | None:
    with database.engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def upgrade(connection: Connection, to: str = "head") -> None:
    command.upgrade(alembic_config(connection), to)
    if connection.dialect.name == "sqlite":
        _never_reuse_numbers(connection)


def _never_reuse_numbers(connection: Connection) -> None:
    """Give every table AUTOINCREMENT: SQLite would give the number of a deleted row to a new one, and what
    still refers to the old row would mean the new one. PostgreSQL never does so."""
    tables = text("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql LIKE :key")
    for name, sql in connection.execute(tables, {"key": f"%{PLAIN_KEY}%"}).all():
        more = text("SELECT sql FROM sqlite_master WHERE tbl_name = :name AND type = 'index' AND sql > ''")
        indexes = connection.execute(more, {"name": name}).scalars().all()
        create = re.sub(rf'^CREATE TABLE "?{name}"?', "CREATE TABLE numbered", sql, count=1)
        for statement in (
            create.replace(PLAIN_KEY, "PRIMARY KEY (id AUTOINCREMENT)"),
            f'INSERT INTO numbered SELECT * FROM "{name}"',  # noqa: S608
            f'DROP TABLE "{name}"',
            f'ALTER TABLE numbered RENAME TO "{name}"',
            *indexes,
        ):
            connection.exec_driver_sql(statement)


def downgrade(connection: Connection, to: str) -> None:
    command.downgrade(alembic_config(connection), to)


def alembic_config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


@contextmanager
def schema_change(database: Database) -> Iterator[Connection]:
    """A transaction around a schema change. SQLite copies tables then, which must not trigger foreign keys;
    they are all checked at the end instead."""
    with database.engine.connect() as connection:
        if not database.is_sqlite:
            with connection.begin():
                yield connection
            return
        _sqlite(connection).execute("PRAGMA foreign_keys=OFF")
        try:
            with connection.execution_options(judge_writes=True).begin():
                yield connection
                broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
                if broken:
                    raise ValueError(f"rows that point nowhere: {broken[:5]}")
        finally:
            _sqlite(connection).execute("PRAGMA foreign_keys=ON")


def _sqlite(connection: Connection) -> sqlite3.Connection:
    """SQLite's own connection, outside a transaction: only there can foreign keys be switched on or off."""
    own = connection.connection.dbapi_connection
    assert isinstance(own, sqlite3.Connection)
    return own


@contextmanager
def migration_lock(database: Database) -> Iterator[None]:
    """A lock held by one process at a time; the operating system releases it if that process dies."""
    database.make_file()
    if database.file:
        lock = sqlite3.connect(f"{database.file}.migrating", timeout=LOCK_SECONDS, isolation_level=None)
        try:
            lock.execute("BEGIN EXCLUSIVE")
            yield
        finally:
            lock.close()
    elif database.is_sqlite:
        yield
    else:
        with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text(f"SET lock_timeout = '{LOCK_SECONDS}s'"))
            connection.execute(text("SELECT pg_advisory_lock(:n)"), {"n": LOCK_NUMBER})
            try:
                yield
            finally:
                connection.execute(text("SELECT pg_advisory_unlock(:n)"), {"n": LOCK_NUMBER})
                connection.invalidate()
