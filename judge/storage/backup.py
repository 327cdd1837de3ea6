"""Backups: one compressed JSON Lines file that restores on both SQLite and PostgreSQL.

The first line names the schema revision, then come the rows of every table, then a last line with their
number, so that a truncated file is noticed. Restoring builds the schema of that revision, fills it, and
upgrades it to the newest, in one transaction: either the whole backup is restored, or nothing changes.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import groupby, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import (
    JSON,
    Connection,
    Date,
    DateTime,
    LargeBinary,
    MetaData,
    Table,
    func,
    insert,
    null,
    select,
    text,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.types import TypeEngine

from judge.storage.database import Database, is_unavailable
from judge.storage.migrate import migration_lock, newest_revision, revision, schema_change, upgrade

FORMAT = 1
VERSION_TABLE = "alembic_version"


class BackupError(Exception):
    """The backup cannot be made or used; the text says why. The database is unchanged."""


def write_backup(database: Database, folder: Path, label: str = "", *, to: Path | None = None) -> Path:
    """Write every row to a new file, as of one moment, and return its path."""
    now = datetime.now(UTC)
    path = to or folder / f"judge-{now:%Y%m%d-%H%M%S-%f}{'-' if label else ''}{label}.judge.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".part")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as raw:
            with gzip.open(raw, "wb") as file:
                for line in _lines(database, now):
                    file.write(_written(line))
            raw.flush()
            os.fsync(raw.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)  # after a failure no half of a backup stays behind
    return path


def _written(line: dict[str, Any]) -> bytes:
    """A line of the file. What no database should hold (half a character, NUL) is replaced: one such text
    from an older version must not stop every backup, nor a restore on the other kind of database."""
    try:
        written = (json.dumps(line, ensure_ascii=False) + "\n").encode()
    except UnicodeEncodeError:
        written = b"\\u0000"
    if b"\\u0000" in written:
        written = (json.dumps(_cleaned(line), ensure_ascii=False) + "\n").encode()
    return written


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode().replace("\0", "\ufffd")
    if isinstance(value, dict):
        return {_cleaned(key): _cleaned(item) for key, item in value.items()}
    return [_cleaned(item) for item in value] if isinstance(value, list) else value


def _lines(database: Database, now: datetime) -> Iterator[dict[str, Any]]:
    options = {} if database.is_sqlite else {"isolation_level": "REPEATABLE READ"}
    shape, rows = revision(database), 0
    if shape is None:
        raise BackupError("there is nothing to back up: the database is empty")
    with database.engine.connect().execution_options(**options) as connection:
        yield {"judge-backup": FORMAT, "revision": shape, "at": now.isoformat()}
        for table in _tables(connection).values():
            for row in connection.execute(select(table)):
                rows += 1
                yield {"table": table.name, "row": {key: _plain(v) for key, v in row._mapping.items()}}
    yield {"rows": rows}


def _tables(connection: Connection) -> dict[str, Table]:
    metadata = MetaData()
    metadata.reflect(connection)
    return {name: table for name, table in metadata.tables.items() if name != VERSION_TABLE}


def _plain(value: Any) -> Any:
    """A value that JSON can hold; times are UTC on both databases."""
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value


def holds_data(database: Database) -> bool:
    with database.engine.connect() as connection:
        tables = _tables(connection).values()
        return any(connection.scalar(select(func.count()).select_from(table)) for table in tables)


def restore_backup(database: Database, path: Path) -> int:
    """Replace everything in the database with the backup. Returns the number of rows."""
    shape = _read_whole(path)
    try:
        with migration_lock(database), schema_change(database) as connection:
            _clear(connection)
            try:
                upgrade(connection, shape)
            except Exception as error:
                raise BackupError(f"{path}: made by a newer judge (revision {shape})") from error
            rows = _fill(connection, path)
            if shape != newest_revision():
                upgrade(connection)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, SQLAlchemyError) as error:
        if is_unavailable(error):
            raise
        why = str(getattr(error, "orig", None) or error).strip().splitlines() or [type(error).__name__]
        raise BackupError(f"{path}: damaged, nothing was changed: {why[0][:200]}") from error
    return rows


@dataclass(frozen=True, slots=True)
class Verified:
    """A backup that was restored into a scratch database and read again."""

    rows: int
    tables: int
    revision: str
    is_same: bool  # row for row; else it is of an older version, and only the numbers of rows were compared


def verify_backup(path: Path) -> Verified:
    """Restore a backup into a scratch database and compare; BackupError says what is wrong."""
    shape = _read_whole(path)
    with TemporaryDirectory(prefix="judge-verify-") as folder:
        scratch = Database(f"sqlite:///{folder}/scratch.sqlite3")
        try:
            rows = restore_backup(scratch, path)
            now = revision(scratch)
            again = Counter(
                _fingerprints(line for line in _lines(scratch, datetime.now(UTC)) if "row" in line)
            )
        finally:
            scratch.close()
    written = Counter(_fingerprints(line for line in _read(path) if "row" in line))
    tables = {table for table, _ in written}
    if shape != now:
        return Verified(rows, len(tables), shape, is_same=False)
    if written != again:
        lost, new = (written - again).total(), (again - written).total()
        raise BackupError(f"{path}: {lost} rows were not found again as they are, {new} others were")
    return Verified(rows, len(tables), shape, is_same=True)


def _fingerprints(lines: Iterable[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for line in lines:
        yield line["table"], hashlib.sha256(json.dumps(line["row"], sort_keys=True).encode()).hexdigest()


def _read_whole(path: Path) -> str:
    """Read the file to its end before anything changes; returns its revision."""
    try:
        lines = _read(path)
        head = next(lines, {})
        if head.get("judge-backup") != FORMAT:
            raise BackupError(f"{path}: not a backup that judge made")
        count, last = 0, head
        for last in lines:
            count += "row" in last
    except (OSError, EOFError, ValueError, zlib.error, AttributeError, TypeError, RecursionError) as error:
        raise BackupError(f"{path}: cannot be read as a backup: {error}") from error
    if last.get("rows") != count or not isinstance(head.get("revision"), str):
        raise BackupError(f"{path}: the file is not complete")
    return str(head["revision"])


def _read(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _clear(connection: Connection) -> None:
    metadata = MetaData()
    metadata.reflect(connection)
    metadata.drop_all(connection)


def _fill(connection: Connection, path: Path) -> int:
    tables, count = _tables(connection), 0
    lines = (line for line in _read(path) if "row" in line)
    with _without_foreign_keys(connection):
        for name, group in groupby(lines, key=lambda line: line["table"]):
            table = tables[name]
            while part := [_typed(table, line["row"]) for line in islice(group, 500)]:
                connection.execute(insert(table), part)
                count += len(part)
    _continue_numbering(connection, tables.values())
    return count


def _typed(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    return {key: _value(table.c[key].type, value) for key, value in row.items()}


def _value(kind: TypeEngine[Any], value: Any) -> Any:
    if value is None:
        return null() if isinstance(kind, JSON) else None  # otherwise it would become JSON's null
    if isinstance(kind, DateTime):
        moment = datetime.fromisoformat(value)
        return moment if kind.timezone else moment.replace(tzinfo=None)
    if isinstance(kind, Date):
        return date.fromisoformat(value)
    return base64.b64decode(value) if isinstance(kind, LargeBinary) else value


@contextmanager
def _without_foreign_keys(connection: Connection) -> Iterator[None]:
    """Allow rows in any order: drop PostgreSQL's foreign keys and put them back, which checks them all.
    SQLite checks its own at the end of the schema change."""
    if connection.dialect.name == "sqlite":
        yield
        return
    foreign_keys = connection.execute(
        text(
            "SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid)"
            " FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace"
        )
    ).all()
    for table, name, _ in foreign_keys:
        connection.execute(text(f"ALTER TABLE {table} DROP CONSTRAINT {name}"))
    yield
    for table, name, definition in foreign_keys:
        connection.execute(text(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}"))


def _continue_numbering(connection: Connection, tables: Iterable[Table]) -> None:
    """Set PostgreSQL's sequences to go on after the highest restored id."""
    if connection.dialect.name == "sqlite":
        return
    for table in tables:
        for column in table.primary_key:
            name = text("SELECT pg_get_serial_sequence(quote_ident(:table), :column)")
            if connection.scalar(name, {"table": table.name, "column": column.name}):
                highest = connection.scalar(select(func.max(column)))
                if highest is not None:
                    move = text(
                        "SELECT setval(pg_get_serial_sequence(quote_ident(:table), :column), :highest)"
                    )
                    values = {"table": table.name, "column": column.name, "highest": highest}
                    connection.execute(move, values)
