"""Hands that tap the judge's desk and count: with JavaScript, and without it."""

import json
import time

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
        target = self.page.locator(selector, **which).first
        return self.changes(target.click)

    def changes(self, act):
        """Do one thing that changes the table, and wait until the page shows it."""
        before = self.page.evaluate("window.shown")
        self.taps += 1
        act()
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

    def dice(self, *faces):
        """The dice a text rolls: the event is entered with the last."""
        for face in faces[:-1]:
            self.tap(f'.current .palette [data-face="{face}"]')
        return self.enter(f'.current .palette [data-face="{faces[-1]}"]')

    def next_attack(self, who):
        return self.enter(".next-phase .chip", has_text=f"Next Attack → {who}")

    def player(self, n):
        return self.enter(f"#p{n}")

    def number(self, word, value):
        return self.enter(f'.current form:has([value="{word}"]) .number-chip[value="{value}"]')

    def token(self, name):
        return self.enter(".current .token-chip", has_text=name)

    def answer(self):
        takes = ".answer-so-far .takes"
        names = self.page.locator(f"{takes} .clip").all_inner_texts()
        numbers = self.page.locator(f"{takes} b").all_inner_texts()
        return {name: int(number) for name, number in zip(names, numbers, strict=True)}


QUESTION_SEEN = """() => {
  const card = document.getElementById("question"), asks = card && card.querySelector(".asks");
  if (!asks || document.getElementById("tried")) return true;
  const [box, bar, stuck] = [asks, document.querySelector(".answer-bar"), document.querySelector(".strips")]
    .map(e => e.getBoundingClientRect());
  return box.top >= stuck.bottom - 2 && box.bottom <= bar.top && card.contains(document.activeElement);
}"""
NAMES = {"turn-die": "turn_die", "name-token": "name_token", "else": "else_"}


class Finger(Phone):
    """Taps by id of the thing, so that the language does not matter: the words of dispute/disputes.py."""

    def settle(self, dispute):
        """Tap a whole dispute. After each tap the open question is in sight and has the focus."""
        for what, *words in dispute.taps:
            getattr(self, NAMES.get(what, what))(*words)
            assert self.page.evaluate(QUESTION_SEEN), (dispute.name, what, words)

    def start(self, first, second, mode="duel", *others):
        self.taps = 0
        self.page.context.clear_cookies()  # as somebody who has never been here
        self.page.goto(f"{self.url}/rule?lang={getattr(self, 'lang', 'en')}")
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
        self.enter(f".offers .chip[value*='{part}']:visible")

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
        self.tap(f"#{name} > summary")

    def ask(self):
        self.enter("a[href*='open=ask']")

    def claim(self, by, of, value):
        self.tap("#claims > summary")
        self.page.fill(f"#claim-{by}-{of}", str(value))
        self.changes(lambda: self.page.keyboard.press("Enter"))

    def join(self, timing):
        self.tap(".change > summary")
        self.enter(f'.current button[name=timing][value="{timing}"]')

    def book(self, edition):
        self.tap("#file-part > summary")
        self.enter(f'#file-part button[value="{edition}"]')

    def line(self, n):
        self.enter(f".events .line:nth-of-type({n}) a")

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

    def base(self):
        return self.page.url.split("?")[0].split("#")[0]

    def table(self):
        return json.loads(self.page.request.get(f"{self.base()}/table.json").text())


class BareFinger(Finger):
    """The same taps in a browser that runs no scripts: every tap is a form or a link of the page."""

    def changes(self, act):
        self.taps += 1
        with self.page.expect_navigation(wait_until="domcontentloaded"):
            act()
        return self

    def _faces(self, form, faces):
        for k, face in enumerate(faces, start=1):
            self.tap(f'{form} .face:has([name="d{k}"][value="{face}"])')
        self.enter(f"{form} .set-dice")
