"""From the first start to players at the door, in a real browser."""

from __future__ import annotations

import re

PASSWORD = "correct horse battery"
NAMES = "Ana; Lyon\nBen\nCleo; Lyon\nDov"


def first_link(server):
    return re.search(r"(http://\S+/join/\S+)", "".join(server.output))[1]


def make_account(page, server):
    page.goto(first_link(server))
    page.get_by_label("Your name").fill("Olga Orga")
    page.get_by_label("Sign-in name").fill("olga")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Make account").click()


def create_event(page):
    page.get_by_role("link", name="New event", exact=True).click()
    page.get_by_label("Name of the event").fill("Spring Throne")
    page.get_by_role("button", name="Create event").click()


def paste_players(page):
    page.get_by_role("link", name="Add players").click()
    page.get_by_label("One a line").fill(NAMES)
    page.get_by_role("button", name="Add players").click()


def fits(page):
    """Nothing sticks out to the right of the screen."""
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def walk(page, server, look=lambda page: None):
    make_account(page, server)
    look(page)
    create_event(page)
    look(page)
    paste_players(page)
    look(page)
    page.get_by_role("button", name="Check in: Ana").click()
    page.get_by_role("button", name="Check in all").click()


def test_the_first_organiser_creates_an_event_and_checks_players_in_on_a_phone(phone, server, axe):
    def look(page):
        axe(page)
        assert fits(page)

    walk(phone, server, look)

    assert phone.locator(".tally .number").inner_text() == "4 / 4"
    phone.get_by_role("link", name="Ana", exact=True).click()
    look(phone)
    for tab in ("Staff", "Settings"):
        phone.get_by_role("navigation", name="Desk").get_by_role("link", name=tab).click()
        look(phone)


def test_the_same_without_javascript(chromium, server):
    context = chromium.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    walk(page, server)

    assert page.locator(".tally .number").inner_text() == "4 / 4"
    context.close()


def test_staff_signs_in_after_a_lost_password(page, server, judge):
    make_account(page, server)
    page.goto(f"{server.url}/account")
    page.get_by_role("button", name="Sign out", exact=True).click()
    command = judge("reset-password", "OLGA", HOST="127.0.0.1", PORT=server.url.rpartition(":")[2])
    printed, _ = command.communicate(timeout=30)
    page.goto(printed.strip())
    page.get_by_label("New password").fill("another long sentence")
    page.get_by_role("button", name="Save and sign in").click()

    assert page.get_by_role("heading", name="Events").is_visible()
    assert command.returncode == 0
    command = judge("reset-password", "nobody")
    printed, _ = command.communicate(timeout=30)
    assert command.returncode == 2
    assert "no account called 'nobody'" in printed


def test_pages_of_the_register_fit_and_serve_everybody_in_every_language(page, server, look_over):
    walk(page, server)
    desk = re.match(r".*/desk", page.url)[0]
    of_player = ["players", "players/add", "players/1", "players/1/erase"]
    paths = [f"{desk}/{path}" for path in [*of_player, "staff", "settings", "clone", "delete"]]
    paths += [f"{desk.removesuffix('/desk')}/register"]
    paths += [f"{server.url}/{path}" for path in ("events", "events/new", "account")]
    look_over(page, paths)
