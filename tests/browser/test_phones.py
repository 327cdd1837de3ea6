"""Two players' phones in a real browser: the toss, bans and picks seen on both without reloading; and every
page for phones, seasons, figures, boxes and programs fits a phone and is accessible.
"""

import pytest
from sqlmodel import select

from judge.services.accounts.accounts import make_token
from judge.services.boxes.boxes import add_boxes
from judge.services.season.seasons import SeasonFacts, add_event, create_season
from judge.storage.database import Database
from judge.storage.events import Match, Staff
from tests.builders import DESK, NOW, make_event, make_players, make_round, make_staff

SECRET = "a secret for tests only"
HEROES = {"mode": "bring-ban", "bring": 3, "ban": 1}


@pytest.fixture
def hall(start_server):
    """A table whose players have phones, and an event that is over, in a season."""
    server = start_server(JUDGE_SECRET_KEY=SECRET)
    database = Database(f"sqlite:///{server.instance / 'judge.sqlite3'}")
    with database.transaction() as session:
        event = make_event(session, slug="hall", settings={"heroes": HEROES}, state="running")
        ana, ben = make_players(session, event, 2)
        ana.heroes, ben.heroes = ["monk", "paladin", "treant"], ["barbarian", "shadow-thief", "moon-elf"]
        make_round(session, event, [(ana, ben)])
        over = make_event(session, slug="over", state="finished")
        people = make_players(session, over, 4)
        make_round(session, over, [(people[0], people[1]), (people[2], people[3])])
        for match in session.exec(select(Match).where(Match.event_id == over.id)):
            match.result, match.health_a, match.health_b = "a", 12, 0
            match.selection = {
                "picks": {"a": "monk", "b": "treant"},
                "first": "a",
                "bans": {"a": ["paladin"]},
            }
        owner = make_staff(session, event, "organiser")
        session.add(Staff(event_id=over.id, account_id=owner.id, role="organiser"))
        add_boxes(session, event, DESK, "monk", 2, "Blue", None)
        season = create_season(session, SeasonFacts("Age", {"places": [3, 1]}, None), owner, NOW).result
        session.flush()
        actor = DESK.__class__(owner.name, owner.id)
        add_event(session, season, actor, over.id, NOW)
        links = [f"{server.url}/me/{make_token(SECRET, 'player', p.id, 1)}" for p in (ana, ben)]
    yield server.url, links, season.slug
    database.close()


def fits(page):
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_toss_is_seen_on_both_phones_without_reloading(hall, chromium):
    _, links, _ = hall
    contexts = [chromium.new_context(viewport={"width": 390, "height": 844}, locale="en") for _ in links]
    ana, ben = (context.new_page() for context in contexts)
    ana.goto(f"{links[0]}/heroes")
    ben.goto(f"{links[1]}/heroes")
    ana.get_by_role("button", name="Throw my die").click()
    ana.get_by_text("Waiting for Ben").wait_for()
    ben.get_by_role("button", name="Throw my die").click()
    ana.get_by_text("Waiting for Ben").wait_for(state="detached", timeout=20000)

    assert ana.locator(".throw .pips").count() >= 2, "both dice, brought by the page itself"
    for context in contexts:
        context.close()


def test_every_new_page_fits_a_phone_and_is_accessible(hall, phone, axe):
    url, links, season = hall
    public = [f"{links[0]}{page}" for page in ("", "/heroes", "/declare", "/leave", "/needs", "/check-in")]
    public += [f"{url}{page}" for page in (f"/s/{season}", f"/s/{season}/figures", "/e/over/figures")]
    public += [f"{url}/embed/over/{page}" for page in ("standings", "bracket")]
    for address in public:
        phone.goto(address)
        assert fits(phone), address
        axe(phone)
    phone.goto(f"{url}/sign-in")
    phone.fill("input[name=login]", "organiser")
    phone.fill("input[name=password]", "correct horse")
    phone.keyboard.press("Enter")
    phone.wait_for_url("**/events")
    for page in (
        "/e/hall/desk/connect",
        "/e/hall/desk/boxes",
        "/e/hall/desk/players",
        "/seasons",
        f"/s/{season}/edit",
    ):
        phone.goto(f"{url}{page}")
        assert fits(phone), page
        axe(phone)
