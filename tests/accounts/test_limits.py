"""Limits on what somebody without an account may do."""

from datetime import timedelta

import pytest
from sqlmodel import select

from judge.core.errors import Refused
from judge.services.accounts.limits import MOST, WINDOW, count_visit
from judge.services.dispute.case import Case
from judge.services.dispute.kept_rulings import keep
from judge.services.log.changes import Actor
from judge.storage.backup import restore_backup, write_backup
from judge.storage.tables import AnonymousVisit, SignInAttempt
from tests.builders import NOW, make_staff


def visit(database, times, address="192.0.2.1", at=NOW, what="ruling"):
    with database.transaction() as session:
        for _ in range(times):
            count_visit(session, what, address, at)


def test_one_visit_too_many_from_an_address_is_refused(database):
    visit(database, MOST["ruling"])

    with pytest.raises(Refused):
        visit(database, 1)


def test_another_address_and_another_kind_of_visit_count_for_themselves(database):
    visit(database, MOST["ruling"])

    visit(database, 1, address="192.0.2.2")
    visit(database, 1, what="table")


def test_visits_are_forgotten_after_a_while(database):
    visit(database, MOST["ruling"])

    visit(database, 1, at=NOW + WINDOW + timedelta(seconds=1))
    with database.transaction() as session:
        assert len(session.exec(select(AnonymousVisit)).all()) == 1


def test_a_visit_is_no_failed_sign_in(database):
    visit(database, 3)

    with database.transaction() as session:
        assert session.exec(select(SignInAttempt)).all() == []
        assert len(session.exec(select(AnonymousVisit)).all()) == 3


def test_a_backup_carries_the_visits(database, tmp_path):
    visit(database, 3)
    file = write_backup(database, tmp_path)
    visit(database, 2)
    restore_backup(database, file)

    with database.transaction() as session:
        assert len(session.exec(select(AnonymousVisit)).all()) == 3


def test_a_ruling_of_nobody_has_a_size_and_one_of_an_account_has_not(database):
    blow = {"by": "A", "activate": "x", "on": "B", "effects": [{"deal": 1}]}
    table = {"game": "dice-throne", "edition": "fr-2.2", "players": [{"id": "A"}, {"id": "B"}]}
    with database.transaction() as session:
        number = make_staff(session, None, "judge").id
        keep(session, Case(table | {"events": [blow] * 100}), NOW, actor=Actor("Nobody"))
        keep(session, Case(table | {"events": [blow] * 800}), NOW, actor=Actor("Jo", number))
        with pytest.raises(Refused, match="ruling_too_large"):
            keep(session, Case(table | {"events": [blow] * 800}), NOW, actor=Actor("Nobody"))
