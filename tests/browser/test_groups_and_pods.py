"""A small event of pods and one of groups in a real browser, the desk on a phone-sized page."""

import re

import pytest

from tests.browser.test_events_played import Desk, private_link

NAMES = ["Ana", "Ben", "Cleo", "Dov", "Eva", "Finn", "Gaia", "Hugo"]
PUBLIC = ("", "?by=name", "/standings", "/bracket", "/screen")


def fits(page):
    return not page.evaluate("document.documentElement.scrollWidth > innerWidth")


LONG = "Maximilian-Alexander von Hohenstein"


@pytest.fixture
def desk(phone, shared_server):
    return Desk(phone, shared_server)


def tap_scores(page, scores):
    """The pod's form: a score for everybody."""
    for n, score in enumerate(scores):
        page.locator(f"[name=seat_{n}]").first.fill(str(score))


def test_an_evening_of_pods_run_from_a_phone(desk, page, chromium, axe, look_over):
    phone = desk.page
    desk.sign_in().create("Forge Night", "dice-forge-pods")
    desk.add(NAMES, heroes=False)

    # Round 1: one table by taps, the other reported by two of its players.
    desk.pair_and_publish(1)
    axe(phone)
    assert fits(phone)
    first, second = desk.tables().items()
    desk.go()
    assert fits(phone)
    tap_scores(phone, (61, 95, 80, 72))
    phone.get_by_role("button", name="Enter the result").first.click()
    axe(phone)
    links = {name: f"{private_link(desk, name)}/report" for name in second[1][2:]}
    page.set_viewport_size({"width": 390, "height": 844})
    for n, link in enumerate(links.values()):
        if n == 1:  # reports from one phone do not confirm each other
            page = chromium.new_context(locale="en", viewport={"width": 390, "height": 844}).new_page()
        page.goto(link)
        axe(page)
        if n == 0:
            tap_scores(page, (50, 40, 30, 20))
            page.get_by_role("button", name="Report it").click()
            assert "One more of your table" in page.locator("main").inner_text()
        else:
            page.get_by_role("button", name="Yes, that is right").click()
    assert "The result is settled" in page.locator("main").inner_text()
    page.context.close()

    # Rounds 2 and 3 by the line; a correction of round 1 is looked at first.
    for number in (2, 3):
        desk.pair_and_publish(number)
        for table in desk.tables():
            desk.go("/results")
            desk.type_line(f"{table} {90 + table} 70 60 50")
    desk.go("/rounds/1")
    phone.get_by_role("link", name=" – ".join(first[1])).click()
    phone.get_by_role("link", name="Correct it").click()
    tap_scores(phone, (99, 95, 80, 72))
    phone.get_by_label("Why is it corrected?").fill("a 9 read as a 6")
    phone.get_by_role("button", name="Show what follows").click()
    assert "Standings that change" in phone.locator("main").inner_text()
    axe(phone)
    assert fits(phone)
    phone.get_by_role("button", name="Correct it").click()

    # The best four meet at one last table.
    desk.go()
    phone.get_by_role("button", name="Start the top 4").click()
    phone.get_by_role("button", name="Publish round 4").click()
    desk.go("/results")
    desk.type_line("1 100 90 80 70")
    phone.goto(f"{desk.path}/standings?lang=en")
    assert "Final table" in phone.locator("main").inner_text()
    paths = (*PUBLIC, "/desk", "/desk/results", "/desk/rounds/1", "/desk/settings")
    look_over(phone, [desk.path + path for path in paths if path != "/bracket"])
    assert desk.faults == []


def test_places_of_a_king_of_the_hill_fit_a_phone(desk, axe):
    phone = desk.page
    desk.sign_in().create("Hill", "king-of-the-hill")
    desk.add([LONG, f"{LONG} junior", *NAMES[:2]], heroes=False)
    desk.pair_and_publish(1)
    for path in ("", "/results", "/rounds/1", "/clock"):
        for lang in ("fr", "ru", "en"):
            desk.go(f"{path}?lang={lang}")
            assert fits(phone), (path, lang)
        axe(phone)
    desk.go()
    for n, place in enumerate("2113"):
        phone.locator(f"[name=seat_{n}]").select_option(place)
    phone.get_by_role("button", name="Enter the result").click()
    assert "These places cannot be" in phone.locator("main").inner_text()
    desk.go()
    for n, place in enumerate("3114"):
        phone.locator(f"[name=seat_{n}]").select_option(place)
    phone.get_by_role("button", name="Enter the result").click()
    desk.go("/rounds/1")
    assert re.search(r"1\. .+, 1\. .+, 3\. .+, 4\. ", phone.locator("main").inner_text())
    assert fits(phone)


def test_groups_and_their_bracket(desk, look_over):
    phone = desk.page
    desk.sign_in().create("Autumn Groups", "groups-and-bracket")
    desk.add(NAMES, heroes=False)
    for number in (1, 2, 3):
        desk.pair_and_publish(number)
        desk.enter_all()
    desk.go()
    assert "The groups are over" in phone.locator("main").inner_text()
    phone.get_by_role("button", name="Start the top 4").click()
    phone.get_by_role("button", name="Publish round 4").click()
    desk.enter_all()
    desk.pair_and_publish(5)
    desk.enter_all()
    desk.go()
    phone.get_by_role("button", name="Finish the event").click()

    look_over(phone, [desk.path + path for path in (*PUBLIC, "/desk", "/desk/rounds/1", "/desk/settings")])
    phone.goto(f"{desk.path}/bracket?lang=en")
    text = phone.locator("main").inner_text()
    assert re.search("Winner: ", text)
    assert "Group A" in text
    assert desk.faults == []
