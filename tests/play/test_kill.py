"""A real server that is killed while results come in, and a backup taken meanwhile."""

import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from sqlmodel import select

from bench.hall import kill
from judge.services.log.changes import changing
from judge.storage.database import Database
from judge.storage.events import Event, Match
from judge.storage.migrate import migrate
from tests.builders import DESK, make_event, make_players, make_round


def test_what_was_acknowledged_is_there_after_kill_9():
    with ThreadPoolExecutor(1) as pool:  # a browser test in this process may have left its own loop running
        report = pool.submit(kill, players=40, after=8).result()

    assert len(report.acknowledged) >= 8
    assert (report.lost, report.doubled) == (0, 0)


def test_a_backup_taken_while_results_come_in_is_whole(tmp_path, judge):
    """Every result it holds has its log entry, and it holds all that was stored before it began."""
    instance = tmp_path / "instance"
    instance.mkdir()
    database = Database(f"sqlite:///{instance / 'judge.sqlite3'}")
    migrate(database, instance / "backups")
    with database.transaction() as session:
        event = make_event(session)
        people = make_players(session, event, 80)
        make_round(session, event, list(zip(people[::2], people[1::2], strict=True)))
    stop, stored = threading.Event(), [0]

    def write() -> None:
        for number in range(1, 41):
            with database.transaction() as session:
                event = session.exec(select(Event)).one()
                match = session.exec(select(Match).where(Match.table_no == number)).one()
                with changing(session, event, DESK, "result.entered", match):
                    match.result = "a"
            stored[0] = number
            if stop.wait(0.03):
                return

    writer = threading.Thread(target=write)
    writer.start()
    while stored[0] < 3:
        time.sleep(0.01)
    before = stored[0]
    with judge("backup", str(tmp_path / "copy.backup")) as done:
        output = done.communicate(timeout=60)[0]
    stop.set()
    writer.join()
    database.close()

    assert done.returncode == 0, output
    other = f"sqlite:///{tmp_path / 'other.sqlite3'}"
    with judge("restore", str(tmp_path / "copy.backup"), DATABASE_URL=other) as restored:
        output = restored.communicate(timeout=60)[0]
    assert restored.returncode == 0, output
    with closing(sqlite3.connect(tmp_path / "other.sqlite3")) as copy:
        results = copy.execute("select count(*) from match where result = 'a'").fetchone()[0]
        entries = copy.execute("select count(*) from audit where what = 'result.entered'").fetchone()[0]
    assert results == entries
    assert results >= before
