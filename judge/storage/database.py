"""The database: one engine, sessions, and transactions that behave the same on SQLite and PostgreSQL.

On SQLite every connection has WAL, foreign keys and a busy timeout, and a commit returns only when the disk
has it (synchronous=FULL): what was acknowledged survives a power cut. A transaction that will write begins
with BEGIN IMMEDIATE: it can wait for the lock only before its first read, so no write fails half-way. Only
`migrate` creates a missing file, so data cannot go to the wrong place.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DBAPIError,
    DisconnectionError,
    TimeoutError,
)
from sqlalchemy.pool import QueuePool, StaticPool
from sqlmodel import Session

from judge.storage.lost_connections import refuse_lost_connections

WRITES = {"judge_writes": True}
SYNCHRONOUS = "FULL"  # of SQLite; tests, whose data need not last, switch it off
POOL = 10  # connections kept open: one for each thread, and a second for those that read aside
WRITERS = 5  # of one process, writing or waiting; of the eight threads three always stay free
PATIENCE = 3.0  # seconds to wait for a writer of our own that gets ahead, as one that reads in a large event


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
    def __init__(self, url: str, busy_seconds: float = 0.9) -> None:
        self.url = read_url(url)
        self.is_sqlite = self.url.drivername == "sqlite"
        self.busy_seconds = busy_seconds
        self._turn = Lock()
        self._line = BoundedSemaphore(WRITERS)
        self._is_stuck = False  # the last writer that had its turn could not begin
        self.writers_refused = 0
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

    def damage(self) -> str | None:
        """What SQLite's quick check finds wrong with the file; None if it is sound, or PostgreSQL's."""
        if not self.is_sqlite:
            return None
        try:
            with self.engine.connect() as connection:
                result = str(connection.scalar(text("PRAGMA quick_check(1)")))
        except DatabaseError as error:
            return str(error.orig)
        return None if result == "ok" else " ".join(result.split())

    def close(self) -> None:
        self.engine.dispose()

    def _sqlite(self) -> Engine:
        if self.file:
            engine = create_engine(
                "sqlite://",
                creator=self._open_file,
                poolclass=QueuePool,
                pool_size=POOL,
                pool_timeout=self.busy_seconds,
                hide_parameters=True,
            )
        else:
            engine = create_engine("sqlite://", poolclass=StaticPool, hide_parameters=True)
        event.listen(engine, "connect", self._prepare_sqlite)
        if self.file:
            event.listen(engine, "checkout", self._refuse_replaced_file)
        self._watch(engine)
        return engine

    def _watch(self, engine: Engine) -> None:
        """Let few writers wait at once; their places are free again when their connections are."""
        event.listen(engine, "begin", self._begin)
        event.listen(engine, "checkin", lambda _connection, record: self._end_turn(record.info))
        event.listen(engine, "invalidate", lambda _connection, record, _error: self._end_turn(record.info))

    @property
    def writers(self) -> int:
        """How many transactions write or wait for it in this process."""
        return WRITERS - self._line._value

    def _begin(self, connection: Connection) -> None:
        if not connection.get_execution_options().get("judge_writes"):
            if self.is_sqlite:
                connection.exec_driver_sql("BEGIN")
            return
        if connection.info.get("in_line"):  # its second transaction
            if self.is_sqlite:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            return
        # Writers that wait must leave threads for readers: when the line is full, the next is told at once.
        if not self._line.acquire(timeout=self.busy_seconds / 6):
            self.writers_refused += 1
            raise TimeoutError("too many writers are waiting")
        connection.info["in_line"] = True
        if not self.is_sqlite:
            return
        # A waiting SQLite writer sleeps up to 100 ms between tries; writers of one process hand over at once.
        connection.info["has_turn"] = self._wait_for_turn()
        try:
            if not connection.info["has_turn"]:
                self.writers_refused += 1
                raise TimeoutError("another transaction is writing")
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            self._is_stuck = False
        except BaseException:
            self._is_stuck = connection.info["has_turn"]
            self._end_turn(connection.info)
            raise

    def _wait_for_turn(self) -> bool:
        """Wait for the writer before. One of our own gets ahead and is worth waiting for; when another
        process has locked the file, nobody knows for how long."""
        if self._turn.acquire(timeout=self.busy_seconds / 2):
            return True
        end = time.monotonic() + PATIENCE
        while not self._is_stuck and time.monotonic() < end:
            if self._turn.acquire(timeout=0.05):
                return True
        return False

    def _end_turn(self, info: dict[Any, Any]) -> None:
        if info.pop("has_turn", False):
            self._turn.release()
        if info.pop("in_line", False):
            self._line.release()

    def _open_file(self) -> sqlite3.Connection:
        assert self.file
        address = f"{self.file.as_uri()}?mode=rw"
        return sqlite3.connect(address, uri=True, timeout=self.busy_seconds / 3, check_same_thread=False)

    def _prepare_sqlite(self, connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver begins no transactions of its own: _begin does
        for pragma in ("journal_mode=WAL", f"synchronous={SYNCHRONOUS}", "foreign_keys=ON"):
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
            engine = create_engine(
                self.url,
                hide_parameters=True,
                pool_size=POOL,
                pool_timeout=self.busy_seconds,
                connect_args={"connect_timeout": max(2, int(self.busy_seconds)), "options": wait},
            )
        except ModuleNotFoundError:
            raise DatabaseUrlError(
                "DATABASE_URL: PostgreSQL needs psycopg: pip install judge[postgres]"
            ) from None
        refuse_lost_connections(engine)
        self._watch(engine)
        return engine


# SQLite's messages when the file, the disk or the lock is at fault, not our statement.
SQLITE_TROUBLE = ("BUSY", "LOCKED", "CANTOPEN", "IOERR", "READONLY", "FULL", "CORRUPT", "NOTADB", "PROTOCOL")


def is_full(error: BaseException) -> bool:
    """Whether the disk has no room left."""
    cause = getattr(error, "orig", error)
    return _sqlite_name(cause) == "FULL" or getattr(cause, "sqlstate", None) == "53100"


def is_unavailable(error: BaseException) -> bool:
    """Whether the database is locked, gone or overloaded: nothing was stored, and a second try may work."""
    if isinstance(error, TimeoutError | DisconnectionError):
        return True
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    cause = error.orig if isinstance(error, DBAPIError) else error  # a raw connection raises its driver's own
    if not any(kind.__name__ == "OperationalError" for kind in type(cause).__mro__):
        return False
    name = _sqlite_name(cause)
    return name is None or name.startswith(SQLITE_TROUBLE)


def _sqlite_name(cause: BaseException | None) -> str | None:
    name: str | None = getattr(cause, "sqlite_errorname", None)
    return name.removeprefix("SQLITE_") if name else None
