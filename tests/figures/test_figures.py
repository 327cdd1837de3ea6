"""Figures of an event and a season: counted by hand here, with Wilson's intervals from the literature."""

import csv
import re
from io import StringIO

import pytest
from sqlmodel import select

from judge.services.figures.counting import Played, Share, figures_of, wilson
from judge.storage.events import Match
from judge.storage.seasons import Season, SeasonEvent
from tests.builders import NOW, make_event, make_players, make_round, make_staff


def played(a="monk", b="treant", won="a", *, first=None, health=None, bans=()):
    return Played((a, b), tuple(bans), bool(bans), first, won, health)


# Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_intervals_are_those_of_the_literature(count, of, low, high):
    assert wilson(count, of) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_an_interval_holds_its_share_and_stays_within_bounds():
    for of in (1, 2, 7, 50):
        for count in range(of + 1):
            low, high = wilson(count, of)
            assert 0 <= low <= count / of <= high <= 1
    assert Share(0, 0).interval is None


def test_wins_are_of_decided_matches_against_other_heroes():
    figures = figures_of([
        played(won="a"), played(won="b"), played(won="a"), played(won="draw"), played("monk", "monk"),
    ])  # fmt: skip
    monk, treant = figures.heroes

    assert (monk.hero, monk.picked, monk.won, monk.drawn) == ("monk", Share(5, 5), Share(2, 3), 1)
    assert (treant.picked, treant.won) == (Share(4, 5), Share(1, 3))
    assert [(d.hero, d.other, d.won) for d in figures.duels] == [
        ("monk", "treant", Share(2, 3)), ("treant", "monk", Share(1, 3)),
    ]  # fmt: skip


def test_bans_are_of_the_matches_in_which_somebody_banned():
    figures = figures_of([played(bans=["paladin", "monk"]), played(bans=["paladin"]), played()])

    assert {h.hero: h.banned for h in figures.heroes}["paladin"] == Share(2, 2)


def test_first_player_and_margins():
    figures = figures_of([
        played(first="a", won="a", health=(12, 0)),
        played(first="b", won="a", health=(4, 0)),
        played(first="a", won="draw", health=(0, 0)),
        Played(None, (), False, "b", "b", (0, 7)),
    ])  # fmt: skip

    assert figures.first == Share(2, 3)
    assert figures.margins.steps == (1, 1, 1)
    assert (figures.margins.count, figures.margins.median) == (3, 7.0)


def test_nothing_played_gives_empty_figures():
    figures = figures_of([])

    assert (figures.matches, figures.heroes, figures.margins.count) == (0, (), 0)


@pytest.fixture
def hall(app):
    database = app.extensions["judge.database"]
    with database.transaction() as session:
        event = make_event(session)
        people = make_players(session, event, 6)
        make_round(session, event, [(people[0], people[1]), (people[2], people[3]), (people[4], people[5])])
        one, two, three = session.exec(select(Match).order_by(Match.id)).all()
        one.result, one.health_a, one.health_b = "a", 22, 0
        one.selection = {"picks": {"a": "monk", "b": "treant"}, "first": "a", "bans": {"a": ["paladin"]}}
        two.result, two.selection = "b", {"picks": {"a": "monk", "b": "treant"}}
        three.selection = {"picks": {"a": "ninja", "b": "treant"}}  # still being played
        owner = make_staff(session, event, "organiser")
        season = Season(slug="s", name="Age", account_id=owner.id, points={"places": [3]}, created_at=NOW)
        session.add(season)
        session.flush()
        session.add(SeasonEvent(season_id=season.id, event_id=event.id, standings=[], frozen_at=NOW))
    return database


@pytest.mark.parametrize("address", ["/e/autumn-throne/figures", "/s/s/figures"])
def test_the_page_has_plots_with_names_tables_and_csv(client, hall, address):
    page = client.get(f"{address}?lang=fr").text
    rows = list(csv.DictReader(StringIO(client.get(f"{address}/heroes.csv").text.lstrip("\ufeff"))))

    assert page.count('<svg class="plot') == 5
    assert all(
        re.search(rf'id="{name}-table"', page) for name in ("heroes", "wins", "duels", "first", "margins")
    )
    for described in re.findall(r'aria-describedby="(\w+-table)"', page):
        assert f'id="{described}"' in page
    assert "Tréant" in page
    assert "Ninja" not in page, "a match that is being played does not count"
    assert [(r["id"], r["picked_n"], r["won_n"], r["won_of"]) for r in rows] == [
        ("monk", "2", "1", "2"), ("treant", "2", "1", "2"), ("paladin", "0", "0", "0"),
    ]  # fmt: skip
    assert client.get(f"{address}/others.csv").status_code == 200
    assert client.get(f"{address}/nothing.csv").status_code == 404


def test_the_page_takes_as_many_queries_whatever_was_played(client, hall, queries):
    few = queries(lambda: client.get("/e/autumn-throne/figures"))
    with hall.transaction() as session:
        event = make_event(session, slug="other")
        people = make_players(session, event, 40)
        make_round(session, event, list(zip(people[::2], people[1::2], strict=True)))
        for match in session.exec(select(Match).where(Match.event_id == event.id)):
            match.result, match.selection = "a", {"picks": {"a": "monk", "b": "treant"}}

    assert queries(lambda: client.get("/e/other/figures")) == few <= 8
