"""After a change the public rows are brought up to date by the log; they are as if they were read afresh."""

import pytest
from sqlalchemy import text
from sqlmodel import select

from judge.services.log.changes import changing, note, undo
from judge.services.play.outcomes import Outcome
from judge.services.play.results import correct, enter
from judge.services.players.erasure import erase_player
from judge.services.players.players import drop_player
from judge.services.public.read_models import find_stamp
from judge.services.public.standings import read_everybody
from judge.storage.audit import AuditRow
from judge.storage.database import Database
from judge.storage.reader import Reader, reading
from judge.storage.tables import Event, Match, Player
from tests.builders import DESK, make_event, make_players, make_round

WON = Outcome("a", None, 9, 0)


def _set(session, event, row, **values):
    with changing(session, event, DESK, "match.changed", row):
        for name, value in values.items():
            setattr(row, name, value)


def _tables_swapped(session, event, matches, _players):
    with changing(session, event, DESK, "round.tables", matches[0]):
        matches[0].table_no, matches[3].table_no = matches[3].table_no, matches[0].table_no


def _newest(session):
    return session.exec(select(AuditRow.id).order_by(AuditRow.id.desc())).first()


def _result_and_correction(session, event, matches, _players):
    enter(session, event, DESK, matches[0].id, WON)
    correct(session, event, DESK, matches[0].id, matches[0].version, Outcome("b", None, 0, 3), "read wrongly")


def _result_taken_back(session, event, matches, _players):
    enter(session, event, DESK, matches[0].id, WON)
    undo(session, event, _newest(session), DESK)


def _another_round(session, event, _matches, players):
    with changing(session, event, DESK, "round.published", event):
        make_round(session, event, [(players[0], players[2]), (players[1], None)], number=2)


def _match_taken_out(session, event, matches, _players):
    with changing(session, event, DESK, "round.paired-again", event):
        session.delete(matches[1])


CHANGES = {
    "a result": lambda s, e, m, p: enter(s, e, DESK, m[1].id, WON),
    "a result and a correction": _result_and_correction,
    "many results": lambda s, e, m, p: [enter(s, e, DESK, one.id, WON) for one in m],
    "a result taken back": _result_taken_back,
    "a selection": lambda s, e, m, p: _set(s, e, m[2], selection={"picks": {"a": "monk"}}),
    "a report": lambda s, e, m, p: _set(s, e, m[2], reports={"a": {"result": "a"}}),
    "more time": lambda s, e, m, p: _set(s, e, m[2], extension_s=120),
    "other seats": lambda s, e, m, p: _set(s, e, m[0], a_id=p[1].id, b_id=p[0].id),
    "tables swapped": _tables_swapped,
    "a match taken out": _match_taken_out,
    "another round": _another_round,
    "a player left": lambda s, e, m, p: drop_player(s, e, DESK, p[0].id, p[0].version),
    "a new name": lambda s, e, m, p: _set(s, e, p[3], name="Zora"),
    "an erased name": lambda s, e, m, p: erase_player(s, e, DESK, p[3].id, p[3].version),
    "another setting": lambda s, e, m, p: _set(s, e, e, settings={"scoring": {"bye": 1}}),
    "a note": lambda s, e, m, p: note(s, e, DESK, "staff.password-link"),
}


@pytest.fixture
def hall(database):
    with database.transaction() as session:
        event = make_event(session)
        players = make_players(session, event, 8)
        make_round(session, event, list(zip(players[::2], players[1::2], strict=True)))
    _read(database)
    return database


def _read(database):
    with reading(database.engine) as reader:
        people = read_everybody(reader, find_stamp(reader, "autumn-throne"))
    return people.rows, people.names, people.games


def _change(database, what):
    with database.transaction() as session:
        event = session.exec(select(Event)).one()
        rows = [session.exec(select(table).order_by(table.id)).all() for table in (Match, Player)]
        CHANGES[what](session, event, *rows)


def _read_afresh(database):
    other = Database(database.url.render_as_string(hide_password=False))
    found = _read(other)
    other.close()
    return found


@pytest.mark.parametrize("what", CHANGES)
def test_rows_brought_up_to_date_are_as_if_read_afresh(hall, what):
    for change in (what, "a report"):
        _change(hall, change)

        assert _read(hall) == _read_afresh(hall)


def test_after_a_result_only_its_match_is_read(hall, monkeypatch):
    _change(hall, "a result")
    sent, fetch = [], Reader._fetch
    monkeypatch.setattr(
        Reader, "_fetch", lambda self, sql, given: sent.append(sql) or fetch(self, sql, given)
    )

    _read(hall)

    assert len(sent) == 3  # the version, the log since, the match


@pytest.mark.parametrize("versions", [-1, 3])
def test_another_database_in_its_place_is_read_whole(hall, versions):
    with hall.transaction() as session:
        session.execute(text(f"UPDATE event SET version = version + {versions}"))
        session.execute(text("UPDATE match SET result = 'b'"))

    assert _read(hall) == _read_afresh(hall)
