"""Whole events in a real browser: a Ranked evening of 13 with everything that goes wrong in one, a double
elimination of 8, the main path without JavaScript, and the main path by keyboard alone.
"""

import re
from urllib.parse import urlparse
from uuid import uuid4

import pytest

from judge.storage.database import Database
from tests.builders import make_staff

NAMES = ["Ana", "Ben", "Cleo", "Dov", "Eva", "Finn", "Gaia", "Hugo", "Ines", "Joel", "Kira", "Liam", "Mona"]
HEROES = ["barbarian", "paladin", "treant"]


class Desk:
    """The organiser at a page of a browser."""

    def __init__(self, page, server):
        self.page, self.server = page, server
        self.faults = []
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: self.faults.append(str(error)))

    def sign_in(self):
        """As an organiser of one's own."""
        login = f"dana-{uuid4().hex[:8]}"
        database = Database(f"sqlite:///{self.server.instance / 'judge.sqlite3'}")
        with database.transaction() as session:
            make_staff(session, None, "organiser", login)
        database.close()
        self.page.goto(f"{self.server.url}/sign-in")
        self.page.locator("input[name=login]").fill(login)
        self.page.locator("input[name=password]").fill("correct horse")
        self.page.locator("main button").click()
        return self

    def create(self, name, preset="dice-throne-ranked", **fields):
        self.page.goto(f"{self.server.url}/events/new?preset={preset}")
        self.page.locator("input[name=name]").fill(name)
        for label, value in fields.items():
            self.page.get_by_label(label).fill(value)
        self.page.get_by_role("button", name="Create event").click()
        slug = re.search(r"/e/([^/]+)/", self.page.url)[1]
        self.path = f"{self.server.url}/e/{slug}"
        return self

    def go(self, path=""):
        self.page.goto(f"{self.path}/desk{path}")

    def add(self, names, heroes=True):
        self.go("/players/add")
        listed = ", ".join(HEROES) if heroes else ""
        rows = "\n".join(f'{name},"{listed}"' for name in names)
        self.page.locator("#csv").fill(f"name,heroes\n{rows}")
        self.page.get_by_role("button", name="Look at it first").click()
        self.page.get_by_role("button", name=re.compile("Add .* player")).click()

    def pair_and_publish(self, number):
        self.go()
        self.page.get_by_role("button", name=f"Pair round {number}").click()
        assert self.page.locator(".flash.error").count() == 0, "the checker finds no fault"
        self.page.get_by_role("button", name=f"Publish round {number}").click()

    def tables(self):
        """The open tables: number -> (name a, name b)."""
        self.go("/results")
        found = {}
        for line in self.page.locator(".missing li a").all():
            number, names = line.locator("span").all_inner_texts()
            found[int(number)] = tuple(names.split(" – "))
        return found

    def type_line(self, line):
        self.page.locator("#line").fill(line)
        self.page.locator("#line").press("Enter")
        self.page.locator(".flash.good, .flash.error").first.wait_for()

    def enter_all(self):
        """Side a wins everywhere, by the line."""
        for number in self.tables():
            self.go("/results")
            self.type_line(f"{number} a {10 + number} 0")

    def open_match(self, a, b):
        self.go("/rounds")
        self.page.get_by_role("link", name=f"{a} – {b}").click()


@pytest.fixture
def desk(page, shared_server):
    return Desk(page, shared_server)


def ban_and_pick(page):
    """Roll, ban, roll, pick, as the page asks for it."""
    for a, b in ((3, 3), (5, 2)):
        page.locator(f"input[name=die_a][value='{a}']").check(force=True)
        page.locator(f"input[name=die_b][value='{b}']").check(force=True)
        page.get_by_role("button", name="Write it down").click()
    page.locator("#selection button[name=side]").first.click()
    page.locator("#selection button[value=barbarian]").click()
    page.locator("#selection button[value=paladin]").click()
    page.locator("input[name=die_a][value='1']").check(force=True)
    page.locator("input[name=die_b][value='6']").check(force=True)
    page.get_by_role("button", name="Write it down").click()
    page.locator("#selection button[name=side]").first.click()
    assert page.locator("#selection button[disabled]").count() == 1, "the banned hero cannot be taken"
    page.locator("#selection button[value=treant]").click()
    page.locator("#selection button[value=treant]").click()


def report_from_a_phone(phone, link, winner, mine, theirs):
    phone.goto(link)
    phone.get_by_label(f"{winner} won", exact=True).check()
    phone.get_by_label(re.compile("Health of")).nth(0).fill(str(mine))
    phone.get_by_label(re.compile("Health of")).nth(1).fill(str(theirs))
    phone.get_by_role("button", name="Report it").click()


def private_link(desk, name):
    desk.go(f"/players?q={name}")
    desk.page.get_by_role("link", name=name, exact=True).click()
    return desk.page.locator("a[href*='/me/']").first.get_attribute("href")


def test_a_ranked_evening_of_thirteen(desk, phone, axe):
    page = desk.page
    desk.sign_in().create("Autumn Throne")
    desk.add(NAMES)

    # Round 1: bans and picks at one table, a report from both phones there, the rest by the line.
    desk.pair_and_publish(1)
    axe(page)
    number, (a, b) = next(iter(desk.tables().items()))
    desk.open_match(a, b)
    ban_and_pick(page)
    axe(page)
    links = {name: f"{private_link(desk, name)}/report" for name in (a, b)}
    report_from_a_phone(phone, links[a], a, 17, 0)
    assert "still has to confirm" in phone.locator("main").inner_text()
    axe(phone)
    phone.context.clear_cookies()  # the opponent has a phone of their own
    phone.goto(links[b])
    phone.get_by_role("button", name="Yes, that is right").click()
    assert "The result is settled" in phone.locator("main").inner_text()
    assert number not in desk.tables()
    axe(page)
    desk.enter_all()

    # Round 2 is public; then a slip of round 1 turns out to be misread.
    desk.pair_and_publish(2)
    paired = desk.tables()
    desk.go("/rounds/1")
    page.locator(".pairings a").nth(1).click()
    page.get_by_role("link", name="Correct it").click()
    page.locator("input[name=result][value=b]").check()
    page.get_by_label(re.compile("Health of")).nth(0).fill("0")
    page.get_by_label(re.compile("Health of")).nth(1).fill("12")
    page.get_by_label("Why is it corrected?").fill("slip misread")
    page.get_by_role("button", name="Show what follows").click()
    assert "Standings that change" in page.locator("main").inner_text()
    axe(page)
    page.get_by_role("button", name="Correct it").click()
    assert page.get_by_role("button", name="Undo").count() == 1
    assert desk.tables() == paired, "the published round stays as it is"

    # One player drops, one comes late.
    desk.go("/players?q=Mona")
    page.get_by_role("link", name="Mona", exact=True).click()
    page.get_by_role("button", name="Drop out").click()
    desk.enter_all()
    desk.add(["Nils"])
    desk.pair_and_publish(3)
    playing = {name for pair in desk.tables().values() for name in pair}
    assert "Nils" in playing
    assert "Mona" not in playing
    desk.enter_all()
    desk.pair_and_publish(4)
    desk.enter_all()

    desk.go()
    page.get_by_role("button", name="Finish the event").click()
    assert "The event is over" in page.locator("main").inner_text()
    page.get_by_role("link", name="Final standings").click()
    standings = page.locator("main").inner_text()
    assert all(name in standings for name in [*NAMES, "Nils"])
    desk.go("/log?kind=result")
    assert "slip misread" in page.locator("main").inner_text()
    axe(page)
    assert desk.faults == []


def test_a_double_elimination_of_eight(desk):
    desk.sign_in().create("Knock Out", "double-elimination")
    desk.add(NAMES[:8], heroes=False)
    number = 0
    while True:
        desk.go()
        if desk.page.get_by_role("button", name="Finish the event").count():
            break
        number += 1
        desk.pair_and_publish(number)
        desk.enter_all()

    assert number in (6, 7), "the rounds of a bracket of eight, with or without a second grand final"
    desk.go(f"/rounds/{number}")
    assert "Grand final" in desk.page.locator("main").inner_text()


def test_the_main_path_without_javascript(chromium, shared_server):
    context = chromium.new_context(java_script_enabled=False, locale="en")
    desk = Desk(context.new_page(), shared_server)
    desk.sign_in().create("Plain Evening")
    desk.add(NAMES[:4])
    desk.pair_and_publish(1)
    for number in list(desk.tables()):
        desk.type_line(f"{number} a 20 0")
    assert "Every result is in" in desk.page.locator("main").inner_text()
    desk.type_line("-")
    assert "Taken back" in desk.page.locator("main").inner_text()
    desk.go()
    desk.page.locator(".quick input[name=health_a]").fill("0")
    desk.page.locator(".quick input[name=health_b]").fill("20")
    desk.page.locator(".quick button[value=b]").click()
    assert "Every result of round 1 is in" in desk.page.locator("main").inner_text()
    desk.pair_and_publish(2)
    assert len(desk.tables()) == 2
    context.close()


def reach(page, name, most=80):
    """Tab until the thing with this name has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        here = page.evaluate(
            "(document.activeElement.innerText || document.activeElement.labels?.[0]?.innerText || '').trim()"
        )
        if here.startswith(name):
            return
    raise AssertionError(f"{name!r} cannot be reached by keyboard at {urlparse(page.url).path}")


def press(page, name):
    reach(page, name)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def test_the_main_path_by_keyboard_alone(desk):
    page = desk.page
    desk.sign_in()
    page.goto(f"{desk.server.url}/events/new")
    reach(page, "Name of the event")
    page.keyboard.type("Keyboard Evening")
    press(page, "Create event")
    desk.path = page.url.split("/desk")[0]
    desk.go("/players/add")
    reach(page, "One a line")
    page.keyboard.type("Ana\nBen\nCleo\nDov")
    press(page, "Add players")
    desk.go()
    press(page, "Pair round 1")
    press(page, "Publish round 1")
    press(page, "Enter 2 missing results")
    page.keyboard.type("1 a 22 0\n")
    page.locator(".entry-says .flash.good", has_text="22–0").wait_for()
    page.keyboard.type("2 b 0 7\n")
    page.locator(".entry-says .flash.good", has_text="0–7").wait_for()
    assert page.evaluate("document.activeElement.id") == "line", "the line keeps the focus"
    page.keyboard.press("?")
    assert page.locator("#keys").get_attribute("open") is not None
    page.keyboard.press("-")
    page.locator(".entry-says .flash.good", has_text="Taken back: table 2").wait_for()
    page.keyboard.type("2 b 3 7\n")
    page.locator(".entry-says .flash.error").wait_for()
    assert page.locator("#line").input_value() == "2 b 3 7 !", "a doubted line stands ready to be meant"
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Every result is in").wait_for()
    desk.go()
    press(page, "Pair round 2")
    assert "Round 2" in page.locator("h1").inner_text()
