"""A table entered without JavaScript: only forms and links that stand on the page."""

import json
import re
from html import unescape

import pytest

from tests.dispute.disputes import WORKED

FORM = re.compile(r"<form([^>]*)>(.*?)</form>", re.S)
BUTTON = re.compile(r"<button([^>]*)>", re.S)
INPUT = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
SELECT = re.compile(r'<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>', re.S)
OPTION = re.compile(r'<option(?: value="([^"]*)")?( selected)?>([^<]*)')


def attribute(tag, name):
    match = re.search(rf'\b{name}="([^"]*)"', tag)
    return unescape(match[1]) if match else ""


class Forms:
    """A browser that knows forms, buttons and links, nothing else."""

    def __init__(self, client):
        self.client, self.page, self.address = client, "", ""

    def go(self, address):
        self.address = address
        self.page = self.client.get(address).text
        return self

    def press(self, is_it, **more):
        for head, body in FORM.findall(self.page):
            for tag in BUTTON.findall(body):
                if is_it(head, body, tag):
                    return self.send(head, body, {attribute(tag, "name"): attribute(tag, "value"), **more})
        raise AssertionError("no such button on the page")

    def send(self, head, body, more):
        data = {name: unescape(value) for name, value in INPUT.findall(body)}
        for name, options in SELECT.findall(body):
            choices = OPTION.findall(options)
            chosen = next((o for o in choices if o[1]), choices[0])
            data[name] = unescape(chosen[0] or chosen[2])
        answer = self.client.post(attribute(head, "action"), data={**data, **more}, follow_redirects=True)
        assert answer.status_code == 200, answer.text[:600]
        self.page = answer.text
        return self

    # -- the taps of disputes.py

    def start(self, first, second, mode="duel", *others):
        heroes = {f"other{k}": hero for k, hero in enumerate((first, second, *others), start=1)}
        answer = self.client.post("/rule", data={"mode": mode, **heroes})
        return self.go(answer.headers["Location"])

    def give(self, p, token):
        section = self.page.split('class="beginning"')[p]
        who = attribute(re.search(r'<input type="hidden" name="who"[^>]*>', section)[0], "value")
        return self.press(
            lambda head, body, tag: (
                f'value="{who}"' in body and attribute(tag, "value") == token and 'name="by"' not in body
            )
        )

    def p(self, n):
        return self.go(unescape(re.search(rf'id="p{n}"[^>]*href="([^"]*)"', self.page)[1]))

    def do(self, part):
        return self.press(
            lambda head, body, tag: (
                "chip" in attribute(tag, "class").split() and part in attribute(tag, "value")
            )
        )

    def number(self, word, value):
        wanted = f'name="word" value="{word}"'
        return self.press(lambda head, body, tag: wanted in body and attribute(tag, "value") == str(value))

    def dice(self, *faces):
        return self._dice_after('id="question"', faces)

    def _dice_after(self, place, faces):
        rest = self.page.split(place)[1]
        head, body = next(form for form in FORM.findall(rest) if "dice-form" in form[0])
        return self.send(head, body, {f"d{k}": str(face) for k, face in enumerate(faces, start=1)})

    def token(self, name):
        return self.press(lambda head, body, tag: 'value="token"' in body and attribute(tag, "value") == name)

    def ask(self):
        link = re.search(r'href="([^"]*open=ask[^"]*)"', self.page)
        return self.go(unescape(link[1]))

    def table(self):
        base = self.address.split("?")[0].split("#")[0]
        return json.loads(self.client.get(f"{base}/table.json").data)


def enter(driver, taps):
    for what, *words in taps:
        getattr(driver, what)(*words)


def test_the_middle_is_corrected_and_the_rest_stays(app, client):
    app.config["WTF_CSRF_ENABLED"] = False
    forms = Forms(client)
    enter(forms, WORKED)
    before = forms.table()
    line = unescape(re.search(r'href="([^"]*n=4[^"]*open=edit[^"]*)"', forms.page)[1])
    forms.go(line).number("prevent", 2)
    after = forms.table()

    pairs = enumerate(zip(before["events"], after["events"], strict=True), start=1)
    assert [n for n, (old, new) in pairs if old != new] == [4]


def test_who_goes_first_says_in_what_the_books_differ(client):
    page = client.get("/first?a=instant&b=instant&lang=en").text
    at_once, opponent, active = page.split('class="card met"')[1:]

    for same in (at_once, opponent):
        assert "Every book says the same." in same
        assert same.count("order-row") == 1
    assert "The books differ." in active
    assert active.count("order-row") == 2
    newest, older = active.split("<h3>")[1:]
    assert newest.startswith("2.4.1 (book in French)<")
    assert older.startswith("2.2 (book in French), 2.2 (book in Russian)<")
    assert "<b>Active player: Instant card</b>" in newest.split("order-card")[1]
    assert "<b>Opponent: Instant card</b>" in older.split("order-card")[1]


@pytest.mark.parametrize(("lang", "card"), [("fr", "instant card"), ("ru", "instant card")])
def test_who_goes_first_names_the_cards_in_the_readers_language(client, lang, card):
    assert card not in client.get(f"/first?a=instant&b=token&lang={lang}").text


def test_asking_records_nothing(app, client):
    app.config["WTF_CSRF_ENABLED"] = False
    forms = Forms(client)
    forms.start("barbarian", "paladin").do("smack")
    before = forms.table()
    forms.ask().do("concuss")

    assert 'class="card tried illegal"' in forms.page
    assert forms.table() == before


def test_an_old_window_does_not_remove_another_event(app, client):
    app.config["WTF_CSRF_ENABLED"] = False
    forms = Forms(client)
    forms.start("barbarian", "paladin").do("smack").p(2).do("divine-defense")
    old = forms.page
    forms.press(lambda head, body, tag: attribute(tag, "id") == "remove-2")
    forms.do("divine-defense")
    forms.p(1).do("get-some")
    head, body = next(f for f in FORM.findall(old) if 'id="remove-2"' in f[1])
    data = {name: unescape(value) for name, value in INPUT.findall(body)}
    forms.client.post(attribute(head, "action"), data={**data, "n": "3"})
    gone = forms.client.post(attribute(head, "action"), data=data)

    assert [sorted(event)[0] for event in forms.table()["events"]]
    assert gone.status_code == 409
    assert any("get-some" in event.values() for event in forms.table()["events"])


def test_an_old_window_does_not_remove_an_event_that_looks_the_same(app, client):
    app.config["WTF_CSRF_ENABLED"] = False
    forms = Forms(client)
    forms.start("barbarian", "paladin").give(2, "protect").do("smack").p(2)
    table = forms.table()
    spent = {"by": table["players"][1]["id"], "spend": "protect"}
    twice = {**table, "events": [spent, *table["events"], spent]}
    address = forms.address.split("?")[0].split("#")[0]
    client.post(address, data={"do": "whole", "file": json.dumps(twice)})
    old = forms.go(f"{address}?n=3&open=edit").page
    forms.press(lambda head, body, tag: attribute(tag, "id") == "remove-3")
    head, body = next(f for f in FORM.findall(old) if 'id="remove-3"' in f[1])
    gone = client.post(
        attribute(head, "action"), data={n: unescape(v) for n, v in INPUT.findall(body)} | {"load": "x"}
    )

    assert gone.status_code == 409
    assert forms.table()["events"] == twice["events"][:2]


def test_the_same_form_sent_twice_counts_once(app, client):
    app.config["WTF_CSRF_ENABLED"] = False
    forms = Forms(client)
    forms.start("barbarian", "paladin")
    page = forms.page
    forms.do("smack")
    forms.page = page
    forms.do("smack")

    assert len(forms.table()["events"]) == 1
