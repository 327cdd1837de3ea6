"""Sixty tables typed on a network with 1.5 seconds of latency that loses every fifth request: nothing is lost
and nothing doubled, and what is refused comes back.
"""

import re
from random import Random

from sqlmodel import Session, create_engine, select

from judge.storage.tables import AuditRow, Match
from tests.browser.test_events_played import Desk


def test_sixty_tables_typed_on_a_bad_network(page, server):
    desk = Desk(page, server).sign_in().create("Slow evening")
    desk.add([f"Player {n:03}" for n in range(120)])
    desk.pair_and_publish(1)
    desk.go("/results")
    chance, lost = Random(7), []

    def lose(route):
        if route.request.method != "POST":
            return route.continue_()
        draw = chance.random()
        if draw < 0.1:  # the request never arrives
            lost.append("request")
            return route.abort()
        if draw < 0.2:  # it arrives, the answer does not
            lost.append("answer")
            route.fetch()
            return route.abort()
        return route.continue_()

    page.route("**/desk/results", lose)
    network = page.context.new_cdp_session(page)
    network.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 1500, "downloadThroughput": -1, "uploadThroughput": -1},
    )
    line = page.locator("#line")
    for table in range(1, 61):
        line.fill(f"{table} a {table % 40 + 1} 0" if table != 30 else "30 q 1 2")
        line.press("Enter")
    page.locator("#waiting-lines").wait_for(state="hidden", timeout=90_000)

    assert len(lost) > 5
    assert desk.faults == []
    assert page.locator("#refused-lines li").count() == 1
    assert line.input_value() == "30 q 1 2", "the line comes back with what was typed"
    with Session(create_engine(f"sqlite:///{server.instance / 'judge.sqlite3'}")) as session:
        matches = session.exec(select(Match)).all()
        entries = session.exec(select(AuditRow.subject_id).where(AuditRow.what == "result.entered")).all()
    assert {(m.table_no, m.result, m.health_a) for m in matches} == {
        (n, "a", n % 40 + 1) if n != 30 else (30, None, None) for n in range(1, 61)
    }
    assert len(entries) == len(set(entries)) == 59

    line.fill("30 a 20 0")
    line.press("Enter")
    line.press("-")
    page.locator("#waiting-lines").wait_for(state="hidden", timeout=60_000)
    assert re.search("Taken back: table 30|already", page.locator("#entry-outcome").inner_text())
    assert page.locator("#refused-lines li").count() == 0
