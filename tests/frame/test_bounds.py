"""Addresses, queries and forms bring nothing that a database or an engine cannot hold."""

import json
from datetime import UTC, datetime

import pytest

from judge.core.errors import InputError
from judge.schemas.files import parse
from judge.services.accounts.accounts import create_account

HOSTILE = {
    "superscript": "²", "two-signs": "--5", "full-width": "５", "digits": "9" * 20, "many-digits": "9" * 5000,
    "negative": "-9223372036854775809", "beyond-a-column": "2147483648", "exponent": "1e9", "hex": "0x1",
    "underscore": "1_0", "sharp-s": "ß" * 80,
}  # fmt: skip
ACTIONS = {
    "number": {"n": "1", "word": "deal", "value": "?"},
    "key": {"n": "1", "key": "choice", "value": "?"},
    "count": {"who": "Barbarian", "key": "health", "value": "?"},
    "holds": {"who": "Barbarian", "token": "protect", "by": "?"},
    "seat": {"who": "Barbarian", "upgrade": "smack", "level": "?"},
    "turn": {"attempts": "?", "dice": "?"},
    "claim": {"claim-1-2": "?", "of": "final"},
    "something": {"who": "Barbarian", "thing": "attack", "name": "?", "deal": "?", "cost": "?"},
    "change-die": {"n": "1", "die": "?", "to": "?"},
    "remove": {"n": "?"},
    "add": {"event": '{"by": "Barbarian", "sell": ?}'},
    "top": {"key": "note", "value": "?"},
}


@pytest.fixture
def table(app, client):
    """The address of a table with one event."""
    app.config["WTF_CSRF_ENABLED"] = False
    address = client.post("/rule", data={"hero1": "barbarian", "hero2": "paladin"}).headers["Location"]
    event = {"by": "Barbarian", "activate": "overpower", "on": "Paladin", "effects": [{"deal": 3}]}
    client.post(address, data={"do": "add", "event": json.dumps(event)})
    return address


@pytest.mark.parametrize("do", ACTIONS)
def test_hostile_values_in_a_form_of_the_table_are_taken_or_refused(client, table, do):
    for name, value in HOSTILE.items():
        form = {field: text.replace("?", value) for field, text in ACTIONS[do].items()}
        status = client.post(table, data={"do": do, **form}).status_code

        assert status in (200, 302, 303, 422), name
        assert client.get(table).status_code == 200, name


def test_a_deep_event_is_refused(client, table):
    event = '{"by": "Barbarian", "x": ' + "[" * 200 + "]" * 200 + "}"

    page = client.post(table, data={"do": "add", "event": event}, follow_redirects=True).text

    assert "nested deeper than 60 levels" in page
    assert len(parse(client.get(f"{table}/table.yaml").data)["events"]) == 1


def test_a_number_beyond_a_column_is_no_address(app, client):
    numbered = [rule for rule in app.url_map.iter_rules() if "<int:" in rule.rule and "GET" in rule.methods]
    addresses = []
    for rule in numbered:
        parts = [part.partition(">") for part in rule.rule.split("<")[1:]]
        values = {name: ("99999999999" if name.startswith("int:") else "x") for name, _, _ in parts}
        address = rule.rule
        for name, value in values.items():
            address = address.replace(f"<{name}>", value)
        addresses.append(address)

    assert addresses
    assert {address: client.get(address).status_code for address in addresses} == dict.fromkeys(
        addresses, 404
    )


def test_hostile_numbers_in_a_query_are_passed_over(desk, table):
    base = f"/e/{desk.slug}"
    pages = (table, f"{table}/game", "/tools/damage", base, f"{base}/desk/log", f"{base}/desk/penalties")
    names = ("n", "p", "before", "after", "player", "one", "version", "die", "round", "q", "damage")

    for name, value in HOSTILE.items():
        query = dict.fromkeys(names, value)
        for page in pages:
            assert desk.client.get(page, query_string=query).status_code == 200, (name, page)


@pytest.mark.parametrize("path", ["/rules?q=a%00b", "/rules?%00=1"])
def test_nul_in_a_query_is_refused_with_its_field(client, path):
    assert client.get(path).status_code == 422


def test_nul_in_an_address_is_nothing(client):
    assert client.get("/rules/%00").status_code == 404


def test_nul_in_a_form_is_refused_with_its_field(client, table):
    answer = client.post(
        table,
        data={"do": "top", "key": "note", "value": "a\0b"},
        headers={"Accept": "application/json"},
    )

    assert answer.status_code == 422
    assert [error["path"] for error in answer.json["errors"]] == ["value"]


def test_a_sign_in_name_that_grows_when_folded_is_refused(app_database):
    with app_database.transaction() as session, pytest.raises(InputError, match="text_too_long"):
        create_account(session, "ß" * 80, "A", "a long password", datetime.now(UTC))
