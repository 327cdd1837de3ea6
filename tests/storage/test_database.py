"""The database behaves the same on SQLite and PostgreSQL: moments, JSON, transactions, foreign keys."""

import sqlite3
import threading
import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import create_engine, literal, text
from sqlalchemy import select as sa_select
from sqlalchemy.exc import IntegrityError, OperationalError, StatementError, TimeoutError
from sqlmodel import select

from judge.services.log.chain import add_to_chain
from judge.storage.database import WRITERS, Database, DatabaseUrlError, read_url
from judge.storage.migrate import migrate
from judge.storage.reader import Prepared, reading
from judge.storage.tables import AuditRow

NOON = datetime(2026, 5, 3, 12, 0, 0, 123456, tzinfo=UTC)


def row(**changes):
    values = {
        "at": NOON,
        "actor": "Ana",
        "what": "result.entered",
        "subject_kind": "match",
        "subject_id": "7",
    }
    return AuditRow(**{**values, **changes})


def test_a_commit_waits_for_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr("judge.storage.database.SYNCHRONOUS", "FULL")  # as it is outside the tests
    database = Database(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    database.make_file()
    with database.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    database.close()


def test_a_damaged_file_is_noticed(tmp_path):
    database = Database(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    migrate(database, tmp_path)
    assert database.damage() is None
    database.close()
    data = bytearray(database.file.read_bytes())
    data[8192:12288] = b"x" * 4096
    database.file.write_bytes(data)

    assert database.damage()
    database.close()


def write_later(database, times):
    """Threads that write as soon as they may, and what became of them."""
    done = []

    def write():
        began = time.monotonic()
        try:
            with database.transaction() as session:
                add_to_chain(session, row())
            done.append(("stored", time.monotonic() - began))
        except (TimeoutError, OperationalError):
            done.append(("refused", time.monotonic() - began))

    threads = [threading.Thread(target=write) for _ in range(times)]
    for thread in threads:
        thread.start()
    return threads, done


def test_when_writers_wait_the_next_is_told_at_once_and_readers_go_on(database):
    held = [database.session(writes=True) for _ in range(1 if database.is_sqlite else WRITERS)]
    for session in held:
        session.execute(text("SELECT 1"))
    waiting, stored = write_later(database, WRITERS - len(held))
    while database.writers < WRITERS:
        time.sleep(0.01)
    began = time.monotonic()
    with pytest.raises(TimeoutError), database.transaction() as session:
        session.execute(text("SELECT 1"))
    with database.session() as session:
        assert session.execute(text("SELECT 1")).scalar() == 1
    waited = time.monotonic() - began
    for session in held:
        session.close()
    for thread in waiting:
        thread.join()

    assert waited < 1
    assert [outcome for outcome, _ in stored] == ["stored"] * len(waiting)
    assert database.writers == 0


def test_writers_wait_for_one_of_ours_that_reads_in_a_large_event(database):
    with database.transaction() as session:
        add_to_chain(session, row())
        waiting, outcomes = write_later(database, 3)
        time.sleep(1.3 * database.busy_seconds)
    for thread in waiting:
        thread.join()

    assert [outcome for outcome, _ in outcomes] == ["stored"] * 3


def test_nobody_waits_long_for_a_file_that_another_process_has_locked(tmp_path):
    database = Database(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    migrate(database, tmp_path)
    other = sqlite3.connect(database.file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waiting, outcomes = write_later(database, WRITERS)
    for thread in waiting:
        thread.join()
    other.close()
    again, later = write_later(database, WRITERS)
    for thread in again:
        thread.join()
    database.close()

    assert [outcome for outcome, _ in outcomes] == ["refused"] * WRITERS
    assert max(seconds for _, seconds in outcomes) < 1
    assert [outcome for outcome, _ in later] == ["stored"] * WRITERS


def test_a_moment_comes_back_in_utc(database):
    paris = NOON.astimezone(timezone(timedelta(hours=2)))
    with database.transaction() as session:
        session.add(row(at=paris))

    with database.session() as session:
        assert session.exec(select(AuditRow.at)).one() == NOON
        assert session.exec(select(AuditRow.at)).one().tzinfo is UTC


def test_a_moment_without_a_time_zone_is_refused(database):
    with pytest.raises(StatementError, match="without a time zone"), database.transaction() as session:
        session.add(row(at=NOON.replace(tzinfo=None)))


def test_json_keeps_its_values_and_absence_is_null(database):
    with database.transaction() as session:
        session.add(row(before=None, after={"health": [22, 0], "name": "Émile Ёж"}))

    with database.session() as session:
        found = session.exec(select(AuditRow)).one()
        nulls = session.exec(select(AuditRow.id).where(AuditRow.before.is_(None))).all()
    assert found.after == {"health": [22, 0], "name": "Émile Ёж"}
    assert len(nulls) == 1


def test_a_transaction_that_fails_leaves_no_trace(database):
    def fail_half_way():
        with database.transaction() as session:
            session.add(row())
            session.flush()
            raise LookupError

    with pytest.raises(LookupError):
        fail_half_way()

    with database.session() as session:
        assert session.exec(select(AuditRow)).all() == []


def test_foreign_keys_hold(database):
    with pytest.raises(IntegrityError), database.transaction() as session:
        session.add(row(undone_by=99))


def test_sqlite_has_wal_foreign_keys_and_patience(database):
    if not database.is_sqlite:
        return
    with database.engine.connect() as connection:
        values = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys", "busy_timeout")
        ]

    assert values == ["wal", 1, 333]


@pytest.mark.parametrize("written", ["postgres://u@h/d", "postgresql://u@h/d", "postgresql+psycopg://u@h/d"])
def test_every_way_to_write_a_postgresql_address_uses_our_driver(written):
    assert str(read_url(written)) == "postgresql+psycopg://u@h/d"


@pytest.mark.parametrize("written", ["mysql://u@h/d", "nonsense", ""])
def test_other_addresses_are_refused_by_name(written):
    with pytest.raises(DatabaseUrlError, match="DATABASE_URL"):
        read_url(written)


@pytest.fixture
def pinged(postgresql_url):
    """A PostgreSQL database with one connection that was used a moment ago, and a list of questions whether
    a connection still works."""
    database = Database(postgresql_url)
    asked, ping = [], database.engine.dialect.do_ping
    database.engine.dialect.do_ping = lambda connection: asked.append(connection) or ping(connection)
    with database.engine.connect() as connection:
        connection.execute(text("SELECT 1"))
    yield database, asked
    database.close()


def test_a_connection_that_was_just_used_is_not_asked_whether_it_works(pinged):
    database, asked = pinged
    with database.engine.connect() as connection:
        assert connection.execute(text("SELECT 1")).scalar() == 1

    assert not asked


def test_a_connection_that_was_not_used_for_long_is_asked_whether_it_works(pinged, monkeypatch):
    database, asked = pinged
    monkeypatch.setattr("judge.storage.lost_connections.LONG_UNUSED", 0.0)
    with database.engine.connect() as connection:
        assert connection.execute(text("SELECT 1")).scalar() == 1

    assert len(asked) == 1


@pytest.mark.parametrize("way", ["writing", "reading"])
def test_a_connection_that_postgresql_has_closed_is_replaced(pinged, postgresql, way):
    database, asked = pinged
    admin = create_engine(postgresql, isolation_level="AUTOCOMMIT")
    ended = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = :name"
    with admin.connect() as connection:
        assert connection.execute(text(ended), {"name": database.url.database}).all() == [(True,)]
    admin.dispose()

    if way == "writing":
        with database.transaction() as session:
            assert session.execute(text("SELECT 1")).scalar() == 1
    else:
        with reading(database.engine) as reader:
            assert reader.rows(Prepared(sa_select(literal(1)))) == [(1,)]
    assert len(asked) == 1


def test_a_reader_begins_no_transaction(pinged):
    database, _ = pinged
    with reading(database.engine) as reader:
        reader.rows(Prepared(sa_select(literal(1))))
        status = reader._connection.driver_connection.info.transaction_status
    with database.transaction() as session:
        session.execute(text("SELECT 1"))
        begun = session.connection().connection.driver_connection.info.transaction_status

    assert (status.name, begun.name) == ("IDLE", "INTRANS")


def test_a_reader_that_lost_its_connection_leaves_no_trace(pinged):
    database, _ = pinged
    with reading(database.engine) as reader:
        reader._connection.driver_connection.close()
        with pytest.raises(OperationalError):
            reader.rows(Prepared(sa_select(literal(1))))
    with database.transaction() as session:
        session.execute(text("SELECT 1"))
        begun = session.connection().connection.driver_connection.info.transaction_status

    assert begun.name == "INTRANS"
    assert database.engine.pool.checkedout() == 0
