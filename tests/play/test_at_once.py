"""Two people at the same moment, over real connections to a real server, on both databases."""

import http.cookiejar
import re
import threading
import urllib.error
import urllib.parse
import urllib.request

import pytest
from sqlmodel import select

from judge.services.pairing.rounds import pair_next, publish
from judge.storage.database import Database
from judge.storage.tables import AuditRow, Event, Match, Round
from tests.builders import DESK, NOW, make_event, make_players, make_staff


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

    def sign_in(self, login):
        self.get("/sign-in")
        assert self.post("/sign-in", login=login, password="correct horse")[0] == 302
        self.get("/e/autumn-throne/desk/results")
        return self


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


@pytest.fixture
def hall(start_server, database_url):
    """A running server with an event of 24 players and two scorekeepers signed in."""
    server = start_server(DATABASE_URL=database_url)
    database = Database(database_url)
    with database.transaction() as session:
        event = make_event(session)
        make_players(session, event, 24)
        for login in ("kim", "lou"):
            make_staff(session, event, "scorekeeper", login)
    visitors = [Visitor(server.url).sign_in(login) for login in ("kim", "lou")]
    yield database, visitors
    database.close()


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


def published_round(database):
    with database.transaction() as session:
        event = session.exec(select(Event)).one()
        round_ = pair_next(session, event, DESK, 1).result
        publish(session, event, DESK, 1, round_.version, NOW)
        return [m.id for m in session.exec(select(Match).order_by(Match.id)).all()]


def test_two_people_pairing_at_once_make_one_round(hall):
    database, (kim, lou) = hall
    path = "/e/autumn-throne/desk/rounds"
    answers = at_once(*[lambda who=who: who.post(path, number=1) for who in (kim, lou, kim, lou)])

    assert [status for status, _ in answers] == [302] * 4
    with database.session() as session:
        assert len(session.exec(select(Round)).all()) == 1
        assert len(session.exec(select(Match)).all()) == 12


def test_two_scorekeepers_on_one_table_in_the_same_second(hall):
    database, (kim, lou) = hall
    first, *_ = published_round(database)
    path = f"/e/autumn-throne/desk/matches/{first}/result"
    answers = at_once(
        lambda: kim.post(path, result="a", health_a=22, health_b=0),
        lambda: lou.post(path, result="b", health_a=0, health_b=7),
    )

    assert sorted(status for status, _ in answers) == [302, 409]
    (refused,) = [page for status, page in answers if status == 409]
    with database.session() as session:
        match = session.get(Match, first)
        assert f"{match.health_a}–{match.health_b}" in refused, "the refusal says what stands there"
        entered = session.exec(select(AuditRow).where(AuditRow.what == "result.entered")).all()
        assert len(entered) == 1


def test_a_burst_of_results_from_two_desks_loses_none(hall):
    database, (kim, lou) = hall
    matches = published_round(database)

    def enter(who, mine):
        return lambda: [
            who.post("/e/autumn-throne/desk/results", line=f"{table} a {20 + table} 0")[0] for table in mine
        ]

    answers = at_once(enter(kim, range(1, 13, 2)), enter(lou, range(2, 13, 2)))

    assert answers == [[200] * 6, [200] * 6]
    with database.session() as session:
        found = {m.table_no: m.health_a for m in session.exec(select(Match)).all()}
        assert found == {table: 20 + table for table in range(1, len(matches) + 1)}
