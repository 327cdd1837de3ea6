"""Backups: the whole database in one file, restored whole or not at all, on either database."""

import gzip
import json
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


ON_POSTGRESQL = ("unknown column", "missing column", "number too large", "points nowhere", "same row twice")
LONE = "half a character: \ud83d"


def test_half_a_character_in_a_text_does_not_stop_backups(database, tmp_path):
    """An older version stored such texts inside JSON on SQLite; PostgreSQL never took them."""
    fill(database)
    if database.is_sqlite:
        with database.engine.begin() as connection:
            odd = json.dumps({"note": LONE, "n": "a\0b"})
            connection.exec_driver_sql("UPDATE audit SET after = ?", (odd,))
        assert rows(database)[0]["after"]["note"] == LONE

    restore_backup(database, write_backup(database, tmp_path))

    if database.is_sqlite:
        assert rows(database)[0]["after"] == {"note": "half a character: ?", "n": "a\ufffdb"}


def test_a_backup_that_fails_leaves_nothing_behind(database, tmp_path, monkeypatch):
    fill(database)
    monkeypatch.setattr("judge.storage.backup._written", lambda line: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        write_backup(database, tmp_path / "backups")
    assert list((tmp_path / "backups").iterdir()) == []


def damages(lines):
    """The file with one thing wrong, by name."""
    head, first, last = json.loads(lines[0]), json.loads(lines[1]), json.loads(lines[-1])
    row = first["row"]

    def with_row(**changes):
        return [lines[0], json.dumps({**first, **changes}), *lines[2:]]

    yield "no revision", [json.dumps({"judge-backup": 1}), *lines[1:]]
    yield "revision is a number", [json.dumps({**head, "revision": 7}), *lines[1:]]
    yield "revision of nobody", [json.dumps({**head, "revision": "9999_nothing"}), *lines[1:]]
    yield "head is a list", ["[1]", *lines[1:]]
    yield "line is a number", [lines[0], "7", *lines[2:]]
    yield "line is null", [lines[0], "null", *lines[2:]]
    yield "deep line", [lines[0], "[" * 100_000, *lines[2:]]
    yield "no table", [lines[0], json.dumps({"row": row}), *lines[2:]]
    yield "unknown table", with_row(table="nowhere")
    yield "table is a list", with_row(table=[1])
    yield "row is null", with_row(row=None)
    yield "row is a word", with_row(row="word")
    yield "unknown column", with_row(row={**row, "mood": "calm"})
    yield "missing column", with_row(row={k: v for k, v in row.items() if k != "actor"})
    yield "no moment", with_row(row={**row, "at": "yesterday"})
    yield "moment is a number", with_row(row={**row, "at": 5})
    yield "number too large", with_row(row={**row, "id": 10**30})
    yield "points nowhere", with_row(row={**row, "undone_by": 4711})
    yield "id is a mapping", with_row(row={**row, "id": {}})
    yield (
        "same row twice",
        [lines[0], lines[1], lines[1], *lines[2:-1], json.dumps({"rows": last["rows"] + 1})],
    )
    yield "rows do not add up", [*lines[:-1], json.dumps({"rows": 7})]
    yield "end is missing", lines[:-1]


def test_a_damaged_backup_is_refused_in_a_sentence_and_changes_nothing(database, tmp_path):
    fill(database)
    before = rows(database)
    sound = gzip.decompress(write_backup(database, tmp_path).read_bytes())
    wrong = list(damages(sound.decode().splitlines()))
    if not database.is_sqlite:  # of those that end before the database is touched one is enough
        wrong = [each for each in wrong if each[0] in ON_POSTGRESQL]
    damaged = {name: gzip.compress("\n".join(lines).encode()) for name, lines in wrong}
    damaged["no gzip"] = sound
    damaged["cut off"] = gzip.compress(sound)[:-20]
    damaged["a byte wrong"] = gzip.compress(sound)[:60] + b"X" + gzip.compress(sound)[61:]
    file = tmp_path / "damaged.judge.gz"
    for name, content in damaged.items():
        file.write_bytes(content)
        with pytest.raises(BackupError) as caught:
            restore_backup(database, file)
        assert str(file) in str(caught.value), name
        assert "\n" not in str(caught.value), name
        assert rows(database) == before, name
