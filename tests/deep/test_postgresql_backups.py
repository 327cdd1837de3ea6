"""The ways of docs/operate.md to back up a PostgreSQL database, with the commands that stand there: a dump,
and going back to a moment (base backup and write-ahead log).
"""

import os
import re
import shlex
import shutil
import subprocess
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlmodel import select

from judge.storage.database import Database
from judge.storage.migrate import migrate
from judge.storage.tables import Event, Player
from tests.builders import NOW, make_event, make_players

DOCS = Path(__file__).parents[2] / "docs" / "operate.md"


def commands(heading):
    """The commands under a heading of docs/operate.md."""
    text = DOCS.read_text(encoding="utf-8").split(f"**{heading}.**", 1)[1]
    return [line.split("  #")[0].strip() for line in text.split("```")[1].strip().splitlines() if line]


class Postgres:
    """Runs documented commands against a server of the test's, as the user that owns its files."""

    def __init__(self, server, folder):
        self.server, self.folder = server, folder
        self.archive = folder / "archive"
        for path in (folder, self.archive):
            path.mkdir(exist_ok=True)
            path.chmod(0o777)

    def run(self, command, **names):
        for name, value in names.items():
            command = command.replace(name, str(value))
        socket = re.search(r"host=([^&]+)", self.server.get_uri())[1].replace("%2F", "/")
        environ = {**os.environ, "PATH": f"{self.server.bin_path}:{os.environ['PATH']}", "PGHOST": socket,
                   "PGUSER": "postgres", "HOME": str(self.folder)}  # fmt: skip
        done = subprocess.run(
            ["bash", "-euc", command], env=environ, cwd=self.folder, user=self.server.system_user,
            capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout


@pytest.fixture
def postgres(postgresql_server):
    folder = Path(f"{postgresql_server.pgdata}-files")
    yield Postgres(postgresql_server, folder)
    shutil.rmtree(folder, ignore_errors=True)


def url_of(postgres, name="judge"):
    return postgres.server.get_uri(database=name, driver="psycopg")


def filled(postgres, tmp_path):
    postgres.run("createdb judge")
    database = Database(url_of(postgres))
    migrate(database, tmp_path)
    with database.transaction() as session:
        make_players(session, make_event(session), 40)
    return database


def players(url):
    database = Database(url)
    with database.session() as session:
        names = sorted(player.name for player in session.exec(select(Player)))
    database.close()
    return names


def test_a_dump_restores_everything(postgres, tmp_path):
    database = filled(postgres, tmp_path)
    before = players(url_of(postgres))
    dump, *restore = commands("PostgreSQL dumps")
    postgres.run(dump)
    with database.transaction() as session:
        session.delete(session.exec(select(Event)).one())
    database.close()
    for command in restore:
        postgres.run(command)

    assert len(before) == 40
    assert players(url_of(postgres)) == before


def test_the_database_goes_back_to_a_moment(postgres, tmp_path):
    database = filled(postgres, tmp_path)
    switch_on, base, restore, target, start = commands("Back to a moment")
    names = {"/srv/archive": postgres.archive, "/srv/base": postgres.folder / "base",
             "/var/lib/postgresql/data": postgres.server.pgdata}  # fmt: skip
    postgres.run(switch_on, **names)
    postgres.server.stop()
    postgres.server.ensure_postgres_running()
    postgres.run(base, **names)
    with database.transaction() as session:
        event = session.exec(select(Event)).one()
        session.add(Player(event_id=event.id, name="Zoe", created_at=NOW))
    before = players(url_of(postgres))
    time.sleep(1.1)
    moment = datetime.now(UTC)
    time.sleep(1.1)
    with database.transaction() as session:
        session.delete(session.exec(select(Event)).one())
    database.close()
    assert players(url_of(postgres)) == []
    postgres.run("psql -c 'SELECT pg_switch_wal()' judge")
    postgres.run("pg_ctl -D /var/lib/postgresql/data -w stop", **names)
    postgres.run(restore, **names)
    postgres.run(target.replace("2026-03-14 20:15:00+01", moment.isoformat()), **names)
    assert shlex.split(start)[0] == "pg_ctl"
    for lock in postgres.server.pgdata.glob(".s.*"):  # only here sockets lie among the data
        lock.unlink()
    postgres.server.ensure_postgres_running()
    wait_until_open(url_of(postgres))

    assert "Zoe" in before
    assert players(url_of(postgres)) == before


def wait_until_open(url):
    """Until the log has been replayed and the server takes writes again."""
    for _ in range(100):
        database = Database(url)
        try:
            with database.engine.connect() as connection:
                if connection.exec_driver_sql("SELECT pg_is_in_recovery()").scalar() is False:
                    return
        except Exception as error:
            print(error)
        finally:
            database.close()
        time.sleep(0.2)
    raise AssertionError("PostgreSQL did not finish its recovery")
