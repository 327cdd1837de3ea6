"""Two people at the same moment, over real connections to a real server, on both databases."""

import http.cookiejar
import re
import threading
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from uuid import uuid4

import pytest
from sqlmodel import select

from judge.services.pairing.rounds import pair_next, publish
from judge.storage.database import Database
from judge.storage.tables import AuditRow, Event, Match, Round
from tests.builders import DESK, NOW, make_event, make_players, make_staff
from tests.conftest import database_on, servers


class Visitor:
    """A browser without scripts: keeps its cookies, sends forms, does not follow redirects of forms."""

    def __init__(self, url):
        self.url = url
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()), _Stay
        )
        self.token = ""

    def get(self, path):
        with self.opener.open(self.url + path) as answer:
            page = answer.read().decode()
        self.token = (re.findall(r'name="csrf_token" value="([^"]+)"', page) or [self.token])[0]
        return page

    def post(self, path, **form):
        data = urllib.parse.urlencode({**form, "csrf_token": self.token}).encode()
        try:
            with self.opener.open(self.url + path, data) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def sign_in(self, login, desk):
        self.get("/sign-in")
        assert self.post("/sign-in", login=login, password="correct horse")[0] == 302
        self.get(f"{desk}/results")
        return self


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def running(request, tmp_path_factory):
    """A running server and its database."""
    folder = tmp_path_factory.mktemp("at-once") / "instance"
    if request.param == "sqlite":
        url = f"sqlite:///{folder / 'judge.sqlite3'}"
    else:
        request.getfixturevalue("postgresql_admin")("CREATE DATABASE judge_at_once")
        url = database_on(request.getfixturevalue("postgresql"), "judge_at_once")
    with servers(folder) as start:
        server = start(DATABASE_URL=url)
        database = Database(url)
        yield server, database
        database.close()


@dataclass
class Hall:
    """An event of 24 players, and two scorekeepers signed in."""

    database: Database
    event_id: int
    desk: str
    visitors: list[Visitor]

    def rows(self, session, model):
        return session.exec(select(model).where(model.event_id == self.event_id).order_by(model.id)).all()


@pytest.fixture
def hall(running):
    server, database = running
    slug = uuid4().hex[:8]
    with database.transaction() as session:
        event = make_event(session, slug=slug)
        make_players(session, event, 24)
        for login in ("kim", "lou"):
            make_staff(session, event, "scorekeeper", f"{login}-{slug}")
        event_id = event.id
    desk = f"/e/{slug}/desk"
    visitors = [Visitor(server.url).sign_in(f"{login}-{slug}", desk) for login in ("kim", "lou")]
    return Hall(database, event_id, desk, visitors)


def at_once(*calls):
    """Start all at the same moment; their answers in order."""
    answers, start = [None] * len(calls), threading.Barrier(len(calls))

    def run(n):
        start.wait()
        answers[n] = calls[n]()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(len(calls))]
    [t.start() for t in threads]
    [t.join() for t in threads]
    return answers


def published_round(hall):
    with hall.database.transaction() as session:
        event = session.get(Event, hall.event_id)
        round_ = pair_next(session, event, DESK, 1).result
        publish(session, event, DESK, 1, round_.version, NOW)
        return [match.id for match in hall.rows(session, Match)]


def test_two_people_pairing_at_once_make_one_round(hall):
    kim, lou = hall.visitors
    path = f"{hall.desk}/rounds"
    answers = at_once(*[lambda who=who: who.post(path, number=1) for who in (kim, lou, kim, lou)])

    assert [status for status, _ in answers] == [302] * 4
    with hall.database.session() as session:
        assert len(hall.rows(session, Round)) == 1
        assert len(hall.rows(session, Match)) == 12


def test_two_scorekeepers_on_one_table_in_the_same_second(hall):
    kim, lou = hall.visitors
    first, *_ = published_round(hall)
    path = f"{hall.desk}/matches/{first}/result"
    answers = at_once(
        lambda: kim.post(path, result="a", health_a=22, health_b=0),
        lambda: lou.post(path, result="b", health_a=0, health_b=7),
    )

    assert sorted(status for status, _ in answers) == [302, 409]
    (refused,) = [page for status, page in answers if status == 409]
    with hall.database.session() as session:
        match = session.get(Match, first)
        assert f"{match.health_a}–{match.health_b}" in refused, "the refusal says what stands there"
        entered = session.exec(
            select(AuditRow).where(AuditRow.what == "result.entered", AuditRow.event_id == str(hall.event_id))
        ).all()
        assert len(entered) == 1


def test_a_burst_of_results_from_two_desks_loses_none(hall):
    kim, lou = hall.visitors
    matches = published_round(hall)

    def enter(who, mine):
        return lambda: [
            who.post(f"{hall.desk}/results", line=f"{table} a {20 + table} 0")[0] for table in mine
        ]

    answers = at_once(enter(kim, range(1, 13, 2)), enter(lou, range(2, 13, 2)))

    assert answers == [[200] * 6, [200] * 6]
    with hall.database.session() as session:
        entered = {match.table_no: match.health_a for match in hall.rows(session, Match)}
        assert entered == {table: 20 + table for table in range(1, len(matches) + 1)}
