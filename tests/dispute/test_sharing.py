"""The ruling page of a table that is being entered: what it shows and shares before anything is kept."""

import json
import re
from html import unescape

import pytest

from judge.core.messages import LANGS
from judge.services.dispute.compare import compare_table


@pytest.fixture
def opened(app, client):
    """opened(table): the address of the table's page."""
    app.config["WTF_CSRF_ENABLED"] = False

    def open_table(table):
        answer = client.post("/rule/open", data={"file": json.dumps(table)})
        assert answer.status_code == 303, answer.text
        return answer.headers["Location"].split("?")[0]

    return open_table


def table(*events, **more):
    players = [{"id": "Ana", "hero": "barbarian", "health": 30}, {"id": "Ben", "hero": "paladin"}]
    base = {"game": "dice-throne", "edition": "fr-2.4.1", "players": players, "events": list(events)}
    return {**base, **more}


STRIKE = {"by": "Ana", "activate": "overpower", "on": "Ben", "effects": [{"deal": 8}]}


def shared_link(page):
    return re.search(r'href="[^"]*(/shown/[^"]+)"', page)[1]


def plain(page):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_players_follow_the_answer_by_a_link_that_changes_nothing(client, app, opened):
    address = opened(table(STRIKE))
    page = client.get(f"{address}/ruling").text
    link, phone = shared_link(page), app.test_client()

    assert '<svg class="qr"' in page or "qr-note" in page
    assert "Ben takes 8" in plain(phone.get(link).text)
    prevents = {"by": "Ben", "play": "x", "effects": [{"prevent": 3}]}
    client.post(address, data={"do": "add", "event": json.dumps(prevents)})
    assert "Ben takes 5" in plain(phone.get(link).text)
    assert address not in phone.get(link).text  # nothing leads to the table itself
    assert phone.post(link).status_code == 405


def test_a_forged_link_shows_nothing(client, opened):
    link = shared_link(client.get(f"{opened(table(STRIKE))}/ruling").text)
    kind, token = link.rsplit("/", 1)

    assert client.get(f"{kind}/x{token}").status_code == 404


@pytest.mark.parametrize("lang", LANGS)
def test_an_empty_table_claims_nothing_and_offers_nothing_to_keep(client, opened, lang):
    page = client.get(f"{opened(table())}/ruling?lang={lang}").text

    assert 'class="button primary"' in page
    assert "/keep" not in page
    assert "share-tools" not in page
    forge = {"game": "dice-forge", "edition": "fr-1", "players": [{"id": "A"}, {"id": "B"}], "events": []}
    assert "/keep" not in client.get(f"{opened(forge)}/ruling?lang={lang}").text


def test_what_is_not_about_damage_is_told_in_numbers(client, opened):
    gain = {"by": "Ana", "does": "rests", "effects": [{"heal": 5}, {"gain_cp": 2}]}
    page = plain(client.get(f"{opened(table(gain))}/ruling").text)

    assert "Ana ♥ 30 → 35 CP 2 → 4" in page
    prevented = [STRIKE, {"by": "Ben", "does": "blocks", "effects": [{"prevent": 8}, {"gain_cp": 2}]}]
    assert "changed-line" not in client.get(f"{opened(table(*prevented))}/ruling").text
    assert "→" not in plain(client.get(f"{opened(table(STRIKE, gain))}/ruling").text).split("Keep")[0]


KING = {"mode": "king-of-the-hill", "turn": {"active": "Ana", "phase": "upkeep"}}


def test_where_the_books_differ_it_says_in_what(client, opened):
    seats = [{"id": name, "hero": "barbarian"} for name in ("Ana", "Ben", "Cleo", "Dov")]
    page = plain(client.get(f"{opened(table(players=seats, events=[STRIKE], **KING))}/ruling").text)

    assert "The answer is the same under every book." in page
    assert "the mode is not in this book" in page


def test_books_that_give_other_reasons_for_the_same_do_not_differ():
    card = {"card": "instant", "cost": 0, "effects": [{"draw": 1}]}
    pair = [{"by": "Ben", "play": "train", **card}, {"by": "Ana", "play": "rest", **card}]
    at_once = {"collide": pair, "timing": "at-once"}

    assert compare_table(table(STRIKE, at_once))["differences"] == []
    assert compare_table(table(STRIKE, {**at_once, "timing": "in-answer"}))["differences"]


MISSING = [("/rule/none", "This table does not exist"), ("/r/none", "This ruling does not exist")]


@pytest.mark.parametrize(("address", "says"), MISSING)
def test_a_missing_page_names_what_is_missing(client, address, says):
    answer = client.get(address)

    assert answer.status_code == 404
    assert says in answer.text
