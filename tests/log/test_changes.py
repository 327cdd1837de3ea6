"""The log of an event: what a change wrote, what an undo puts back, and when it refuses."""

import pytest
from sqlmodel import select

from judge.core.errors import Conflict, Missing
from judge.services.log.changes import changing, undo
from judge.storage.database import Database
from judge.storage.tables import AuditRow, Match, Player
from tests.builders import DESK, make_event, make_players, make_round


def log(session):
    return session.exec(select(AuditRow).order_by(AuditRow.id)).all()


def test_a_change_is_logged_with_only_what_differs(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        (ana,) = make_players(session, event, 1)
        with changing(session, event, DESK, "player.renamed", ana, "typing mistake"):
            ana.name = "Anna"

        (entry,) = log(session)
        assert (entry.what, entry.actor, entry.why) == ("player.renamed", "Dana Desk", "typing mistake")
        assert entry.before == [{"table": "player", "id": ana.id, "row": {"name": "Ana"}}]
        assert entry.after == [{"table": "player", "id": ana.id, "row": {"name": "Anna"}}]
        assert event.version == 2


def test_a_block_that_changes_nothing_is_not_logged(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        (ana,) = make_players(session, event, 1)
        with changing(session, event, DESK, "player.renamed", ana):
            ana.name = "Ana"

        assert log(session) == []
        assert event.version == 1


def test_undo_puts_rows_back_and_can_itself_be_undone(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        ana, ben = make_players(session, event, 2)
        with changing(session, event, DESK, "round.paired"):
            make_round(session, event, [(ana, ben)])
        (paired,) = log(session)

        undone = undo(session, event, paired.id, DESK)
        assert session.exec(select(Match)).all() == []
        assert session.get(AuditRow, paired.id).undone_by == undone.entry

        undo(session, event, undone.entry, DESK)
        (match,) = session.exec(select(Match)).all()
        assert (match.a_id, match.b_id, match.table_no) == (ana.id, ben.id, 1)


def test_undo_leaves_alone_what_others_changed_in_other_columns(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        (ana,) = make_players(session, event, 1)
        with changing(session, event, DESK, "player.renamed", ana):
            ana.name = "Anna"
        with changing(session, event, DESK, "player.club", ana):
            ana.club = "Lyon"

        undo(session, event, log(session)[0].id, DESK)
        assert (ana.name, ana.club) == ("Ana", "Lyon")


def test_undo_refuses_what_was_changed_again(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        (ana,) = make_players(session, event, 1)
        for name in ("Anna", "Anne"):
            with changing(session, event, DESK, "player.renamed", ana):
                ana.name = name

        with pytest.raises(Conflict) as refused:
            undo(session, event, log(session)[0].id, DESK)
        assert refused.value.reasons[0].key == "changed_since"
        assert ana.name == "Anne"


def test_nothing_is_undone_twice_or_from_another_event(database: Database):
    with database.transaction() as session:
        event, other = make_event(session), make_event(session, slug="other")
        (ana,) = make_players(session, event, 1)
        with changing(session, event, DESK, "player.renamed", ana):
            ana.name = "Anna"
        (entry,) = log(session)

        with pytest.raises(Missing):
            undo(session, other, entry.id, DESK)
        undo(session, event, entry.id, DESK)
        with pytest.raises(Conflict):
            undo(session, event, entry.id, DESK)


def test_of_two_people_changing_one_row_at_once_one_is_refused(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        make_players(session, event, 1)
    with database.session() as first, database.session() as second:
        mine, theirs = first.exec(select(Player)).one(), second.exec(select(Player)).one()
        second.expunge(theirs)
        second.rollback()
        mine.name = "Anna"
        first.commit()
        first.rollback()

        event = second.get(type(event), theirs.event_id)
        second.add(theirs)
        with pytest.raises(Conflict), changing(second, event, DESK, "player.renamed", theirs):
            theirs.name = "Anne"
        second.rollback()
