"""Seasons: frozen when events close, changed by their owner alone, with a log; the browser tests play one."""

import csv
import re
from datetime import date
from io import StringIO

import pytest
from sqlmodel import select

from judge.services.log.changes import undo
from judge.services.pairing.rounds import finish, reopen
from judge.services.players.erasure import erase_player
from judge.storage.audit import AuditRow
from judge.storage.events import Event, Match, Player, Staff
from judge.storage.seasons import Season, SeasonEvent
from tests.builders import DESK, make_event, make_players, make_round, make_staff

MONTHS = ("march", "april", "may")


def text(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


@pytest.fixture
def league(app, sign_in):
    """Three events of four players, and their organiser's season: places 10, 7, 5, 1; the best two."""
    app.config["WTF_CSRF_ENABLED"] = False
    database = app.extensions["judge.database"]

    class League:
        def __init__(self):
            with database.transaction() as session:
                owner = make_staff(session, None, "organiser")
                self.events = []
                for n, month in enumerate(MONTHS):
                    event = make_event(session, slug=month, name=month.title(), day=date(2026, 3 + n, 1))
                    event.settings = {
                        "format": {"kind": "swiss", "rounds": 1},
                        "tiebreakers": ["health-diff"],
                    }
                    event.state = "running"
                    players = make_players(session, event, 4)
                    self._results(session, event, players, first=n)
                    session.add(Staff(event_id=event.id, account_id=owner.id, role="organiser"))
                    self.events.append(event.id)
                self.client = sign_in(app.test_client(), owner)
                other = make_staff(session, None, "organiser", "otto")
                self.other = sign_in(app.test_client(), other)
            form = {
                "name": "Age of Example",
                "kind": "places",
                "places": "10 7 5",
                "taking_part": "1",
                "best": "2",
            }
            self.address = self.client.post("/seasons", data=form).location.removesuffix("/edit")

        def _results(self, session, event, players, first):
            """The player with this number wins high, the next one low; the others lose in that order."""
            order = players[first:] + players[:first]
            make_round(session, event, [(order[0], order[3]), (order[1], order[2])])
            high, low = session.exec(select(Match).where(Match.event_id == event.id).order_by(Match.id)).all()
            high.result, high.health_a, high.health_b = "a", 40, 0
            low.result, low.health_a, low.health_b = "a", 5, 0

        def add(self, number, client=None):
            return (client or self.client).post(f"{self.address}/events", data={"event": number})

        def close(self, number):
            with database.transaction() as session:
                return finish(session, session.get_one(Event, number), DESK).entry

        def lines(self):
            rows = csv.reader(StringIO(self.client.get(f"{self.address}/season.csv").text.lstrip("\ufeff")))
            return list(rows)[1:]

        database = app.extensions["judge.database"]

    return League()


def test_a_closed_event_is_frozen_until_it_is_reopened(league):
    league.add(league.events[0])
    entry = league.close(league.events[0])
    before = league.lines()
    with league.database.transaction() as session:
        for match in session.exec(select(Match).where(Match.event_id == league.events[0])):
            match.result = "b"
    assert league.lines() == before, "frozen"
    with league.database.transaction() as session:
        event = session.get_one(Event, league.events[0])
        reopen(session, event, DESK)
    assert league.lines() == []
    second = league.close(league.events[0])
    assert league.lines() != before
    with league.database.transaction() as session:
        undo(session, session.get_one(Event, league.events[0]), second, DESK)
        assert session.exec(select(SeasonEvent)).one().standings is None, "taking back the end unfreezes"
    assert entry != second


def test_an_event_that_is_closed_already_counts_at_once_and_twice_is_refused(league):
    league.close(league.events[1])
    league.add(league.events[1])

    assert len(league.lines()) == 4
    twice = league.add(league.events[1])
    assert (twice.status_code, "already in this season" in twice.text) == (409, True)


def test_only_the_owner_changes_a_season_and_only_with_events_of_their_own(league, client):
    assert league.add(league.events[0], league.other).status_code == 403
    assert client.post(f"{league.address}/events", data={"event": 1}).status_code == 302
    with league.database.transaction() as session:
        foreign = make_event(session, slug="foreign").id
    assert "an organiser" in league.add(foreign).text
    assert client.get(league.address).status_code == 200, "the table is public"
    assert league.other.get(f"{league.address}/edit").status_code == 403


def test_every_change_is_in_the_seasons_log_and_can_be_taken_back(league):
    league.add(league.events[0])
    league.client.post(f"{league.address}/events", data={"event": league.events[0], "do": "remove"})
    with league.database.session() as session:
        log = session.exec(
            select(AuditRow).where(AuditRow.event_id.like("season-%")).order_by(AuditRow.id)
        ).all()
        removed = log[-1].id
    assert [e.what for e in log] == ["season.created", "season.event-added", "season.event-removed"]
    league.client.post(f"{league.address}/undo", data={"entry": removed})

    with league.database.session() as session:
        assert session.exec(select(SeasonEvent)).one().event_id == league.events[0]
    again = league.client.post(f"{league.address}/undo", data={"entry": removed})
    assert again.status_code == 409


def test_bad_settings_are_named_at_their_field_and_nothing_typed_is_lost(league):
    form = {"name": "Other", "kind": "places", "places": "10 x 5", "best": "0"}
    answer = league.client.post(f"{league.address}/edit", data={**form, "version": 1})
    worse = league.client.post(f"{league.address}/edit", data={**form, "best": "1", "version": 1})

    assert answer.status_code == worse.status_code == 422
    assert "10 x 5" in worse.text
    assert "Other" in worse.text
    with league.database.session() as session:
        season = session.exec(select(Season)).one()
        assert (season.name, season.best) == ("Age of Example", 2)
        version = season.version
    stale = league.client.post(
        f"{league.address}/edit", data={**form, "places": "3 2 1", "best": "1", "version": version - 1}
    )
    assert stale.status_code == 422, "somebody else was first"


def test_points_by_results(league):
    league.client.post(
        f"{league.address}/edit",
        data={"name": "By results", "kind": "results", "win": "3", "draw": "1", "loss": "0", "version": 2},
    )
    league.add(league.events[0])
    league.close(league.events[0])

    assert [(row[1], row[2]) for row in league.lines()] == [
        ("Ana", "3"), ("Ben", "3"), ("Cleo", "0"), ("Dov", "0"),
    ]  # fmt: skip


def test_an_erased_name_is_gone_from_the_season_too(league):
    league.add(league.events[0])
    league.close(league.events[0])
    with league.database.transaction() as session:
        event = session.get_one(Event, league.events[0])
        ana = session.exec(select(Player).where(Player.event_id == event.id, Player.name == "Ana")).one()
        erase_player(session, event, DESK, ana.id, ana.version)

    assert "Ana" not in league.client.get(league.address).text
    assert len(league.lines()) == 4


def test_the_table_takes_no_more_queries_with_more_events_and_players(league, queries):
    league.add(league.events[0])
    league.close(league.events[0])
    few = queries(lambda: league.client.get(league.address))
    for number in league.events[1:]:
        league.add(number)
        league.close(number)
    many = queries(lambda: league.client.get(league.address))

    assert many == few <= 6


def test_namesakes_in_one_event_are_two_players(league):
    with league.database.transaction() as session:
        for player in session.exec(select(Player).where(Player.event_id == league.events[0])):
            if player.name == "Ben":
                player.name = "Ana"
    league.add(league.events[0])
    league.close(league.events[0])

    assert len(league.lines()) == 4
