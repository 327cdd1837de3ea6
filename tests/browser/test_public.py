"""The public pages in a real browser: up to date by themselves, on a phone, on the big screen, offline."""

from datetime import UTC, datetime

import pytest
from sqlmodel import select

from judge.services.accounts.accounts import make_token
from judge.services.log.changes import changing
from judge.services.play.clock import start
from judge.storage.database import Database
from judge.storage.events import Event, Match, Player, Round
from tests.builders import DESK, make_event, make_players, make_round


@pytest.fixture(scope="module")
def hall(shared_server):
    """A running server with an event of 64 players in round 1: its address and its database."""
    database = Database(f"sqlite:///{shared_server.instance / 'judge.sqlite3'}")
    with database.transaction() as session:
        event = make_event(session, slug="hall")
        people = make_players(session, event, 64)
        make_round(session, event, list(zip(people[::2], people[1::2], strict=True)))
    yield f"{shared_server.url}/e/hall", database
    database.close()


def event_of(session):
    return session.exec(select(Event).where(Event.slug == "hall")).one()


def enter(database, table):
    with database.transaction() as session:
        event = event_of(session)
        match = session.exec(select(Match).where(Match.event_id == event.id, Match.table_no == table)).one()
        with changing(session, event, DESK, "result.entered", match):
            match.result, match.health_a, match.health_b = "a", 17, 0


def fits(page):
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_phone_shows_a_new_result_within_five_seconds_without_reloading(hall, phone):
    address, database = hall
    phone.goto(address)
    phone.wait_for_timeout(1500)

    enter(database, 1)

    phone.get_by_text("17–0").wait_for(timeout=5500)
    assert fits(phone)


def test_typing_a_name_leaves_only_that_table(hall, phone):
    address, _ = hall
    phone.goto(address)

    phone.fill("[data-find]", "cleo 2")

    assert phone.locator(".pairs tbody tr:visible").count() == 1


def test_a_lost_network_is_said_and_what_was_known_stays(hall, phone, hurry):
    address, _ = hall
    phone.clock.install()
    phone.goto(address)
    phone.clock.run_for(1500)

    phone.context.set_offline(True)
    hurry(phone, lambda: phone.locator(".lost").is_visible())

    assert phone.locator(".pairs tbody tr").count() == 32
    phone.context.set_offline(False)
    hurry(phone, lambda: phone.locator(".lost").is_hidden())


def test_the_big_screen_turns_its_pages_and_survives_a_lost_network(hall, chromium, hurry):
    address, database = hall
    enter(database, 3)
    context = chromium.new_context(viewport={"width": 1920, "height": 1080})
    page = context.new_page()
    page.clock.install()
    page.goto(f"{address}/screen")
    page.clock.run_for(1500)

    assert page.locator(".panel.on").count() == 1
    shown = page.locator(".panel.on [data-pages] li:visible")
    box = page.locator(".panel.on [data-pages]").bounding_box()
    last = shown.last.bounding_box()
    assert 1 < shown.count() < 32
    assert last["y"] + last["height"] <= box["y"] + box["height"] + 1
    assert shown.first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)") >= 36
    context.set_offline(True)
    hurry(page, lambda: page.locator(".lost").is_visible())
    assert page.locator(".panel.on [data-pages] li:visible").count() > 1
    context.close()


def test_the_clock_counts_down_by_the_servers_time(hall, phone):
    address, database = hall
    with database.transaction() as session:
        event = event_of(session)
        round_ = session.exec(select(Round).where(Round.event_id == event.id)).one()
        start(session, event, round_, DESK, datetime.now(UTC), setup=False)
    phone.goto(f"{address}/clock")
    phone.wait_for_timeout(1500)
    first = phone.locator(".clock-time").inner_text()
    phone.wait_for_timeout(2200)

    assert first.startswith(("29:", "30:"))
    assert phone.locator(".clock-time").inner_text() < first


def test_every_public_page_fits_and_is_accessible(hall, page, shared_server, look_over):
    address, database = hall
    enter(database, 2)
    with database.session() as session:
        player = session.exec(select(Player).where(Player.event_id == event_of(session).id)).first()
    secret = (shared_server.instance / "secret").read_text().strip()
    me = f"{shared_server.url}/me/{make_token(secret, 'player', player.id, 1)}"
    places = ("", "?by=name", "/standings", "/standings/1", "/clock", "/bracket")
    look_over(page, [*(f"{address}{place}" for place in places), me])


def test_without_javascript_the_name_is_found_by_the_form(hall, chromium):
    address, _ = hall
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    page.fill("#q", "ben")
    page.click("form.find button")

    assert page.locator(".pairs tbody tr").count() >= 1
    assert "Cleo" not in page.content()
    context.close()
