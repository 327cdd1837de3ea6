"""The database: one engine, sessions, and transactions that behave the same on SQLite and PostgreSQL.

On SQLite every connection has WAL, foreign keys and a busy timeout. A transaction that will write begins with
BEGIN IMMEDIATE: it can wait for the lock only before its first read, so no write fails half-way. Only
`migrate` creates a missing file, so data cannot go to the wrong place.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    DisconnectionError,
    OperationalError,
    TimeoutError,
)
from sqlalchemy.pool import QueuePool, StaticPool
from sqlmodel import Session

WRITES = {"judge_writes": True}


class DatabaseUrlError(ValueError):
    """DATABASE_URL cannot be used; the text says why."""


def read_url(url: str) -> URL:
    """Parse DATABASE_URL. Plain postgresql:// means the driver we ship; other databases are refused."""
    try:
        parsed = make_url(url.replace("postgres://", "postgresql://", 1))
    except ArgumentError:
        raise DatabaseUrlError(
            "DATABASE_URL: expected sqlite:///path or postgresql://user@host/name"
        ) from None
    if parsed.drivername == "postgresql":
        parsed = parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername not in ("sqlite", "postgresql+psycopg"):
        raise DatabaseUrlError(
            f"DATABASE_URL: {parsed.drivername} is not supported, use sqlite or postgresql"
        )
    return parsed


class Database:
    def __init__(self, url: str, busy_seconds: float = 5.0) -> None:
        self.url = read_url(url)
        self.is_sqlite = self.url.drivername == "sqlite"
        self.busy_seconds = busy_seconds
        self._turn = Lock()
        self.engine = self._sqlite() if self.is_sqlite else self._postgresql()

    @cached_property
    def file(self) -> Path | None:
        """The SQLite file, if there is one."""
        return Path(self.url.database).absolute() if self.is_sqlite and self.url.database else None

    def make_file(self) -> None:
        """Create an empty SQLite file, readable by its owner only, if there is none yet."""
        if self.file:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.touch(mode=0o600)

    @property
    def shown(self) -> str:
        """The database's address, without the password."""
        return str(self.file) if self.file else self.url.render_as_string(hide_password=True)

    def session(self, *, writes: bool = False) -> Session:
        """A session whose transaction begins when it is first used."""
        return Session(self.engine.execution_options(**WRITES) if writes else self.engine)

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Store everything the block writes, or nothing."""
        with self.session(writes=True) as session, session.begin():
            yield session

    def version(self) -> str:
        with self.engine.connect() as connection:
            if self.is_sqlite:
                return f"SQLite {connection.scalar(text('select sqlite_version()'))}"
            return f"PostgreSQL {connection.scalar(text('show server_version'))}"

    def close(self) -> None:
        self.engine.dispose()

    def _sqlite(self) -> Engine:
        if self.file:
            engine = create_engine("sqlite://", creator=self._open_file, poolclass=QueuePool)
        else:
            engine = create_engine("sqlite://", poolclass=StaticPool)
        event.listen(engine, "connect", self._prepare_sqlite)
        if self.file:
            event.listen(engine, "checkout", self._refuse_replaced_file)
        event.listen(engine, "begin", self._begin)
        for end in ("commit", "rollback"):
            event.listen(engine, end, lambda connection: self._end_turn(connection.info))
        event.listen(engine, "checkin", lambda _connection, record: self._end_turn(record.info))
        return engine

    def _begin(self, connection: Connection) -> None:
        if not connection.get_execution_options().get("judge_writes"):
            connection.exec_driver_sql("BEGIN")
            return
        # A waiting SQLite writer sleeps up to 100 ms between tries; writers of one process hand over at once.
        connection.info["has_turn"] = self._turn.acquire(timeout=self.busy_seconds)
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        except BaseException:
            self._end_turn(connection.info)
            raise

    def _end_turn(self, info: dict[Any, Any]) -> None:
        if info.pop("has_turn", False):
            self._turn.release()

    def _open_file(self) -> sqlite3.Connection:
        assert self.file
        address = f"{self.file.as_uri()}?mode=rw"
        return sqlite3.connect(address, uri=True, timeout=self.busy_seconds, check_same_thread=False)

    def _prepare_sqlite(self, connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver begins no transactions of its own: _begin does
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}").close()

    def _refuse_replaced_file(self, _connection: Any, record: Any, _proxy: Any) -> None:
        """Drop a connection whose file was removed or replaced: it would go on writing into the old one."""
        assert self.file
        try:
            inode = os.stat(self.file).st_ino
        except OSError:
            inode = None
        if record.info.setdefault("inode", inode) != inode or inode is None:
            raise DisconnectionError

    def _postgresql(self) -> Engine:
        wait = f"-c lock_timeout={int(self.busy_seconds * 1000)} -c timezone=UTC"
        try:
            return create_engine(
                self.url,
                pool_pre_ping=True,  # so that a restarted database server causes no error page
                pool_timeout=self.busy_seconds,
                connect_args={"connect_timeout": max(2, int(self.busy_seconds)), "options": wait},
            )
        except ModuleNotFoundError:
            raise DatabaseUrlError(
                "DATABASE_URL: PostgreSQL needs psycopg: pip install judge[postgres]"
            ) from None


# SQLite's messages when the file, the disk or the lock is at fault, not our statement.
SQLITE_TROUBLE = ("BUSY", "LOCKED", "CANTOPEN", "IOERR", "READONLY", "FULL", "CORRUPT", "NOTADB", "PROTOCOL")


def is_full(error: BaseException) -> bool:
    """Whether the disk has no room left."""
    cause = getattr(error, "orig", None)
    return _sqlite_name(cause) == "FULL" or getattr(cause, "sqlstate", None) == "53100"


def is_unavailable(error: BaseException) -> bool:
    """Whether the database is locked, gone or overloaded: nothing was stored, and a second try may work."""
    if isinstance(error, TimeoutError | DisconnectionError):
        return True
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    if not isinstance(error, OperationalError):
        return False
    name = _sqlite_name(error.orig)
    return name is None or name.startswith(SQLITE_TROUBLE)


def _sqlite_name(cause: BaseException | None) -> str | None:
    name: str | None = getattr(cause, "sqlite_errorname", None)
    return name.removeprefix("SQLITE_") if name else None
