"""Every page of rounds and results fits a phone and a laptop, in every language, and serves everybody."""

import pytest
from sqlmodel import select

from judge.services.accounts.accounts import make_token
from judge.services.pairing.rounds import pair_next, publish
from judge.services.play.outcomes import Outcome
from judge.services.play.reports import report
from judge.services.play.results import enter
from judge.storage.database import Database
from judge.storage.tables import Match
from tests.builders import DESK, NOW, make_event, make_players, make_staff

LONG = "Maximilian-Alexander von Hohenstein"


@pytest.fixture
def paths(server, page):
    """An event in its second round with a draft beside it; the organiser is signed in."""
    database = Database(f"sqlite:///{server.instance / 'judge.sqlite3'}")
    with database.transaction() as session:
        event = make_event(session)
        players = make_players(session, event, 7, heroes=["barbarian", "paladin", "treant"])
        players[0].name, players[1].name = LONG, f"{LONG} junior"
        make_staff(session, event, "organiser")
        for number in (1, 2):
            round_ = pair_next(session, event, DESK, number, despite_missing=True).result
            if number == 1:
                publish(session, event, DESK, number, round_.version, NOW)
                found = session.exec(select(Match).where(Match.round_id == round_.id)).all()
                first, second, third = [m for m in found if m.b_id]
                for match in (first, second):
                    enter(session, event, DESK, match.id, Outcome("a", None, 20, 0))
                report(session, event, third.id, "a", Outcome("a", None, 9, 0), NOW)
                report(session, event, third.id, "b", Outcome("b", None, 0, 9), NOW)
                pages = [f"matches/{first.id}/correct", f"matches/{third.id}"]
        drafted = session.exec(select(Match).where(Match.round_id == round_.id, Match.table_no < 3)).all()
        one, other, version = drafted[0].a_id, drafted[1].b_id, round_.version
        link = make_token((server.instance / "secret").read_text().strip(), "table", third.id, 1)
    database.close()
    page.goto(f"{server.url}/sign-in")
    page.locator("input[name=login]").fill("organiser")
    page.locator("input[name=password]").fill("correct horse")
    page.locator("main button").click()
    swap = f"rounds/2/swap?one={one}&other={other}&version={version}"
    desk = f"{server.url}/e/autumn-throne/desk"
    return [
        desk,
        *(f"{desk}/{p}" for p in ("rounds/1", "rounds/2", swap, "results", "log", *pages)),
        f"{server.url}/table/{link}",
    ]


def test_pages_of_the_desk_fit_and_serve_everybody(page, paths, look_over):
    look_over(page, paths)
