"""No page of the desk asks the database more often because more people play."""

import pytest
from sqlalchemy import event as sa_event
from sqlmodel import select

from judge.services.event.event_view import event_view
from judge.services.play.outcomes import Outcome
from judge.services.play.results import enter
from judge.storage.tables import HeroBox, Match
from tests.builders import DESK, make_event, make_players, make_round, make_staff

PAGES = (
    "", "/now", "/rounds/1", "/rounds/2", "/results", "/results/missing", "/matches/{match}",
    "/matches/{match}/correct", "/log", "/announcements", "/boxes", "/clock", "/calls", "/calls/banner",
    "/penalties", "/standings", "/files", "/settings", "/players/{player}",
)  # fmt: skip


@pytest.fixture
def count(app, sign_in):
    """count(players, path): the queries of one page at an event of that size, in its second round."""
    database = app.extensions["judge.database"]

    def counted(size, path):
        with database.transaction() as session:
            event = make_event(session, slug=f"event-{size}")
            players = make_players(session, event, size)
            for number in (1, 2):
                make_round(session, event, list(zip(players[::2], players[1::2], strict=True)), number=number)
            session.add_all(
                HeroBox(event_id=event.id, hero="monk", label=str(n), player_id=player.id)
                for n, player in enumerate(players)
            )
            first = session.exec(select(Match).where(Match.event_id == event.id)).first()
            enter(session, event, DESK, first.id, Outcome("a", None, 9, 0))
            client = sign_in(app.test_client(), make_staff(session, event, "organiser", f"o-{size}"))
            path = f"/e/event-{size}/desk{path.format(match=first.id, player=players[0].id)}"
        seen = []
        note = lambda *args: seen.append(args[2])  # noqa: E731
        sa_event.listen(database.engine, "before_cursor_execute", note)
        assert client.get(path).status_code == 200
        sa_event.remove(database.engine, "before_cursor_execute", note)
        return len(seen)

    return counted


@pytest.mark.parametrize("path", PAGES)
def test_a_page_asks_as_often_for_many_players_as_for_few(count, path):
    few, many = count(4, path), count(48, path)

    assert few == many <= 20


def test_a_result_takes_six_statements(database):
    with database.transaction() as session:
        event = make_event(session)
        make_round(session, event, [tuple(make_players(session, event, 2))])
        match, event = session.exec(select(Match.id)).one(), event_view(event)
    seen = []
    sa_event.listen(database.engine, "before_cursor_execute", lambda *args: seen.append(args[2]))
    with database.transaction() as session:
        session.connection()
        seen.clear()
        enter(session, event, DESK, match, Outcome("a", None, 9, 0))

    # the event's row, the match with its names; the match, the version; the place in the log, the entry
    words = [statement.split()[0] for statement in seen]
    assert words == ["SELECT", "SELECT", "UPDATE", "UPDATE", "SELECT", "INSERT"]
