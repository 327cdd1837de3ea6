"""Folds that a tap does not change are left out of its answer; the browser keeps what is in them."""

import json
import re

import pytest

PART = {"HX-Request": "true", "Judge-Folds": "none"}
FOLD = re.compile(r'<details[^>]* data-fold="([^"]+)"( data-shown)?[^>]*>')
SPARK = {"id": "spark", "names": {"en": "Spark"}, "spendable": True, "effects": [{"deal": 1}]}
TABLE = {
    "game": "dice-throne",
    "edition": "fr-2.4.1",
    "players": [
        {"id": "Ana", "hero": "barbarian"},
        {"id": "Ben", "hero": "paladin", "cp": 9, "statuses": {"protect": 1}},
    ],
    "catalogue": {"statuses": [SPARK]},
}
ATTACK = {"by": "Ana", "activate": "overpower", "on": "Ben"}
TAPS = [
    {"do": "add", "event": json.dumps(ATTACK)},
    {"do": "number", "n": 1, "word": "deal", "value": 18},
    {"do": "claim", "claim-1-2": 9},
    {"do": "add", "p": 2, "event": json.dumps({"by": "Ben", "spend": "protect"})},
    {"do": "add", "p": 1, "event": json.dumps({"by": "Ana", "activate": "dance", "effects": [{"deal": 1}]})},
    {"do": "raw", "n": 3, "raw": "{by: Ana, activate: dance, effects: [{deal: 2}]}"},
    {"do": "pin", "before": 3},
    {"do": "raw", "n": 3, "before": 3, "raw": "{by: Ana, activate: dance, effects: [{deal: 3}]}"},
    {"do": "add", "before": 2, "event": json.dumps({"by": "Ana", "play": "get-some"})},
    {"do": "remove", "n": 4},
    {"do": "add", "event": json.dumps({"by": "Ana", "upgrade": "smack", "level": 2})},
    {"do": "add", "event": json.dumps({"advance": "main-2"}), "keep": "turn"},
    {"do": "turn", "open": "turn", "phase": "main-1"},
    {"do": "count", "who": "Ana", "key": "health", "by": 1},
    {"do": "holds", "who": "Ben", "more": "spark"},
    {"do": "top", "key": "edition", "value": "fr-2.2"},
    {"do": "pin"},
    {"do": "seat", "who": "Ben", "name": "Benedict"},
    {"do": "add", "event": json.dumps({"by": "Ana", "play": "tip-it", "effects": [{"add": 1}]})},
    {"do": "undo"},
]  # fmt: skip


@pytest.fixture
def address(app, client):
    app.config["WTF_CSRF_ENABLED"] = False
    return client.post("/rule/open", data={"file": json.dumps(TABLE)}).headers["Location"]


def folds(text):
    """The content of every fold by its mark, and where it stands; None for one that was left out."""
    content = {}
    for fold in FOLD.finditer(text):
        depth, end = 1, fold.end()
        while depth:
            tag = re.compile(r"<(/?)details\b").search(text, end)
            depth, end = depth + (-1 if tag[1] else 1), tag.end()
        content[fold[1]] = (fold.end(), tag.start(), bool(fold[2]))
    return content


def filled(text, before):
    """The answer as a browser shows it that had this text before."""
    had = {mark: before[start:end] for mark, (start, end, _) in folds(before).items()}
    for mark, (start, end, is_left_out) in reversed(folds(text).items()):
        if is_left_out:
            text = text[:start] + had[mark] + text[end:]
    return plain(text)


def plain(text):
    text = text.replace(" data-shown", "")
    return re.sub(r'name="csrf_token" value="[^"]+"', "", " ".join(text.split()))


def marks(text):
    return " ".join(folds(text))


def left_out(text):
    return {mark.split("-")[0] for mark, (_, _, is_left_out) in folds(text).items() if is_left_out}


def along(text):
    """What the script sends with every form: the place on the page."""
    fields = re.search(r'<div id="along" hidden>(.*?)</div>', text)[1]
    return {k: v for k, v in re.findall(r'name="(\w+)" value="([^"]*)"', fields) if k != "csrf_token"}


def tapped(client, address, shown, lang="en", **form):
    """The answer to a tap on a page that shows this part."""
    headers = {**PART, "Accept-Language": lang, "Judge-Folds": marks(shown)}
    return client.post(address, data={**along(shown), **form}, headers=headers).text


@pytest.mark.parametrize("lang", ["en", "fr", "ru"])
def test_an_answer_with_its_folds_filled_in_is_the_part_drawn_afresh(client, address, lang):
    headers, left = {**PART, "Accept-Language": lang}, set()
    shown = client.get(address, headers=headers).text
    for tap in TAPS:
        answer = tapped(client, address, shown, lang, **tap)
        afresh = client.get(address, query_string=along(answer), headers=headers).text

        assert filled(answer, shown) == plain(afresh), tap
        left |= left_out(answer)
        shown = afresh
    assert left == {"begin", "later", "common", "else", "turn", "claims", "file"}


def test_a_fold_that_a_tap_changes_is_drawn(client, address):
    shown = client.get(address, headers=PART).text
    healthier = tapped(client, address, shown, do="count", who="Ana", key="health", by=1)
    pinned = tapped(client, address, healthier, do="pin")

    assert "begin" not in left_out(healthier)
    assert left_out(pinned) == {"begin", "later", "common", "else", "turn", "claims"}


def test_forms_of_a_part_leave_out_what_is_sent_along_and_those_of_a_page_have_it(app, client, address):
    app.config["WTF_CSRF_ENABLED"] = True
    page, part = client.get(f"{address}?p=2").text, client.get(f"{address}?p=2", headers=PART).text
    forms = re.findall(rf'<form method="post" action="{address}".*?</form>', page, re.DOTALL)

    assert forms
    assert all('name="csrf_token"' in form and 'name="p" value="2"' in form for form in forms)
    assert "data-fold" not in page
    assert 'id="along"' not in page
    assert part.count('name="csrf_token"') == 1
    assert along(part) == {"p": "2"}
