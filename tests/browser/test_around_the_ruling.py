"""Judge calls, penalties, the event's catalogue and the rule book in a real browser, mostly on a phone."""

import re

import pytest
from sqlmodel import select

from judge.services.accounts.accounts import make_token
from judge.services.dispute import drafts as table_drafts
from judge.services.dispute import kept_rulings
from judge.services.dispute.case import Case
from judge.services.event.catalogue import remember_word
from judge.storage.database import Database
from judge.storage.rulings import JudgeCall, Penalty
from judge.storage.tables import Match
from tests.builders import DESK, NOW, make_event, make_players, make_round, make_staff

DISPUTE = {
    "game": "dice-throne",
    "edition": "fr-2.4.1",
    "mode": "duel",
    "players": [
        {"id": "A", "hero": "barbarian"},
        {"id": "B", "hero": "paladin", "statuses": {"retribution": 1, "protect": 1}},
    ],
    "events": [
        {"by": "A", "activate": "overpower", "on": "B", "effects": [{"deal": 18, "type": "normal"}]},
        {"by": "B", "spend": "retribution"},
        {"by": "B", "spend": "protect"},
    ],
}


@pytest.fixture(scope="module")
def hall(shared_server):
    """Two tables and a head judge; hall.me is Ana's private page, hall.cleo that of a player at table 2."""
    server = shared_server
    database = Database(f"sqlite:///{server.instance / 'judge.sqlite3'}")

    class Hall:
        def __init__(self):
            with database.transaction() as session:
                event = make_event(session, slug="around-the-ruling")
                people = make_players(session, event, 4)
                make_round(session, event, [(people[0], people[1]), (people[2], people[3])])
                make_staff(session, event, "head-judge", "dana")
                card = {"names": {"en": "Storm"}, "kind": "instant", "effects": [{"deal": 4, "type": "pure"}]}
                remember_word(session, event, DESK, "card", card)
                secret = (server.instance / "secret").read_text().strip()
                ana, _, cleo, _ = people
                self.me = f"{server.url}/me/{make_token(secret, 'player', ana.id, 1)}"
                self.cleo = f"{server.url}/me/{make_token(secret, 'player', cleo.id, 1)}"
                self.ana, self.event = ana.id, event.id
                kept = kept_rulings.keep(
                    session, Case(DISPUTE), NOW, actor=DESK, event=event, title="Overpower for 18"
                ).result
                kept.is_precedent, self.kept = True, kept.key
                draft = table_drafts.begin(session, DISPUTE, NOW)
                self.game = f"{server.url}/rule/{draft.token}/game"
            self.url, self.desk = server.url, f"{server.url}/e/around-the-ruling/desk"

        def rows(self, model):
            with database.session() as session:
                return session.exec(
                    select(model).where(model.event_id == self.event).order_by(model.id)
                ).all()

        def sign_in(self, page):
            page.goto(f"{self.url}/sign-in")
            page.locator("input[name=login]").fill("dana")
            page.locator("input[name=password]").fill("correct horse")
            page.locator("main button").click()
            page.wait_for_url(lambda url: "sign-in" not in url)
            return page

    made = Hall()
    yield made
    database.close()


def test_a_call_from_a_phone_is_claimed_resolved_and_gives_its_minutes(hall, phone, page, axe, hurry):
    hall.sign_in(page).goto(f"{hall.desk}/log")
    phone.clock.install()
    phone.goto(hall.me)
    phone.get_by_role("link", name="Call a judge").click()
    phone.get_by_label("What is it about?").fill("Protect twice?")
    axe(phone)
    phone.get_by_role("button", name="Call a judge").click()
    phone.get_by_text("The judges have been called.").wait_for()
    axe(phone)

    page.goto(f"{hall.desk}/calls")
    assert page.locator(".tabs .count").inner_text().startswith("1")
    page.get_by_role("button", name="I am going").click()
    axe(page)
    hurry(phone, lambda: phone.get_by_text("A judge is coming: Dana").is_visible())  # by itself, no reload
    page.get_by_role("button", name=re.compile(r"Resolved, \+1 min")).click()
    page.get_by_text("extra time: 1 min").wait_for()

    assert [call.state for call in hall.rows(JudgeCall)] == ["resolved"]
    assert hall.rows(Match)[0].extension_s == 60
    phone.goto(hall.me)
    phone.get_by_text("Your table has 1 minute extra").wait_for()


def test_a_call_works_without_javascript(hall, chromium):
    context = chromium.new_context(
        java_script_enabled=False, viewport={"width": 390, "height": 844}, locale="en"
    )
    phone = context.new_page()
    phone.goto(f"{hall.cleo}/call")
    phone.get_by_role("button", name="Call a judge").click()

    assert phone.get_by_text("The judges have been called.").is_visible()
    context.close()


def test_a_penalty_on_a_phone_becomes_a_game_loss(hall, phone, axe):
    hall.sign_in(phone).goto(f"{hall.desk}/penalties")
    axe(phone)
    phone.get_by_role("link", name="Give a penalty").click()
    phone.get_by_label("Player").select_option(label="Ben")
    phone.get_by_label("What happened").select_option(label="Hero that was not allowed")
    phone.get_by_role("button", name="Go on").click()
    axe(phone)
    assert phone.get_by_label("Game loss").is_checked()
    phone.get_by_role("button", name="Give it").click()
    phone.get_by_text("Recorded: Game loss").wait_for()

    assert [given.penalty for given in hall.rows(Penalty)] == ["game-loss"]
    assert hall.rows(Match)[0].result == "a"


def test_a_rule_is_found_and_read_on_a_phone(hall, phone):
    phone.goto(f"{hall.url}/rules")
    phone.get_by_label("Search the rules").fill("degats entrants")
    phone.get_by_role("button", name="Search").click()
    phone.locator(".rule-line").first.click()

    assert phone.get_by_role("heading", name="Where the books say it").is_visible()
    assert "/rules/DT-" in phone.url


def test_a_game_is_stepped_through_and_mended_on_a_phone(hall, phone, axe):
    phone.goto(hall.game)
    axe(phone)
    phone.get_by_role("link", name="To the beginning").click()
    for n in (1, 2):
        phone.get_by_role("link", name="One event forward").click()
        phone.locator(".stepper-at", has_text=f"{n} of 3").wait_for()
    assert "Retribution" in phone.locator(".boards").inner_text()
    phone.get_by_role("link", name=re.compile(r"what if not\?\s*: 2")).click()
    phone.get_by_text("If event 2 should not have counted").wait_for()
    phone.wait_for_timeout(200)
    edges = "['#repair', '.stepper'].map(s => document.querySelector(s).getBoundingClientRect())"
    assert phone.evaluate(f"(([answer, stuck]) => answer.top >= stuck.bottom)({edges})")
    axe(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.get_by_text("The table shows something else").click()
    phone.get_by_label("Protect").last.fill("7")
    phone.get_by_role("button", name="What has to change?").click()
    phone.locator("#repair", has_text="Protect").wait_for()
    axe(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_similar_rulings_come_when_the_taps_have_paused(hall, phone, axe):
    hall.sign_in(phone)
    phone.goto(f"{hall.url}/r/{hall.kept}")
    phone.get_by_role("button", name="New table from this one").click()
    phone.wait_for_selector("#table")
    phone.locator("#similar summary", has_text=re.compile(r"\d similar ruling.*, 1 precedent")).click()
    axe(phone)
    phone.locator("#similar a", has_text="Overpower for 18").click()

    phone.wait_for_url(f"**/r/{hall.kept}")


def test_a_game_is_stepped_through_with_the_arrow_keys(hall, page):
    page.goto(hall.game)
    assert "←" in page.locator(".keys").inner_text()
    for key, n in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 3)):
        page.keyboard.press(key)
        page.locator(".stepper-at", has_text=f"{n} of 3").wait_for()
    page.get_by_text("The table shows something else").click()
    page.locator("#health_1").fill("30")
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(300)

    assert "3 of 3" in page.locator(".stepper-at").inner_text()
    assert page.locator("#health_1").input_value() == "30"


PAGES = [
    "/rules", "/rules?q=damage", "/rules/J-02", "/rules/DT-TIME-01", "/rules/differences", "/heroes",
    "/heroes/paladin", "/heroes/cursed-pirate", "/tools",
    "/tools/damage?incoming=18&adds=5&prevents=3+3&halves=2&returns=1",
    "/tools/dice?hero=barbarian&die=1&die=2&die=3&die=3&die=6", "/tools/target?mode=2v2&die=5",
    "/tools/upgrade?in_play=2&cost_in_play=3&level=3&cost=4&cp=5",
    "DESK/calls", "DESK/penalties?noticed=same&state=ok", "DESK/penalties/new?player=ANA&infraction=late",
    "DESK/penalties/catalogue?edit=late", "DESK/catalogue", "DESK/catalogue/card/storm",
    "DESK/catalogue/status/new", "DESK/catalogue/hero/new", "ME/call",
]  # fmt: skip


@pytest.mark.parametrize("part", range(4))
def test_every_page_fits_and_serves_everybody(hall, page, look_over, part):
    hall.sign_in(page)
    paths = [
        path.replace("DESK", hall.desk).replace("ME", hall.me).replace("ANA", str(hall.ana))
        for path in PAGES[part::4]
    ]
    look_over(page, [path if path.startswith("http") else hall.url + path for path in paths])
