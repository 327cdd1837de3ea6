"""The twelve disputes entered on a phone, with every tap counted: as many as allowed, and number, verdict and
headline as the engine's on the same file, in three languages and without JavaScript. Also a lost network, a
lost session, two windows, a double tap, the back button and a reload."""

import pytest

from tests.browser.tapping import BareFinger, Finger
from tests.conftest import somewhere
from tests.dispute.disputes import DISPUTES, check, damage


@pytest.fixture
def finger(phone, server):
    phone.set_default_timeout(15_000)
    return Finger(phone, server.url)


def as_the_engine_says(finger, dispute, lang="en"):
    """Compare the page of the table and that of its ruling with the engine's ruling on the same file."""
    table = finger.table()
    ruling = check(dispute, table, lang)
    taken, page = damage(ruling), finger.page
    verdicts = [event["verdict"] for event in ruling["events"] if "." not in str(event["n"])]
    shown = [line.get_attribute("class").split()[1] for line in page.locator(".entered .line").all()]
    assert shown == verdicts, dispute.name
    assert finger.answer() == taken, dispute.name

    page.goto(f"{finger.base()}/ruling")
    head = page.locator(".the-answer > div").first
    who = head.locator(".verdict-who").all_inner_texts()
    numbers = head.locator(".verdict-takes b").all_inner_texts()
    assert dict(zip(who, map(int, numbers), strict=True)) == taken, dispute.name
    assert not head.locator(".open-question").count(), dispute.name
    faults = head.locator(".not-allowed").all_inner_texts()
    refused = [event["says"] for event in ruling["events"] if event["verdict"] == "illegal"]
    assert len(faults) == len(refused), dispute.name
    assert all(why in says for says, why in zip(faults, refused, strict=True)), dispute.name
    orders = head.locator(".order-row").all()
    assert len(orders) == len(ruling["order"]), dispute.name
    for row, order in zip(orders, ruling["order"], strict=True):
        actions = table["events"][order["event"] - 1]["collide"]
        first = [actions[k - 1]["by"] for k in order["sequence"]]
        assert [card.split(":")[0] for card in row.locator("b").all_inner_texts()] == first, dispute.name
    claims = page.locator(".claim-list > *").evaluate_all("all => all.map(e => e.classList.contains('good'))")
    assert tuple(claims) == dispute.right, dispute.name


@pytest.mark.parametrize("lang", ["en", "fr", "ru"])
def test_every_dispute_takes_no_more_taps_than_allowed(finger, capsys, lang):
    finger.lang = lang
    for dispute in DISPUTES if lang == "en" else [d for d in DISPUTES if d.name in IN_EVERY_LANGUAGE]:
        finger.settle(dispute)
        with capsys.disabled():
            print(f"\n{lang} {dispute.name}: {finger.taps} taps of {dispute.most}", end="")

        assert finger.taps <= dispute.most, dispute.name
        as_the_engine_says(finger, dispute, lang)


IN_EVERY_LANGUAGE = {"worked example", "shadows against an ultimate", "two instants at once"}


def test_every_dispute_can_be_entered_without_javascript(chromium, server):
    screen = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    context = chromium.new_context(locale="en", java_script_enabled=False, **screen, **somewhere())
    page = context.new_page()
    page.set_default_timeout(15_000)
    finger = BareFinger(page, server.url)
    for dispute in DISPUTES:
        finger.settle(dispute)
        as_the_engine_says(finger, dispute)
    context.close()


def test_nothing_is_lost_or_doubled(finger):
    finger.start("barbarian", "paladin")
    page = finger.page
    page.context.clear_cookies()
    finger.do("rage")
    assert len(finger.table()["events"]) == 1, "a lost session loses no tap"

    page.context.set_offline(True)
    finger.tap(".next-phase button[value*='main-2']")
    page.wait_for_selector(".line.waiting")
    before = page.evaluate("window.shown")
    page.context.set_offline(False)
    finger.wait(lambda: page.evaluate("window.shown") > before)
    assert len(finger.table()["events"]) == 2, "what waited is sent"

    before = page.evaluate("window.shown")
    page.locator(".next-phase button[value*='discard']").dblclick()
    finger.wait(lambda: page.evaluate("window.shown") > before)
    page.wait_for_timeout(700)
    assert len(finger.table()["events"]) == 3, "a double tap is one"

    page.reload()
    page.goto(f"{finger.url}/rules")
    page.go_back()
    page.wait_for_selector("#table")
    assert len(finger.table()["events"]) == 3


def test_two_windows_lose_and_double_nothing(finger):
    """Both keep their taps in the same browser while the network is gone, and both send when it is back."""
    finger.start("barbarian", "paladin")
    one = finger.page
    other = Finger(one.context.new_page(), finger.url)
    other.page.goto(one.url)
    finger.do("rage")
    other.next()
    assert len(finger.table()["events"]) == 2, "a window that has not seen the last tap adds to it"

    one.context.set_offline(True)
    for hand in (finger, other) * 2:
        hand.tap(".next-phase button[name=event]")
        hand.page.wait_for_timeout(500)  # a double tap would be one
    other.page.wait_for_selector(".line.waiting >> nth=3")
    for page in (one, other.page):
        page.evaluate("window.shown = 0")
    one.context.set_offline(False)
    finger.wait(lambda: one.evaluate("localStorage.length") == 0)
    finger.wait(lambda: len(finger.table()["events"]) == 6)
    for page in (one, other.page):
        finger.wait(lambda page=page: not page.locator(".line.waiting, #unsent:visible").count())
        finger.wait(lambda page=page: page.locator(".entered .line").count() == 6)


def test_a_tap_whose_answer_was_lost_counts_once(finger):
    finger.start("barbarian", "paladin")
    page, lost = finger.page, []

    def lose(route):
        """The first three times the server hears the tap, and the phone does not hear the server."""
        if route.request.method == "POST" and len(lost) < 3:
            lost.append(route.fetch().status)
            return route.abort()
        return route.continue_()

    page.route("**/rule/*", lose)
    finger.tap(".offers .chip[value*='rage']:visible")
    page.wait_for_selector(".line.waiting")
    page.reload()
    finger.wait(lambda: len(lost) == 3 and page.evaluate("localStorage.length") == 0)
    page.go_back()
    page.go_forward()
    page.wait_for_selector("#table")

    assert lost == [200, 200, 200]
    assert [event.get("activate") for event in finger.table()["events"]] == ["rage"]
    finger.next()
    assert len(finger.table()["events"]) == 2, "and the next tap is taken"


def test_an_expired_form_without_javascript_says_so_and_the_next_tap_is_taken(chromium, server):
    context = chromium.new_context(locale="en", java_script_enabled=False, **somewhere())
    hand = BareFinger(context.new_page(), server.url)
    hand.start("barbarian", "paladin")
    context.clear_cookies()
    hand.do("rage")

    assert "open for too long" in hand.page.locator("main").inner_text()
    assert hand.table()["events"] == []
    hand.do("rage")
    hand.page.reload()
    assert [event.get("activate") for event in hand.table()["events"]] == ["rage"]
    context.close()


def test_the_open_question_is_in_sight_and_has_the_focus(finger, axe):
    finger.start("pyromancer", "barbarian")
    finger.do("fireball")
    page = finger.page
    box = page.locator("#question .asks").first.bounding_box()
    bar = page.locator(".answer-bar").bounding_box()

    assert 0 <= box["y"] < bar["y"]
    assert page.evaluate("document.getElementById('question').contains(document.activeElement)")
    assert "Not decided yet" in page.locator(".answer-so-far").inner_text()
    axe(page)
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
