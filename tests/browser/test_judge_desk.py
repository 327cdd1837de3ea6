"""The judge's desk on a phone: a dispute entered from nothing by tapping, with every tap counted."""

import time

import pytest

COUNT = "window.shown = 0; document.addEventListener('judge:shown', () => { window.shown += 1; })"


class Phone:
    """A hand that taps, and counts."""

    def __init__(self, page, url):
        self.page, self.url, self.taps = page, url, 0
        page.add_init_script(COUNT)

    def tap(self, selector, **which):
        target = self.page.locator(selector, **which).first
        self.taps += 1
        target.click()
        return self

    def enter(self, selector, **which):
        """A tap that changes the table: wait until the page shows it."""
        before = self.page.evaluate("window.shown")
        self.tap(selector, **which)
        self.wait(lambda: self.page.evaluate("window.shown") > before)
        return self

    def wait(self, is_so, seconds=10):
        """The page's own policy forbids to wait inside it."""
        end = time.monotonic() + seconds
        while not is_so():
            assert time.monotonic() < end, "the page did not change"
            self.page.wait_for_timeout(15)

    def chip(self, name):
        return self.enter(".offers .chip", has_text=name)

    def player(self, n):
        return self.enter(f"#p{n}")

    def number(self, word, value):
        return self.enter(f'.current form:has([value="{word}"]) .number-chip[value="{value}"]')

    def token(self, name):
        return self.enter(".current .token-chip", has_text=name)

    def answer(self):
        text = self.page.locator(".answer-so-far .takes").all_inner_texts()
        return {" ".join(line.split()[:-1]): int(line.split()[-1]) for line in text}


@pytest.fixture
def hand(phone, server):
    hand = Phone(phone, server.url)
    phone.set_default_timeout(10_000)
    phone.goto(f"{server.url}/rule")
    return hand


def start(hand, first, second):
    hand.tap(".heroes:nth-of-type(1) .tile", has_text=first)
    hand.tap(".heroes:nth-of-type(2) .tile", has_text=second)
    hand.tap(".start-bar button")
    hand.page.wait_for_selector("#table")
    return hand


def begin_with(hand, p, *tokens):
    for token in tokens:
        hand.enter(f".beginning:nth-of-type({p}) .token-chip", has_text=token)
    return hand


def test_the_rulebooks_dispute_takes_at_most_thirty_taps(hand, capsys):
    start(hand, "Barbarian", "Paladin")
    begin_with(hand, 2, "Retribution", "Protect")
    hand.chip("Overpower").number("deal", 18)
    hand.player(2).chip("Retribution").chip("Protect").chip("Divine Defense").number("prevent", 3)
    hand.token("Protect")
    hand.player(1).chip("Get Some!").number("add", 5)
    hand.player(2).chip("Absolution!").enter('.current .face:has([value="3"])').chip("Protect")
    with capsys.disabled():
        print(f"\nBarbarian against Paladin, from nothing to the ruling: {hand.taps} taps")

    assert hand.answer() == {"Barbarian": 9, "Paladin": 0}
    assert hand.taps <= 30
    hand.tap("#to-ruling")
    assert "Paladin takes 0" in " ".join(hand.page.locator(".the-answer").inner_text().split())
