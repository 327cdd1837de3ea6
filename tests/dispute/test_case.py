"""A case is read once and ruled once, whatever it is asked; a tap at the desk costs at most two of each."""

import json
import sys
from collections import Counter
from contextlib import contextmanager

import pytest

from judge.rules.dice_forge.flow.engine import Game as ForgeReplay
from judge.rules.dice_throne.flow.engine import replay, standing
from judge.schemas import dice_forge, dice_throne
from judge.services.dispute.case import Case
from judge.services.dispute.compare import compare

PART = {"HX-Request": "true"}
THRONE = {
    "game": "dice-throne",
    "edition": "fr-2.4.1",
    "players": [{"id": "A", "hero": "barbarian"}, {"id": "B", "hero": "paladin", "cp": 9}],
    "events": [
        {"by": "A", "activate": "overpower", "on": "B", "effects": [{"deal": 18}]},
        {"by": "B", "defend": "divine-defense", "effects": [{"prevent": 3}]},
    ],
}
FORGE = {
    "game": "dice-forge",
    "players": [{"id": "A", "gold": 6}, {"id": "B"}],
    "events": [{"by": "A", "bless": ["G1", "S1"]}, {"by": "B", "bless": ["G1", "M1"]}],
}
READS = {dice_throne.read_table.__code__, dice_forge.read_table.__code__}
REPLAYS = {replay.__code__, standing.__code__, ForgeReplay.__init__.__code__}


@contextmanager
def counted():
    """How often a table file is read and how often its events are played, by the functions that do it."""
    calls = Counter()

    def watch(frame, event, _):
        if event == "call":
            calls["reads"] += frame.f_code in READS
            calls["replays"] += frame.f_code in REPLAYS

    sys.setprofile(watch)
    try:
        yield calls
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize("table", [THRONE, FORGE], ids=["throne", "forge"])
def test_a_case_answers_every_question_from_one_reading_and_one_ruling(table):
    case = Case(table)
    with counted() as calls:
        said = [case.said(lang) for lang in ("en", "fr", "ru", "en")]
        case.check()
        case.phrases("fr")

    assert calls == {"reads": 1, "replays": 1}
    assert said[0] is said[3]
    assert [ruling["players"] for ruling in said[1:]] == [said[0]["players"]] * 3


def test_each_book_is_ruled_under_once():
    case = Case(THRONE)
    with counted() as calls:
        compare(case, "en")
        compare(case, "fr")

    assert calls == {"reads": 3, "replays": 3}
    assert case.under("fr-2.4.1") is case


def test_the_first_events_are_not_read_again():
    case = Case(THRONE)
    case.check()
    with counted() as calls:
        after = case.after(1)

        assert len(after.ruling.events) == 1
        assert after.ruling.players["B"].health == 32
    assert calls["reads"] == 0


def test_a_change_keeps_what_came_before_it():
    case = Case(FORGE)
    before = case.cut(1).now
    with counted() as calls:
        changed = case.changed_to(
            {**FORGE, "events": [FORGE["events"][0], {"by": "B", "bless": ["G1", "G1"]}]}
        )

        assert changed.cut(1).now is before
    assert calls["replays"] == 0


def test_a_change_of_the_beginning_keeps_nothing():
    case = Case(FORGE)
    before = case.cut(1).now

    changed = case.changed_to({**FORGE, "players": [{"id": "A", "gold": 1}, {"id": "B"}]})

    assert changed.cut(1).now.players["A"].gold == before.players["A"].gold - 5


def test_asking_what_is_allowed_changes_neither_ruling_nor_state():
    case = Case(FORGE)
    before = json.dumps(Case(FORGE).said("en"))

    tries = [
        {"by": "A", "feat": "blacksmiths_hammer"},
        {"advance": "end"},
        {"by": "B", "bless": ["G1", "G1"]},
    ]
    allowed = case.allowed(tries)

    assert allowed == [False, True, True]
    assert json.dumps(case.said("en")) == before


# -- the desk -----------------------------------------------------------------------------------------------

THRONE_TAPS = {
    "an offer": {"do": "add", "event": '{"by": "B", "spend": "protect"}'},
    "a number": {"do": "number", "n": 1, "word": "deal", "value": 9},
    "a token": {"do": "token", "n": 2, "word": "gain", "token": "protect"},
    "a counter": {"do": "count", "who": "A", "key": "health", "by": -5},
    "a token at the start": {"do": "holds", "who": "B", "token": "protect"},
    "an event before another": {"do": "add", "event": '{"by": "A", "sell": 1}', "before": 2},
    "a claim": {"do": "turn", "active": "A"},
    "undo": {"do": "undo"},
    "pin": {"do": "pin"},
    "a mistake": {"do": "raw", "n": 1, "raw": "{by: Z, sell: 1}"},
}
FORGE_TAPS = {
    "a feat": {"do": "add", "event": '{"by": "A", "feat": "blacksmiths_hammer"}'},
    "a choice on the last event": {"do": "pick", "n": 2, "what": "flag", "value": "reversed"},
    "a choice on the first event": {"do": "pick", "n": 1, "what": "flag", "value": "reversed"},
    "a counter": {"do": "count", "who": "A", "key": "gold", "by": 1},
    "the end of the turn": {"do": "add", "event": '{"advance": "turn"}'},
}
TAPS = [(THRONE, tap) for tap in THRONE_TAPS.values()] + [(FORGE, tap) for tap in FORGE_TAPS.values()]
NAMES = [f"throne: {name}" for name in THRONE_TAPS] + [f"forge: {name}" for name in FORGE_TAPS]


@pytest.fixture
def opened(app, client):
    """Opens a table file at the desk; the address of its page."""
    app.config["WTF_CSRF_ENABLED"] = False
    return lambda table: client.post("/rule/open", data={"file": json.dumps(table)}).headers["Location"]


@pytest.mark.parametrize(("table", "tap"), TAPS, ids=NAMES)
def test_a_tap_reads_the_table_twice_and_plays_it_twice_at_the_most(client, opened, table, tap):
    address = opened(table)
    with counted() as calls:
        answer = client.post(address, data={"p": 1, **tap}, headers=PART)

    assert answer.status_code == (422 if tap.get("do") == "raw" else 200)
    assert 1 <= calls["reads"] <= 2
    assert 1 <= calls["replays"] <= 2


@pytest.mark.parametrize("table", [THRONE, FORGE], ids=["throne", "forge"])
def test_a_page_reads_its_table_once(client, opened, table):
    address = opened(table)
    for page, most in (("", 2), ("?p=2&n=1&open=edit", 2), ("/ruling.pdf?second=fr", 1)):
        with counted() as calls:
            assert client.get(address + page).status_code == 200

        assert (calls["reads"], calls["replays"] <= most) == (1, True), page


def test_the_page_of_a_ruling_rules_once_under_each_book_in_two_languages(client, opened):
    address = opened(THRONE)
    with counted() as calls:
        assert client.get(f"{address}/ruling?second=fr").status_code == 200

    assert calls == {"reads": 3, "replays": 3}


def test_a_ruling_is_kept_in_three_languages_from_one_replay(client, opened):
    address = opened(THRONE)
    with counted() as calls:
        kept = client.post(f"{address}/keep", data={"ruled_by": "Zoe"})

    assert kept.status_code == 303
    assert calls == {"reads": 1, "replays": 1}
