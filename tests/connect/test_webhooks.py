"""Webhooks against a real receiver: signature, order, retry after failure, none lost over a restart; and the
addresses that are refused."""

import hashlib
import hmac
import json
import threading
import time
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from sqlmodel import select

from judge.core.errors import Refused
from judge.services.connect.delivering import MOST_ATTEMPTS, deliver_due, wait_after
from judge.services.connect.sending import CannotSend, check_url, is_public, post, resolve
from judge.services.connect.webhooks import add_webhook, remove_webhook, secret_of, send_again, set_active
from judge.services.log.changes import undo
from judge.services.play.outcomes import Outcome
from judge.services.play.results import correct, enter
from judge.services.players.players import drop_player
from judge.storage.connect import Delivery, Webhook
from judge.storage.database import Database
from judge.storage.events import Event, Match
from tests.builders import DESK, NOW, make_event, make_players, make_round
from tests.conftest import SECRET


class Receiver:
    """A real HTTP server that keeps what it gets; `answers` are the statuses of the next requests."""

    def __init__(self):
        self.got, self.answers = [], []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = receiver.answers.pop(0) if receiver.answers else 204
                receiver.got.append((status, dict(self.headers), body))
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", "http://127.0.0.1:1/elsewhere")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook?key=1"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def accepted(self):
        return [json.loads(body) for status, _, body in self.got if status < 300]


@pytest.fixture
def receiver():
    made = Receiver()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def hall(database: Database, receiver):
    """Four tables, and a webhook that is told about results."""
    with database.transaction() as session:
        event = make_event(session)
        people = make_players(session, event, 8)
        make_round(session, event, list(zip(people[::2], people[1::2], strict=True)))
        add_webhook(session, event, DESK, receiver.url, ["results"], NOW, allow_private=True)
    return database


def play(database, *tables):
    for table in tables:
        with database.transaction() as session:
            event = session.exec(select(Event)).one()
            match = session.exec(select(Match).where(Match.table_no == table)).one()
            enter(session, event, DESK, match.id, Outcome("a", None, 10 + table, 0))


def deliver(database, later=0.0):
    now = datetime.now(UTC) + timedelta(seconds=later)
    return deliver_due(database, SECRET, allow_private=True, now=now)


def rows(database):
    with database.session() as session:
        return list(session.exec(select(Delivery).order_by(Delivery.id)))


def test_every_result_arrives_once_in_order_and_signed(hall, receiver):
    play(hall, 2, 1, 4, 3)
    assert deliver(hall) == 4
    assert deliver(hall) == 0

    assert [m["matches"][0]["table"] for m in receiver.accepted()] == [2, 1, 4, 3]
    first = receiver.accepted()[0]
    assert (first["what"], first["topic"]) == ("result.entered", "results")
    assert first["matches"][0] | {} == {
        "round": 1, "table": 2, "players": ["Cleo", "Dov"], "result": "a", "how": None,
        "health": [12, 0], "games": None, "scores": None,
    }  # fmt: skip
    with hall.session() as session:
        secret = secret_of(SECRET, session.exec(select(Webhook)).one())
    for _, headers, body in receiver.got:
        parts = dict(part.split("=", 1) for part in headers["Judge-Signature"].split(","))
        text = parts["t"].encode() + b"." + body
        assert parts["v1"] == hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()
        assert abs(int(parts["t"]) - time.time()) < 60
        assert headers["Judge-Delivery"] == str(json.loads(body)["id"])


def test_a_failure_is_tried_again_later_and_nothing_overtakes_it(hall, receiver):
    play(hall, 1, 2, 3)
    receiver.answers = [500, 302, 204]
    assert deliver(hall) == 0
    assert deliver(hall) == 0, "not yet: five seconds have not passed"
    assert deliver(hall, later=6) == 0, "a redirect is not followed and is no success"
    assert deliver(hall, later=17) == 3

    assert [m["matches"][0]["table"] for m in receiver.accepted()] == [1, 2, 3]
    assert [(d.state, d.attempts) for d in rows(hall)] == [("done", 3), ("done", 1), ("done", 1)]
    assert [wait_after(n).seconds for n in (1, 2, 3)] == [5, 10, 20]
    assert wait_after(30) == timedelta(hours=1)


def test_after_twelve_attempts_it_is_given_up_the_next_goes_on_and_it_can_be_sent_again(hall, receiver):
    play(hall, 1, 2)
    receiver.answers = [500] * MOST_ATTEMPTS
    later = 0.0
    for _ in range(MOST_ATTEMPTS):
        deliver(hall, later)
        later += 4000
    deliver(hall, later)

    assert [m["matches"][0]["table"] for m in receiver.accepted()] == [2]
    failed = rows(hall)[0]
    assert (failed.state, failed.status, failed.error) == ("failed", 500, "HTTP 500")
    with hall.transaction() as session:
        event = session.exec(select(Event)).one()
        send_again(session, event, DESK, failed.id, datetime.now(UTC))
    assert deliver(hall, later) == 1
    assert receiver.accepted()[-1]["matches"][0]["table"] == 1


def test_a_change_that_is_rolled_back_is_not_announced(hall, receiver):
    with hall.session(writes=True) as session:
        event = session.exec(select(Event)).one()
        match = session.exec(select(Match).where(Match.table_no == 1)).one()
        enter(session, event, DESK, match.id, Outcome("a", None, 9, 0))
        assert session.exec(select(Delivery)).one()
        session.rollback()

    assert rows(hall) == []


def test_corrections_and_undo_are_told_other_topics_are_not(hall, receiver):
    play(hall, 1)
    with hall.transaction() as session:
        event = session.exec(select(Event)).one()
        match = session.exec(select(Match).where(Match.table_no == 1)).one()
        change = correct(session, event, DESK, match.id, match.version, Outcome("b", None, 0, 5), "wrong way")
        drop_player(session, event, DESK, match.a_id, 1)
    with hall.transaction() as session:
        undo(session, session.exec(select(Event)).one(), change.entry, DESK)
    deliver(hall)

    assert [(m["what"], m["matches"][0]["result"]) for m in receiver.accepted()] == [
        ("result.entered", "a"), ("result.corrected", "b"), ("undone", "a"),
    ]  # fmt: skip


def test_a_paused_webhook_is_left_alone_and_a_removed_one_is_gone(hall, receiver):
    play(hall, 1)
    with hall.transaction() as session:
        event, hook = session.exec(select(Event)).one(), session.exec(select(Webhook)).one()
        set_active(session, event, DESK, hook.id, active=False)
    play(hall, 2)
    assert deliver(hall) == 0
    with hall.transaction() as session:
        set_active(session, session.exec(select(Event)).one(), DESK, 1, active=True)
    assert deliver(hall) == 1
    with hall.transaction() as session:
        removed = remove_webhook(session, session.exec(select(Event)).one(), DESK, 1)
    play(hall, 3)
    assert deliver(hall) == 0
    assert rows(hall) == []
    with hall.transaction() as session:
        undo(session, session.exec(select(Event)).one(), removed.entry, DESK)
        back = session.exec(select(Webhook)).one()
        assert secret_of(SECRET, back), "with the secret it had"


def test_two_workers_never_send_the_same_message_at_once(hall, receiver):
    play(hall, 1, 2, 3, 4)
    workers = [threading.Thread(target=deliver, args=(hall,)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    deliver(hall)

    assert [m["matches"][0]["table"] for m in receiver.accepted()] == [1, 2, 3, 4]


def test_none_is_lost_over_a_restart(start_server, tmp_path, receiver):
    """The server is killed with messages in its outbox; started again, it delivers them all, in order."""
    instance = tmp_path / "instance"
    server = start_server(instance=instance, JUDGE_SECRET_KEY=SECRET, JUDGE_WEBHOOKS_PRIVATE="1")
    database = Database(f"sqlite:///{instance / 'judge.sqlite3'}")
    receiver.answers = [503] * 100
    with database.transaction() as session:
        event = make_event(session)
        people = make_players(session, event, 8)
        make_round(session, event, list(zip(people[::2], people[1::2], strict=True)))
        add_webhook(session, event, DESK, receiver.url, ["results"], NOW, allow_private=True)
    play(database, 1, 2)
    until(lambda: receiver.got)
    server.process.kill()
    server.process.wait()
    play(database, 3, 4)
    with database.transaction() as session:
        for delivery in session.exec(select(Delivery)):
            delivery.next_at = NOW  # as if the waiting time were over
    receiver.answers = []
    start_server(instance=instance, JUDGE_SECRET_KEY=SECRET, JUDGE_WEBHOOKS_PRIVATE="1")
    until(lambda: len(receiver.accepted()) == 4)
    database.close()

    assert [m["matches"][0]["table"] for m in receiver.accepted()] == [1, 2, 3, 4]


def until(is_so, seconds=20):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.05)


# -- addresses ----------------------------------------------------------------------------------------------

PRIVATE = [
    "127.0.0.1", "10.0.0.1", "172.16.3.4", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1",
    "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "64:ff9b::7f00:1", "2002:7f00:1::", "fe80::1%eth0",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_addresses_that_are_not_of_the_internet_are_recognised_however_they_are_written(address):
    assert not is_public(address)


def test_public_addresses_are_public():
    assert is_public("93.184.215.14")
    assert is_public("2606:2800:21f:cb07:6820:80da:af6b:8b2c")


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/", "https://", "javascript:alert(1)", "https://user:word@example.org/", "http://x:0/",
        "http://x:99999/", "https://example.org/a b", "https://example.org/\r\nHost: x", "file:///etc/passwd",
        "https://example.org/" + "x" * 500, "http://[::1", "",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused(url):
    with pytest.raises(CannotSend):
        check_url(url)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/", "http://localhost:9/", "http://2130706433/", "http://[::1]/"]
)
def test_a_webhook_to_this_computer_is_refused_when_entered_and_when_sent(database, url):
    with pytest.raises(CannotSend):
        resolve(url, allow_private=False)
    with pytest.raises(CannotSend):
        post(url, b"{}", {})
    with database.transaction() as session:
        event = make_event(session)
        with pytest.raises(Refused):
            add_webhook(session, event, DESK, url, ["results"], NOW)
