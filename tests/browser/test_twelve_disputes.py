"""Disputes entered on a phone, with every tap counted: as many as allowed, and what the engine says of the
same file; also a lost network, a lost session, two windows, a double tap, the back button and a reload."""

import json

import pytest

from tests.browser.test_judge_desk import Phone
from tests.dispute.disputes import DISPUTES
from tests.dispute.test_disputes_by_forms import check, enter


class Finger(Phone):
    """Taps by id of the thing, so that the language does not matter."""

    def start(self, first, second, mode="duel", *others):
        self.taps = 0
        self.page.context.clear_cookies()  # as somebody who has never been here
        self.page.goto(f"{self.url}/rule")
        for k, hero in enumerate((first, second), start=1):
            self._hero(k, hero)
        if mode != "duel":
            self.tap("details:has(#mode) > summary")
            self.taps += 2  # a list, and its line
            self.page.select_option("#mode", mode)
            for k, hero in enumerate(others, start=3):
                self.taps += 1  # into the line; the name is typed
                self.page.fill(f"#hero{k}", hero)
        self.tap(".start-bar button")
        self.page.wait_for_selector("#table")

    def _hero(self, k, hero):
        tile = self.page.locator(f'.heroes:nth-of-type({k}) .tile:has([value="{hero}"])')
        if not tile.count():
            self.taps += 1
            self.page.fill(f"#other{k}", hero)
            return
        if not tile.first.is_visible():
            self.tap(f'.heroes:nth-of-type({k}) .season:has([value="{hero}"]) > summary')
        self.taps += 1
        tile.first.click()

    def give(self, p, token):
        self.enter(f'.beginning:nth-of-type({p}) .token-chip:not(.minus)[value="{token}"]')

    def p(self, n):
        self.player(n)

    def do(self, part):
        chip = self.page.locator(f".offers .chip[value*='{part}']:visible").first
        before = self.page.evaluate("window.shown")
        self.taps += 1
        chip.click()
        self.wait(lambda: self.page.evaluate("window.shown") > before)

    def dice(self, *faces):
        self._faces("#question .dice-form", faces)

    def roll(self, *faces):
        self._faces(".pad .dice-form", faces)

    def _faces(self, form, faces):
        for face in faces[:-1]:
            self.tap(f'{form} .palette [data-face="{face}"]')
        self.enter(f'{form} .palette [data-face="{faces[-1]}"]')

    def token(self, name):
        self.enter(f'.current .token-chip[value="{name}"]')

    def pick(self, part):
        self.enter(f".current [class*=answers-] button[value*='{part}']")

    def turn_die(self, to):
        self.enter(f'.current .changes button[value="{to}"]')

    def next(self):
        self.enter(".next-phase button[name=event]")

    def fold(self, name):
        fold = "details:has(> summary:has-text('Cards of every deck'))" if name == "common" else f"#{name}"
        self.tap(f"{fold} > summary")

    def ask(self):
        self.enter("a[href*='open=ask']")

    def claim(self, by, of, value):
        self.tap("#claims > summary")
        before = self.page.evaluate("window.shown")
        self.taps += 1
        self.page.fill(f"#claim-{by}-{of}", str(value))
        self.page.keyboard.press("Enter")
        self.wait(lambda: self.page.evaluate("window.shown") > before)

    def name_token(self, p, name):
        self.taps += 1
        self.page.fill(f"#named{p}", name)
        self.enter(f"form:has(#named{p}) button")

    def else_(self, name, numbers):
        self.taps += 1 + len(numbers)
        self.page.fill("#else-name", name)
        for word, value in numbers.items():
            self.page.fill(f"#else-{word}", str(value))
        self.enter(".else-form .primary")

    def table(self):
        base = self.page.url.split("?")[0].split("#")[0]
        return json.loads(self.page.request.get(f"{base}/table.json").text())


@pytest.fixture
def finger(phone, server):
    phone.set_default_timeout(15_000)
    return Finger(phone, server.url)


def test_every_dispute_takes_no_more_taps_than_allowed(finger, capsys):
    for dispute in DISPUTES:
        enter(finger, dispute)
        _, taken = check(dispute, finger.table())
        with capsys.disabled():
            print(f"\n{dispute.name}: {finger.taps} taps of {dispute.most}", end="")

        assert finger.answer() == taken, dispute.name
        assert finger.taps <= dispute.most, dispute.name


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
