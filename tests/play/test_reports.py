"""Players report for themselves: equal reports settle, different ones wait for the staff."""

import pytest
from sqlmodel import select

from judge.core.errors import Conflict, Refused
from judge.services.play.outcomes import Outcome
from judge.services.play.reports import match_to_report, report
from judge.services.play.results import Doubtful, correct, enter, take_back_last
from judge.services.play.running_tables import tables_now
from judge.storage.database import Database
from judge.storage.tables import AuditRow, Match
from tests.builders import DESK, NOW, make_event, make_players, make_round

WON = Outcome("a", None, 22, 0)


@pytest.fixture
def table(database: Database):
    with database.transaction() as session:
        event = make_event(session)
        ana, ben = make_players(session, event, 2)
        make_round(session, event, [(ana, ben)])
        yield session, event, session.exec(select(Match)).one()


def test_two_equal_reports_are_the_result(table):
    session, event, match = table

    assert report(session, event, match.id, "b", WON, NOW).result == "waiting"
    assert match.result is None
    assert report(session, event, match.id, "a", WON, NOW).result == "settled"
    assert (match.result, match.health_a) == ("a", 22)
    entry = session.exec(select(AuditRow).order_by(AuditRow.id.desc())).first()
    assert (entry.what, entry.actor) == ("result.agreed", "Ana")


def test_different_reports_are_shown_to_the_staff_first(table):
    session, event, match = table
    report(session, event, match.id, "a", WON, NOW)
    assert report(session, event, match.id, "b", Outcome("b", None, 0, 22), NOW).result == "disputed"

    (shown,) = tables_now(session, event, NOW)
    assert shown.is_disputed
    enter(session, event, DESK, match.id, WON)
    assert match.result == "a"


def test_who_was_mistaken_reports_again(table):
    session, event, match = table
    report(session, event, match.id, "a", Outcome("b", None, 0, 22), NOW)
    report(session, event, match.id, "b", WON, NOW)

    assert report(session, event, match.id, "a", WON, NOW).result == "settled"


def test_a_settled_result_is_not_reported_away(table):
    session, event, match = table
    enter(session, event, DESK, match.id, WON)

    assert report(session, event, match.id, "a", WON, NOW).result == "settled"
    with pytest.raises(Conflict) as refused:
        report(session, event, match.id, "b", Outcome("b", None, 0, 22), NOW)
    assert refused.value.reasons[0].key == "report_too_late"


def test_a_player_finds_the_match_that_is_open(table):
    session, event, match = table
    (ana, _) = make_players(session, event, 2)

    assert match_to_report(session, ana) is None
    match.a_id = ana.id
    session.flush()
    assert match_to_report(session, ana).id == match.id


def test_entering_the_same_twice_is_no_conflict_and_no_second_entry(table):
    session, event, match = table
    enter(session, event, DESK, match.id, WON)

    assert enter(session, event, DESK, match.id, WON).entry is None
    with pytest.raises(Conflict):
        enter(session, event, DESK, match.id, Outcome("b", None, 0, 4))


def test_a_doubtful_result_is_entered_when_it_is_meant(table):
    session, event, match = table
    with pytest.raises(Doubtful):
        enter(session, event, DESK, match.id, Outcome("a", None, 22, 5))

    enter(session, event, DESK, match.id, Outcome("a", None, 22, 5), is_sure=True)
    assert match.health_b == 5


def test_a_correction_needs_a_reason_and_the_version_it_saw(table):
    session, event, match = table
    enter(session, event, DESK, match.id, WON)
    other = Outcome("b", None, 0, 22)
    with pytest.raises(Refused) as refused:
        correct(session, event, DESK, match.id, match.version, other, " ")
    assert refused.value.reasons[0].key == "correction_needs_reason"
    with pytest.raises(Conflict) as stale:
        correct(session, event, DESK, match.id, match.version - 1, other, "misread")
    assert stale.value.reasons[0].params["now"].params["detail"] == "22–0"

    correct(session, event, DESK, match.id, match.version, other, "misread")
    assert match.result == "b"


def test_the_last_entry_is_taken_back_but_not_somebody_elses(table):
    session, event, match = table
    enter(session, event, DESK, match.id, WON)
    with pytest.raises(Refused):
        take_back_last(session, event, type(DESK)("Lou", 77))

    entry = session.exec(select(AuditRow)).one()
    entry.account_id = "77"
    take_back_last(session, event, type(DESK)("Lou", 77))
    assert match.result is None
