"""The log is a chain: nobody alters, inserts or takes out an entry unnoticed."""

import pytest
from sqlalchemy import text
from sqlmodel import select

from judge.services.event.events import delete_event
from judge.services.log.chain import walk
from judge.services.log.changes import changing, note_account, undo
from judge.services.players.erasure import erase_player
from judge.storage.accounts import Account
from judge.storage.backup import restore_backup, write_backup
from judge.storage.tables import AuditRow
from tests.builders import DESK, NOW, make_event, make_players

BENT = {
    "altered": "UPDATE audit SET actor = 'Somebody else' WHERE id = :n",
    "another why": "UPDATE audit SET why = 'because' WHERE id = :n",
    "another account": "UPDATE audit SET account_id = '7' WHERE id = :n",
    "another event": "UPDATE audit SET event_id = '7' WHERE id = :n",
    "another kind": "UPDATE audit SET what = 'result.corrected' WHERE id = :n",
    "taken out": "DELETE FROM audit WHERE id = :n",
    "without its link": "UPDATE audit SET link = NULL WHERE id = :n",
}


@pytest.fixture
def log(database):
    """An event with six entries, in an open transaction."""
    with database.transaction() as session:
        event = make_event(session)
        ana, *_ = make_players(session, event, 2)
        for n in range(5):
            with changing(session, event, DESK, "player.changed", ana, f"Ana Lopez asked, {n}"):
                ana.club, ana.heroes = f"Club {n}", [f"hero {n}", "Ёж"]
        note_account(session, Account(login="dana", name=DESK.name), "account.signed-in", NOW)
        session.flush()
        yield session, event, ana


def test_an_honest_log_is_whole(log):
    session, event, _ = log
    entry = session.exec(select(AuditRow).where(AuditRow.what == "player.changed")).all()[-1]
    undo(session, event, entry.id, DESK)
    found = walk(session)

    assert (found.entries, found.broken_at, found.older, found.erased) == (7, None, 0, 0)
    assert len(found.last) == 64


@pytest.mark.parametrize("how", BENT)
def test_a_bent_entry_is_found(log, how):
    session, *_ = log
    numbers = session.exec(select(AuditRow.id).order_by(AuditRow.id)).all()
    session.execute(text(BENT[how]), {"n": numbers[2]})
    session.expire_all()

    assert walk(session).broken_at in numbers[2:4]


def test_an_erased_name_leaves_the_chain_whole(log):
    session, event, ana = log
    erase_player(session, event, DESK, ana.id, ana.version)
    session.flush()
    found = walk(session)

    assert found.broken_at is None
    assert found.erased >= 5
    assert not any("Ana Lopez" in str(row.model_dump()) for row in session.exec(select(AuditRow)))


def test_the_log_of_a_deleted_event_stays_without_names(log):
    session, event, _ = log
    delete_event(session, event, DESK, event.name, NOW)
    found = walk(session)

    assert (found.broken_at, found.entries, found.erased) == (None, 7, 5)
    kept = session.exec(select(AuditRow).where(AuditRow.what == "player.changed")).all()
    assert {(row.actor, row.before, row.why) for row in kept} == {("", None, "")}


def test_the_chain_is_whole_after_a_restore(database, tmp_path):
    with database.transaction() as session:
        event = make_event(session)
        for player in make_players(session, event, 3):
            with changing(session, event, DESK, "player.changed", player):
                player.club = "Élan Ёж"
    restore_backup(database, write_backup(database, tmp_path))

    with database.session() as session:
        assert walk(session).broken_at is None
