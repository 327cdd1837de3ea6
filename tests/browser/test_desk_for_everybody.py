"""The judge's desk for everybody: narrow, enlarged, in the dark, with the keyboard alone, read aloud."""

import json
from itertools import product

import pytest

from tests.browser.tapping import Phone
from tests.conftest import somewhere

PLAYERS = [
    {"id": "Ana", "hero": "barbarian"},
    {"id": "Ben", "hero": "paladin", "statuses": {"retribution": 1, "protect": 2}, "limits": {"protect": 2}},
]
STRIKE = {"by": "Ana", "activate": "overpower", "on": "Ben", "effects": [{"deal": 18}]}
SPENT = {"by": "Ben", "spend": "protect"}
DISPUTE = {"game": "dice-throne", "edition": "fr-2.4.1", "players": PLAYERS, "events": [STRIKE, SPENT, SPENT]}
TABLES = {
    "worked": {**DISPUTE, "claims": [{"by": "Ana", "player": "Ben", "final": 4}]},
    "empty": {**DISPUTE, "events": []},
    "open": {**DISPUTE, "events": [{"by": "Ana", "activate": "smack", "on": "Ben"}]},
    "illegal": {**DISPUTE, "events": [{"by": "Ana", "activate": "rage", "on": "Ben"}, SPENT]},
    "order": {
        **DISPUTE,
        "events": [STRIKE, {"collide": [SPENT, {"by": "Ana", "play": "buh-bye", "on": "Ben"}]}],
    },
    "forge": {"game": "dice-forge", "edition": "fr-1", "players": [{"id": "Ana"}, {"id": "Ben"}]},
}
PAGES = (
    "/", "/rule", "/first?a=instant&b=token", "/rulings", "/tools", "/offline", "/nothing", "worked", "empty",
    "open", "illegal", "order", "forge", "worked/ruling", "worked/ruling?second=fr", "worked/ruling?show=1",
    "empty/ruling", "open/ruling", "order/ruling", "forge/ruling", "worked/game", "forge/game",
    "worked/similar",
)  # fmt: skip


def open_table(page, url, table):
    page.goto(f"{url}/rule")
    page.locator("details:has(#file) > summary").click()
    page.locator("#file").fill(json.dumps(table))
    page.locator("form:has(#file) button").click()
    page.wait_for_selector("#table")
    return page.url.split("?")[0].split("#")[0]


@pytest.fixture
def desk(page, shared_server):
    """desk(): the address of every page of the desk."""
    url = shared_server.url
    tables = {name: open_table(page, url, table) for name, table in TABLES.items()}

    def address(path):
        name, _, rest = path.partition("/")
        return f"{tables[name]}/{rest}".rstrip("/") if name else f"{url}{path}"

    return [address(path) for path in PAGES]


LARGE = "document.documentElement.style.fontSize = '200%'"
LOOKS = {  # 200 % of a laptop's page is half its width; a phone can double its letters too
    "320 px": ({"width": 320, "height": 640}, ("fr", "ru"), ""),
    "page at 200 %": ({"width": 640, "height": 430}, ("fr",), ""),
    "letters at 200 %": ({"width": 390, "height": 844}, ("en", "fr", "ru"), LARGE),
}
BOXES = ".tile, .jump .button, .jump button, .fold > summary > .badge"
OUT_OF_THEIR_BOX = """boxes => [...document.querySelectorAll(boxes)]
  .filter(e => e.offsetParent && e.scrollWidth > e.clientWidth + 1).map(e => e.textContent.trim())"""


@pytest.mark.parametrize("look", LOOKS)
def test_no_page_of_the_desk_is_wider_than_the_screen(page, desk, look):
    size, langs, change = LOOKS[look]
    page.set_viewport_size(size)
    too_wide = []
    for lang, address in product(langs, desk):
        page.goto(f"{address}{'&' if '?' in address else '?'}lang={lang}")
        page.evaluate(f"document.querySelectorAll('main details').forEach(d => d.open = true); {change}")
        wide = page.evaluate("document.documentElement.scrollWidth")
        too_wide += [(lang, address, wide)] if wide > size["width"] else []
        cut = page.evaluate(OUT_OF_THEIR_BOX, BOXES) if not change else []
        too_wide += [(lang, address, words) for words in cut]

    assert not too_wide


def test_six_players_leave_a_phone_most_of_its_height(page, shared_server):
    page.set_viewport_size({"width": 390, "height": 844})
    heroes = ("barbarian", "paladin", "monk", "ninja", "treant", "pyromancer")
    players = [{"id": f"Player {k}", "hero": hero, "statuses": {"stun": 1}} for k, hero in enumerate(heroes)]
    open_table(
        page, shared_server.url, {**DISPUTE, "mode": "king-of-the-hill", "players": players, "events": []}
    )

    assert page.locator(".strips .strip:visible").count() == 6
    assert page.locator(".strips").bounding_box()["height"] < 844 / 6


def test_no_page_of_the_desk_is_faulty_in_the_dark(page, desk, axe):
    page.set_viewport_size({"width": 390, "height": 844})
    for address in desk:
        page.goto(f"{address}{'&' if '?' in address else '?'}theme=dark")
        page.evaluate("document.querySelectorAll('main details').forEach(d => d.open = true)")
        axe(page)
        assert page.locator("h1").count() == 1, address


def test_a_dispute_is_ruled_and_kept_with_the_keyboard_alone(page, shared_server):
    hand = Phone(page, shared_server.url)
    page.goto(shared_server.url)

    def tab_to(selector):
        for _ in range(120):
            if page.evaluate("s => document.activeElement.matches(s)", selector):
                return
            page.keyboard.press("Tab")
        raise AssertionError(selector)

    def press(*keys):
        hand.taps -= 1
        return hand.changes(lambda: [page.keyboard.press(key) for key in keys])

    tab_to(".dispute-first .primary")
    page.keyboard.press("Enter")
    page.wait_for_selector(".start-bar")
    for k in (1, 2):
        tab_to(f"#other{k}")
        page.keyboard.type(("barb", "pala")[k - 1])
    page.keyboard.press("Enter")
    page.wait_for_selector("#table")
    tab_to(".offers .chip[value*=overpower]")
    press("Enter")
    assert page.evaluate("document.getElementById('question').contains(document.activeElement)")
    press("#", "1", "8", "Enter")
    tab_to("#p2")
    press("Enter")
    tab_to(".offers .chip[value*=divine-defense]")
    press("Enter")
    for die in "333":
        page.keyboard.press(die)
    hand.wait(lambda: "15" in page.locator(".answer-so-far").inner_text())
    assert page.evaluate("document.getElementById('now').contains(document.activeElement)")
    tab_to("#to-ruling")
    page.keyboard.press("Enter")
    page.wait_for_selector(".the-answer")
    tab_to("#qr > summary")
    page.keyboard.press("Enter")
    assert page.locator("#qr a").is_visible()
    tab_to("#keep-by")
    page.keyboard.type("Cleo")
    page.keyboard.press("Enter")
    page.wait_for_url("**/r/**")

    assert "15" in page.locator(".the-answer").inner_text()


def test_a_reader_of_the_screen_hears_what_changed_in_one_place(page, shared_server):
    hand = Phone(page, shared_server.url)
    open_table(page, shared_server.url, TABLES["worked"])
    page.evaluate("window.region = document.getElementById('spoken')")
    hand.player(2)
    hand.enter(".offers .chip[value*=retribution]")

    assert page.evaluate("window.region === document.getElementById('spoken') && region.isConnected")
    assert page.evaluate("region.getAttribute('aria-live')") == "polite"
    assert "Ana 9" in page.evaluate("region.textContent")
    open_table(page, shared_server.url, TABLES["illegal"])
    assert "1 event is not allowed" in page.locator("#spoken").text_content()


def test_the_players_scan_the_answer_before_it_is_kept(page, shared_server, chromium):
    address = open_table(page, shared_server.url, TABLES["worked"])
    page.goto(f"{address}/ruling")
    page.locator("#qr > summary").click()
    link = page.locator("#qr a").get_attribute("href")
    context = chromium.new_context(viewport={"width": 390, "height": 844}, locale="ru", **somewhere())
    phone = context.new_page()
    phone.goto(link)

    assert "Ben" in phone.locator(".shown").inner_text()
    assert phone.locator("form").count() == 0
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()
