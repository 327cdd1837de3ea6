"""The clock at the desk: every button, who may press it, and the equal-turns assistant."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import select

from judge.storage.events import Match, Round
from tests.builders import make_event, make_players, make_round, make_staff

DESK = "/e/autumn-throne/desk/clock"


@pytest.fixture
def desk(app, app_database):
    """desk(role): a client signed in; the event has a round with one table."""
    app.config["WTF_CSRF_ENABLED"] = False
    with app_database.transaction() as session:
        event = make_event(session)
        ana, ben = make_players(session, event, 2)
        make_round(session, event, [(ana, ben)])
        known = {
            role: [a.id, a.epoch]
            for role in ("scorekeeper", "judge")
            for a in [make_staff(session, event, role)]
        }

    def sign_in(role="judge"):
        client = app.test_client()
        with client.session_transaction() as cookie:
            cookie["account"] = known[role]
        return client

    return sign_in


def clock_of(app_database):
    with app_database.session() as session:
        return session.exec(select(Round)).one()


def press(client, app_database, do, **more):
    return client.post(DESK, data={"do": do, "version": clock_of(app_database).version, **more})


def test_start_pause_go_on_and_close(desk, app_database):
    client = desk()

    press(client, app_database, "start")
    assert clock_of(app_database).clock_phase == "setup"
    press(client, app_database, "begin")
    assert (clock_of(app_database).clock_phase, clock_of(app_database).clock_left) == ("round", 1800)
    press(client, app_database, "pause")
    assert clock_of(app_database).clock_from is None
    press(client, app_database, "resume")
    assert clock_of(app_database).clock_from is not None
    press(client, app_database, "close")
    assert clock_of(app_database).clock_phase == "over"


def test_minutes_are_added_and_taken_away(desk, app_database):
    client = desk()
    press(client, app_database, "start-round")
    press(client, app_database, "pause")
    left = clock_of(app_database).clock_left

    press(client, app_database, "add", minutes=5)
    press(client, app_database, "add", minutes=-1)

    assert clock_of(app_database).clock_left == left + 240


def test_a_clock_is_not_started_twice(desk, app_database):
    client = desk()
    seen = clock_of(app_database).version
    press(client, app_database, "start")

    assert client.post(DESK, data={"do": "start", "version": seen}).status_code == 409
    assert press(client, app_database, "start").status_code == 409


def test_two_who_press_at_once_move_the_clock_once(desk, app_database):
    client = desk()
    press(client, app_database, "start-round")
    seen = clock_of(app_database).version

    answers = [client.post(DESK, data={"do": "add", "minutes": 5, "version": seen}).status_code for _ in "12"]

    assert answers == [302, 409]


def test_extra_time_is_a_judges_and_shown_to_everybody(desk, app_database, client):
    with app_database.session() as session:
        match = session.exec(select(Match.id)).one()

    assert desk("scorekeeper").post(f"{DESK}/tables/{match}", data={"minutes": 5}).status_code == 403
    assert desk("judge").post(f"{DESK}/tables/{match}", data={"minutes": 5}).status_code == 302
    assert "+5 min" in client.get("/e/autumn-throne").text


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("started=a&turns_a=5&turns_b=4&health_a=10&health_b=3", "Ben still takes one turn"),
        ("started=a&turns_a=5&turns_b=5&health_a=10&health_b=3", "a tie"),
        ("started=b&turns_a=5&turns_b=5&health_a=0&health_b=3", "Ben wins"),
        ("started=a&turns_a=5&turns_b=7&health_a=10&health_b=3", "cannot be right"),
        ("started=a&turns_a=&turns_b=7&health_a=10&health_b=3", "Fill in"),
    ],
)
def test_the_assistant_says_who_still_acts_and_how_it_ends(desk, app_database, asked, says):
    with app_database.session() as session:
        match = session.exec(select(Match.id)).one()

    assert says in desk("scorekeeper").get(f"{DESK}/tables/{match}?{asked}").text


def test_everybody_sees_the_end_of_the_round_without_javascript(desk, app_database, client):
    press(desk(), app_database, "start-round")
    ends = datetime.now(UTC) + timedelta(minutes=30)

    page = client.get("/e/autumn-throne/clock").text

    assert (
        ends.astimezone().strftime("%H:%M") in page
        or (ends - timedelta(minutes=1)).astimezone().strftime("%H:%M") in page
    )
    assert '<noscript><meta http-equiv="refresh"' in page
