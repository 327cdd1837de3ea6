"""Visitors without an account may compute, but never with all threads, and never for ever."""

import time
from contextlib import nullcontext
from dataclasses import replace

import pytest

from judge.app import create_app
from judge.core.budget import Budget, TooMuchWork, limited, spend
from judge.core.errors import InputError
from judge.services.event.outlooks import outlook_file
from judge.services.event.tournament_files import pair_file, standings_file
from judge.web.frame.work import AT_ONCE, WAITING, Gate

TABLE = {"game": "dice-throne", "edition": "fr-2.2", "players": [{"id": "A"}, {"id": "B"}], "events": []}
LONG = TABLE | {"events": [{"by": "A", "sell": 1}] * 200}


@pytest.fixture
def gate(app):
    """The app's gate, without the moment of waiting."""
    app.extensions["judge.gate"] = gate = Gate(seconds=0.01)
    return gate


def test_a_gate_lets_two_in_and_the_next_wait_a_moment():
    gate = Gate(at_once=2, waiting=1, seconds=0.01)

    assert [gate.enter() for _ in range(3)] == [True, True, False]
    gate.leave()
    assert gate.enter()


def test_when_two_compute_the_third_visitor_is_told_to_come_back(client, gate):
    for _ in range(AT_ONCE):
        gate.enter()
    answer = client.post("/api/v1/rulings", json=TABLE)

    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "1"
    assert "the hall goes first" in answer.json["detail"]
    gate.leave()
    assert client.post("/api/v1/rulings", json=TABLE).status_code == 200


@pytest.mark.parametrize("path", ["/", "/sign-in", "/rules", "/api/v1/rules/DT-DMG-02", "/healthz"])
def test_pages_that_compute_nothing_are_never_refused(client, gate, path):
    for _ in range(AT_ONCE):
        gate.enter()

    assert client.get(path).status_code == 200


def test_staff_rule_while_visitors_wait(desk, visitor, gate):
    for _ in range(AT_ONCE):
        gate.enter()

    assert visitor.get("/rule").status_code == 503
    assert desk.get("/rule").status_code == 200


def test_every_request_gives_its_place_back(client, gate):
    for _ in range(AT_ONCE + WAITING + 2):
        assert client.post("/api/v1/rulings", json={"game": "chess"}).status_code == 422
        assert client.get("/rule/forged").status_code == 404


def test_work_without_end_is_refused_with_what_to_do(app, settings):
    hurried = create_app(replace(settings, work_seconds=-1))
    answer = hurried.test_client().post("/api/v1/rulings", json=LONG)
    hurried.extensions["judge.database"].close()

    assert answer.status_code == 422
    assert "Send a smaller file" in answer.json["detail"]
    assert app.test_client().post("/api/v1/rulings", json=LONG).status_code == 200


def test_a_budget_ends_by_the_clock_it_brings():
    now = iter(range(100))

    with limited(Budget(3, lambda: next(now))), pytest.raises(TooMuchWork):
        [spend() for _ in range(1000)]
    spend(1000)  # without a budget nothing ends


def test_a_tournament_of_the_api_has_a_size(client):
    answer = client.post("/api/v1/pairings", json={"tournament": 1, "players": [str(n) for n in range(5001)]})

    assert answer.status_code == 422
    assert answer.json["errors"][0]["path"] == "players"


# -- what took minutes --------------------------------------------------------------------------------------


def event(count, kind, **more):
    return {"tournament": 1, "name": "x", "game": "other", "format": {"kind": kind, **more.pop("format", {})},
            "players": [f"P{n}" for n in range(count)], "rounds": [], **more}  # fmt: skip


def drawn(count):
    return [[{"a": f"P{n}", "b": f"P{n + 1}", "result": "draw"} for n in range(0, count, 2)]]


def members(count, club):
    return [{"name": f"P{n}", "club": club} for n in range(count)]


WORST = {
    "pods": lambda: pair_file(event(2000, "pods", format={"pod_size": 4}), 1, "en", None),
    "one-group": lambda: pair_file(event(2000, "groups", format={"groups": 1}), 1, "en", None),
    "one-group-late": lambda: pair_file(
        event(2000, "groups", format={"groups": 1}, late={"P5": 2}, rounds=[[]]), 1, "en", None
    ),
    "groups": lambda: pair_file(event(2000, "groups", format={"group_size": 4}), 1, "en", None),
    "tied": lambda: standings_file(
        event(20_000, "swiss", rounds=drawn(20_000), tiebreakers=["head-to-head", "wins-vs-tied"]), None, None
    ),
    "outlook": lambda: outlook_file(event(150, "round-robin"), None, "en", 0),
    "one-club": lambda: pair_file(
        event(0, "swiss", players=members(2000, "x"), clubs={"hard": True}), 1, "en", None
    ),
}


@pytest.mark.parametrize("name", WORST)
def test_thousands_of_players_are_paired_and_ranked_cheaply(name):
    pair_file(event(8, "swiss"), 1, "en", None)  # loads what is loaded once
    began = time.thread_time()
    with pytest.raises(InputError) if name == "one-club" else nullcontext():
        WORST[name]()

    assert time.thread_time() - began < 5  # each took 10 to 60 before, on a machine of the same kind
