"""A database of release 0.1.0 with data becomes one of today, and goes back from the backup made before."""

import gzip
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlmodel import select

from judge.services.accounts.signing_in import check_password
from judge.services.log.chain import walk
from judge.services.log.changes import changing
from judge.storage.backup import restore_backup, verify_backup
from judge.storage.database import Database
from judge.storage.migrate import migrate, newest_revision, revision
from judge.storage.tables import Event, Invite, Match, Player, TableDraft
from tests.builders import DESK

RELEASE = Path(__file__).parent / "release-0.1.0.sqlite3.gz"
COUNTS = {"player": 24, "match": 36, "audit": 48, "invite": 1, "table_draft": 1, "account": 1}


@pytest.fixture
def old(tmp_path):
    file = tmp_path / "judge.sqlite3"
    file.write_bytes(gzip.decompress(RELEASE.read_bytes()))
    database = Database(f"sqlite:///{file}")
    yield database
    database.close()


def counts(database):
    with database.engine.connect() as connection:
        return {name: connection.execute(text(f"SELECT COUNT(*) FROM {name}")).scalar() for name in COUNTS}


def test_a_database_of_the_release_is_upgraded_with_everything_in_it(old, tmp_path):
    assert revision(old) == "0007_names_in_kept_rulings"
    done = migrate(old, tmp_path / "backups")

    assert done.after == newest_revision()
    assert done.backup
    assert counts(old) == COUNTS
    with old.session() as session:
        assert check_password(session, "ana", "correct horse")
        tokens = [session.exec(select(model.token)).one() for model in (Invite, TableDraft)]
        assert min(map(len, tokens)) >= 24
        assert walk(session).older == COUNTS["audit"]
    with old.transaction() as session:
        event, player = session.exec(select(Event)).one(), session.exec(select(Player)).first()
        with changing(session, event, DESK, "player.changed", player):
            player.club = "after the upgrade"
        session.flush()
        assert walk(session).broken_at is None
        assert len(session.exec(select(Match)).all()) == COUNTS["match"]


def test_the_backup_made_before_leads_back_and_to_postgresql(old, tmp_path, postgresql_url):
    backup = migrate(old, tmp_path / "backups").backup
    with old.transaction() as session:
        session.execute(text("UPDATE player SET name = 'changed later'"))
    restore_backup(old, backup)
    hall = Database(postgresql_url)
    restore_backup(hall, backup)

    for database in (old, hall):
        assert revision(database) == newest_revision()
        assert counts(database) == COUNTS
        with database.session() as session:
            assert not session.exec(select(Player).where(Player.name == "changed later")).all()
    hall.close()
    assert verify_backup(backup).rows >= sum(COUNTS.values())
