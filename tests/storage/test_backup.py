"""Backups: the whole database in one file, restored whole or not at all, on either database."""

import gzip
import re

import pytest
from sqlmodel import select

from judge.storage.backup import BackupError, holds_data, restore_backup, write_backup
from judge.storage.database import Database
from judge.storage.migrate import migrate
from judge.storage.tables import AuditRow
from tests.storage.test_database import NOON, row


def fill(database):
    """Two rows, the first of which points at the second."""
    with database.transaction() as session:
        first = row(after={"name": "Ёж", "health": [1, None]})
        second = row(actor="Ben", why="entered twice")
        session.add_all([first, second])
        session.flush()
        first.undone_by = second.id


def rows(database):
    with database.session() as session:
        return [entry.model_dump() for entry in session.exec(select(AuditRow).order_by(AuditRow.id))]


def test_what_was_backed_up_comes_back_and_what_came_later_goes(database, tmp_path):
    fill(database)
    before = rows(database)
    file = write_backup(database, tmp_path / "backups")
    with database.transaction() as session:
        session.add(row(actor="Dov"))

    assert restore_backup(database, file) == 2
    assert rows(database) == before
    assert before[0]["at"] == NOON


def test_numbers_go_on_after_a_restore(database, tmp_path):
    fill(database)
    restore_backup(database, write_backup(database, tmp_path))
    with database.transaction() as session:
        session.add(row(actor="Eva"))

    assert [entry["id"] for entry in rows(database)] == [1, 2, 3]


def test_a_backup_moves_from_sqlite_to_postgresql_and_back(tmp_path, postgresql_url):
    laptop = Database(f"sqlite:///{tmp_path / 'laptop.sqlite3'}")
    hall = Database(postgresql_url)
    for database in (laptop, hall):
        migrate(database, tmp_path)
    fill(laptop)
    before = rows(laptop)

    restore_backup(hall, write_backup(laptop, tmp_path, "there"))
    assert rows(hall) == before
    restore_backup(laptop, write_backup(hall, tmp_path, "back"))
    assert rows(laptop) == before
    laptop.close()
    hall.close()


def damaged(file, how):
    text = gzip.decompress(file.read_bytes()).decode()
    lines = text.splitlines(keepends=True)
    changed = {
        "cut short": lambda: gzip.compress("".join(lines[:-1]).encode()),
        "cut in the middle": lambda: file.read_bytes()[:-30],
        "not a backup": lambda: gzip.compress(b'{"hello": 1}\n'),
        "not compressed": lambda: b"SQLite format 3\0",
        "from a newer judge": lambda: gzip.compress(
            re.sub('"revision": "[^"]*"', '"revision": "8888_new"', text).encode()
        ),
        "pointing nowhere": lambda: gzip.compress(text.replace('"undone_by": 2', '"undone_by": 77').encode()),
        "empty": lambda: b"",
    }[how]()
    path = file.with_name("damaged.judge.gz")
    path.write_bytes(changed)
    return path


@pytest.mark.parametrize(
    "how",
    ["cut short", "cut in the middle", "not a backup", "not compressed", "from a newer judge", "empty"],
)
def test_a_damaged_backup_changes_nothing(database, tmp_path, how):
    fill(database)
    before = rows(database)
    file = damaged(write_backup(database, tmp_path), how)

    with pytest.raises(BackupError):
        restore_backup(database, file)
    assert rows(database) == before


def test_a_backup_whose_rows_point_nowhere_changes_nothing(database, tmp_path):
    fill(database)
    before = rows(database)
    file = damaged(write_backup(database, tmp_path), "pointing nowhere")

    with pytest.raises(Exception, match=r"point nowhere|foreign key"):
        restore_backup(database, file)
    assert rows(database) == before


def test_the_commands_back_up_and_restore_and_keep_what_was_there(database, tmp_path, judge):
    url = database.url.render_as_string(hide_password=False)
    fill(database)
    file = tmp_path / "mine.judge.gz"

    made = judge("backup", str(file), DATABASE_URL=url)
    assert made.communicate()[0].strip() == str(file)
    again = judge("backup", str(file), DATABASE_URL=url)
    assert "exists already" in again.communicate()[0]
    refused = judge("restore", str(file), DATABASE_URL=url)
    assert "--replace" in refused.communicate()[0]
    restored = judge("restore", "--replace", str(file), DATABASE_URL=url)
    said = restored.communicate()[0]

    assert (made.returncode, again.returncode, refused.returncode, restored.returncode) == (0, 2, 2, 0)
    assert "2 rows restored" in said
    assert list((tmp_path / "instance" / "backups").glob("*-replaced.judge.gz"))
    assert holds_data(database)
