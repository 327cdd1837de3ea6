"""An event for other programs: public JSON with ETags, tokens with a scope, a calendar, embedded pages."""

import json
import re

import pytest
from sqlmodel import select

from judge.storage.audit import AuditRow
from judge.storage.connect import ApiToken, Webhook
from judge.storage.events import Event, Match
from tests.builders import make_event, make_players, make_round, make_staff

API = "/api/v1/events/autumn-throne"
KINDS = ("", "/pairings", "/standings", "/bracket", "/clock")


@pytest.fixture
def hall(app, sign_in):
    app.config["WTF_CSRF_ENABLED"] = False
    database = app.extensions["judge.database"]

    class Hall:
        def __init__(self):
            with database.transaction() as session:
                event = make_event(session, settings={"cut": 2, "format": {"kind": "swiss", "rounds": 1}})
                people = make_players(session, event, 5)
                people[0].public_name = "A. Nonymous"
                pairs = [(people[0], people[1]), (people[2], people[3]), (people[4], None)]
                make_round(session, event, pairs)
                self.desk = sign_in(app.test_client(), make_staff(session, event, "organiser"))
            self.anybody = app.test_client()
            self.database = database

        def token(self, scope):
            page = self.desk.post(
                "/e/autumn-throne/desk/connect/tokens", data={"name": "Overlay", "scope": scope}
            ).text
            return re.search(r"jt_[\w-]+", page)[0]

        def send(self, table, token, **body):
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            return self.anybody.post(f"{API}/tables/{table}/result", json=body, headers=headers)

    return Hall()


def test_public_data_is_there_for_everybody_with_public_names(hall):
    pairings = hall.anybody.get(f"{API}/pairings")
    standings = hall.anybody.get(f"{API}/standings").json

    assert pairings.json["tables"][0] == {
        "table": 1, "a": "A. Nonymous", "b": "Ben", "result": None, "health": None, "games": None,
        "extension_s": 0,
    }  # fmt: skip
    assert pairings.json["byes"] == ["Eva"]
    assert pairings.headers["Access-Control-Allow-Origin"] == "*"
    assert standings["standings"][0]["player"] == "Eva"
    assert set(standings["standings"][0]) >= {"rank", "player", "points", "record", "byes", "tiebreakers"}
    assert hall.anybody.get(f"{API}/clock").json["phase"] == "idle"
    assert hall.anybody.get(API).json["name"] == "Autumn Throne"
    assert not any("Ana" in hall.anybody.get(f"{API}{kind}").text for kind in KINDS)
    assert hall.anybody.get("/api/v1/events/nothing/clock").status_code == 404


@pytest.mark.parametrize("kind", KINDS)
def test_an_etag_spares_the_answer_until_something_changes(hall, kind):
    tag = hall.anybody.get(f"{API}{kind}").headers["ETag"]
    same = hall.anybody.get(f"{API}{kind}", headers={"If-None-Match": tag})
    french = hall.anybody.get(f"{API}{kind}?lang=fr", headers={"If-None-Match": tag})
    hall.send(1, hall.token("results"), result="a", health=[9, 0])
    later = hall.anybody.get(f"{API}{kind}", headers={"If-None-Match": tag})

    assert (same.status_code, same.data) == (304, b"")
    assert (french.status_code, later.status_code) == (200, 200)


def test_a_token_opens_its_event_in_its_scope_until_it_is_revoked(hall):
    reading, results = hall.token("read"), hall.token("results")

    def players(token):
        return hall.anybody.get(f"{API}/players", headers={"Authorization": f"Bearer {token}"}).status_code

    assert hall.anybody.get(f"{API}/players").status_code == 401
    assert (players(reading), players(results), players("jt_wrong")) == (200, 200, 401)
    assert hall.send(1, reading, result="a").status_code == 403
    assert hall.send(1, None, result="a").status_code == 401
    with hall.database.transaction() as session:
        make_event(session, slug="other")
        number = session.exec(select(ApiToken).order_by(ApiToken.id)).first().id
    foreign = hall.anybody.get("/api/v1/events/other/players", headers={"Authorization": f"Bearer {reading}"})
    assert foreign.status_code == 401
    hall.desk.post(f"/e/autumn-throne/desk/connect/tokens/{number}/revoke")
    assert players(reading) == 401
    assert reading not in hall.desk.get("/e/autumn-throne/desk/connect").text, "shown once"
    with hall.database.session() as session:
        everything = json.dumps([e.after for e in session.exec(select(AuditRow))])
    assert reading not in everything


def test_a_result_by_token_is_entered_logged_and_never_overwrites(hall):
    token = hall.token("results")
    first = hall.send(1, token, result="a", health=[22, 0])
    again = hall.send(1, token, result="a", health=[22, 0])
    other = hall.send(1, token, result="b", health=[0, 3])

    assert (first.json, again.json["changed"]) == ({"table": 1, "result": "a", "changed": True}, False)
    assert other.status_code == 409
    with hall.database.session() as session:
        match = session.exec(select(Match).where(Match.table_no == 1)).one()
        entry = session.exec(select(AuditRow).where(AuditRow.what == "result.entered")).one()
    assert (match.result, match.health_a, entry.actor) == ("a", 22, "Overlay")


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({}, "result"),
        ({"result": "x"}, "result"),
        ({"result": "a", "health": [1]}, "health"),
        ({"result": "a", "health": [1, "x"]}, "health[2]"),
        ({"result": "a", "games": 3}, "games"),
        ({"result": "a", "tpye": 1}, "tpye"),
        ({"result": "draw", "how": "chess"}, "how"),
    ],
)
def test_a_malformed_result_names_its_field(hall, body, place):
    answer = hall.send(1, hall.token("results"), **body)

    assert answer.status_code == 422
    assert place in [problem["path"] for problem in answer.json["errors"]]


def test_unknown_tables_and_illegal_results_are_refused(hall):
    token = hall.token("results")

    assert hall.send(9, token, result="a").status_code == 404
    assert hall.send("x", token, result="a").status_code == 404
    assert hall.send(1, token, result="a", health=[0, 9]).status_code == 422


def test_the_calendar_is_one_that_calendars_read(hall):
    lines = hall.anybody.get("/e/autumn-throne/event.ics").data.decode().split("\r\n")

    assert (lines[0], lines[-2], lines[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR", "")
    assert "DTSTART;VALUE=DATE:20261114" in lines, "no time is known yet"
    assert lines.count("BEGIN:VEVENT") == lines.count("END:VEVENT") == 1


def test_the_calendar_has_the_schedule_once_there_is_one(hall):
    with hall.database.transaction() as session:
        event = session.exec(select(Event)).one()
        event.settings = {
            **event.settings, "starts_at": "10:00", "place": "Old Mill; Lyon, " + "é" * 60,
            "about": "Bring\ndice",
            "schedule": [{"day": 1, "at": "13:00", "text": "Lunch"}],
        }  # fmt: skip
    text = hall.anybody.get("/e/autumn-throne/event.ics").data.decode()
    lines = text.split("\r\n")
    whole = text.replace("\r\n ", "")

    assert all(len(line.encode()) <= 75 for line in lines)
    assert "LOCATION:Old Mill\\; Lyon\\, é" in whole
    assert "DESCRIPTION:Bring\\ndice" in whole
    assert "SUMMARY:Autumn Throne: Lunch" in whole
    assert len(re.findall(r"DTSTART:\d{8}T\d{6}Z", whole)) == 4, "the event, two stages, lunch"
    assert len(set(re.findall("UID:.*", whole))) == 4


def test_pages_to_embed_may_be_framed_and_nothing_else_may(hall):
    for kind in ("standings", "bracket"):
        page = hall.anybody.get(f"/embed/autumn-throne/{kind}")
        assert page.status_code == 200
        assert "frame-ancestors *" in page.headers["Content-Security-Policy"]
        assert "<form" not in page.text
        assert "<script" not in page.text
    assert "frame-ancestors 'none'" in hall.anybody.get("/e/autumn-throne").headers["Content-Security-Policy"]


def test_the_desk_refuses_an_address_that_is_not_public_with_what_was_typed(hall):
    url = "http://127.0.0.1:9/hook"
    answer = hall.desk.post("/e/autumn-throne/desk/connect/webhooks", data={"url": url, "topic": ["results"]})
    none = hall.desk.post("/e/autumn-throne/desk/connect/webhooks", data={"url": url})

    assert (answer.status_code, none.status_code) == (422, 422)
    assert url in answer.text
    assert "cannot be used" in answer.text
    with hall.database.session() as session:
        assert session.exec(select(Webhook)).first() is None


def test_the_pages_take_as_many_queries_whatever_there_is(hall, queries):
    few = [queries(lambda kind=kind: hall.anybody.get(f"{API}{kind}")) for kind in KINDS]
    desk = queries(lambda: hall.desk.get("/e/autumn-throne/desk/connect"))
    with hall.database.transaction() as session:
        event = make_event(session, slug="big")
        people = make_players(session, event, 60)
        make_round(session, event, list(zip(people[::2], people[1::2], strict=True)))
    many = [queries(lambda kind=kind: hall.anybody.get(f"/api/v1/events/big{kind}")) for kind in KINDS]

    assert many <= few
    assert max(few) <= 8
    assert desk <= 14
