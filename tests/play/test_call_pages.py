"""Calling a judge: from a player's page or a table's code, answered from the desk."""

import re
from datetime import timedelta

import pytest
from sqlmodel import select

from judge.services.accounts.accounts import make_token
from judge.storage.rulings import JudgeCall
from judge.storage.tables import Match
from tests.builders import make_event, make_players, make_round, make_staff

DESK = "/e/autumn-throne/desk"


@pytest.fixture
def hall(app, sign_in):
    """Two tables, two judges and a scorekeeper; hall.me and hall.table are private addresses."""
    app.config["WTF_CSRF_ENABLED"] = False
    database = app.extensions["judge.database"]

    class Hall:
        def __init__(self):
            with database.transaction() as session:
                event = make_event(session)
                people = make_players(session, event, 4)
                make_round(session, event, [(people[0], people[1]), (people[2], people[3])])
                match = session.exec(select(Match).order_by(Match.table_no)).first()
                secret = str(app.secret_key)
                self.me = f"/me/{make_token(secret, 'player', people[0].id, 1)}"
                self.table = f"/table/{make_token(secret, 'table', match.id, 1)}"
                staff = {
                    "dana": make_staff(session, event, "judge", "dana"),
                    "emil": make_staff(session, event, "judge", "emil"),
                    "sam": make_staff(session, event, "scorekeeper", "sam"),
                }
                self.dana, self.emil, self.sam = (
                    sign_in(app.test_client(), staff[name]) for name in ("dana", "emil", "sam")
                )
            self.player = app.test_client()

        def calls(self):
            with database.session() as session:
                return session.exec(select(JudgeCall).order_by(JudgeCall.id)).all()

        def call(self, **form):
            return self.player.post(f"{self.me}/call", data=form)

        def age(self, minutes):
            """As if the open call had been made that long ago."""
            with database.transaction() as session:
                for call in session.exec(select(JudgeCall)):
                    call.called_at -= timedelta(minutes=minutes)

    return Hall()


def text(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def test_a_player_calls_and_is_told_when_a_judge_comes(hall):
    hall.call(note="How much damage?")
    waiting = text(hall.player.get(f"{hall.me}/call").text)
    hall.dana.post(f"{DESK}/calls/1/claim")
    coming = text(hall.player.get(f"{hall.me}/call?part=1").text)

    assert "The judges have been called." in waiting
    assert "How much damage?" in waiting
    assert "A judge is coming: Dana" in coming
    assert "<html" not in hall.player.get(f"{hall.me}/call?part=1").text


def test_the_players_own_page_has_the_button_and_says_who_is_coming(hall):
    before = hall.player.get(hall.me).text
    hall.call()
    called = text(hall.player.get(hall.me).text)
    hall.dana.post(f"{DESK}/calls/1/claim")
    coming = text(hall.player.get(hall.me).text)

    assert f"{hall.me}/call" in before
    assert "The judges have been called." in called
    assert "A judge is coming: Dana" in coming


def test_one_table_has_one_open_call(hall):
    hall.call(note="first")
    hall.player.post(f"{hall.table}/call?side=b", data={"note": "second"})

    assert [call.note for call in hall.calls()] == ["first"]


def test_the_code_of_a_table_calls_as_well_and_says_who(hall):
    hall.player.post(f"{hall.table}/call?side=b", data={})

    assert hall.calls()[0].called_by == "Ben"
    assert "/call?side=b" in hall.player.get(f"{hall.table}?side=b").text


def test_the_queue_shows_the_oldest_first_and_the_tab_counts(hall):
    hall.call(note="mine")
    page = text(hall.sam.get(f"{DESK}/calls").text)

    assert "Ana – Ben" in page
    assert "called by Ana" in page
    assert "1 call waiting" in page
    assert "1 call waiting" in text(hall.sam.get(f"{DESK}/calls/count").text)
    assert "1 call waiting" in text(hall.sam.get(f"{DESK}/log").text)


def test_of_two_judges_who_claim_at_once_one_is_told(hall):
    hall.call()
    first = hall.dana.post(f"{DESK}/calls/1/claim")
    again = hall.dana.post(f"{DESK}/calls/1/claim")
    second = hall.emil.post(f"{DESK}/calls/1/claim")

    assert (first.status_code, again.status_code, second.status_code) == (302, 302, 409)
    assert "Dana is going there already." in text(second.text)
    assert hall.calls()[0].claimed_by == "Dana"


def test_a_released_call_waits_again(hall):
    hall.call()
    hall.dana.post(f"{DESK}/calls/1/claim")
    hall.dana.post(f"{DESK}/calls/1/release")
    hall.emil.post(f"{DESK}/calls/1/claim")

    assert hall.calls()[0].claimed_by == "Emil"


def test_the_minutes_taken_become_the_tables_extension_with_one_click(hall, app):
    hall.call()
    hall.dana.post(f"{DESK}/calls/1/claim")
    hall.age(6)
    page = hall.dana.get(f"{DESK}/calls").text
    minutes = re.search(r'name="minutes" value="(\d+)"', page)[1]
    hall.dana.post(f"{DESK}/calls/1/resolve", data={"minutes": minutes})
    with app.extensions["judge.database"].session() as session:
        match = session.exec(select(Match).order_by(Match.table_no)).first()

    assert minutes == "7"  # a begun minute counts
    assert match.extension_s == 420
    assert hall.calls()[0].state == "resolved"
    assert "extra time: 7 min" in text(hall.dana.get(f"{DESK}/calls").text)


def test_the_minutes_can_be_given_later_and_are_not_doubled_by_a_second_click(hall, app):
    hall.call()
    hall.age(3)
    hall.dana.post(f"{DESK}/calls/1/resolve")
    for _ in range(2):
        hall.dana.post(f"{DESK}/calls/1/extend", data={"minutes": "4"})
    with app.extensions["judge.database"].session() as session:
        match = session.exec(select(Match).order_by(Match.table_no)).first()

    assert match.extension_s == 240


def test_a_player_takes_the_call_back_before_a_judge_comes_and_not_after(hall):
    hall.call()
    hall.call(what="withdraw")
    hall.call()
    hall.dana.post(f"{DESK}/calls/2/claim")
    answer = hall.player.post(f"{hall.me}/call", data={"what": "withdraw"}, follow_redirects=True)

    assert [call.state for call in hall.calls()] == ["withdrawn", "claimed"]
    assert "Dana is going there already." in text(answer.text)


def test_a_scorekeeper_sees_the_queue_and_a_judge_answers_it(hall):
    hall.call()

    assert "I am going" not in hall.sam.get(f"{DESK}/calls").text
    assert hall.sam.post(f"{DESK}/calls/1/claim").status_code == 403


def test_resolving_can_be_taken_back_from_the_log(hall):
    hall.call()
    hall.dana.post(f"{DESK}/calls/1/resolve")
    page = hall.dana.get(f"{DESK}/log").text
    entry = re.search(r"/log/(\d+)/undo", page)[1]
    hall.dana.post(f"{DESK}/log/{entry}/undo")

    assert hall.calls()[0].state == "waiting"
    assert "Resolved the call of table 1 (Ana – Ben, round 1)" in text(page)


def test_somebody_without_a_table_is_sent_to_the_desk(hall, app):
    with app.extensions["judge.database"].transaction() as session:
        for match in session.exec(select(Match)):
            session.delete(match)

    assert "at no table" in hall.player.get(f"{hall.me}/call").text
