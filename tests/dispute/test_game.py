"""A game followed event by event."""

import html
import re
from datetime import UTC, datetime

import pytest

from judge.paths import PACKAGE
from judge.schemas.files import read_file
from judge.services.dispute import drafts as table_drafts
from judge.services.dispute.case import Case
from judge.services.dispute.follow import follow
from judge.services.dispute.rulings import rule_table, tables_in

CASES = PACKAGE.parent / "tests" / "cases"


def text(page):
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


def case(name, table_id):
    tables = [table for _, table in tables_in(read_file(CASES / name))]
    return next(table for table in tables if str(table.get("id", "")).startswith(table_id))


@pytest.fixture
def opened(app):
    """opened(table) is the address of the table's game."""

    def opened(table):
        table = {key: value for key, value in table.items() if key != "expect"}
        with app.extensions["judge.database"].transaction() as session:
            draft = table_drafts.begin(session, table, datetime.now(UTC))
            session.flush()
            return f"/rule/{draft.token}/game"

    return opened


def test_every_event_can_be_stepped_to_and_shows_what_it_changed(client, opened):
    address = opened(case("dice-throne.yaml", "DTC-001"))
    count = int(re.search(r"(\d+) of (\d+)", text(client.get(address).text))[2])
    for n in range(count + 1):
        page = client.get(f"{address}?after={n}")
        assert page.status_code == 200
        assert f"{n} of {count}" in text(page.text)

    second = text(client.get(f"{address}?after=2").text)
    assert "Retribution −1" in second
    assert "Offensive Roll" in second


def test_an_event_that_should_not_have_counted_leads_to_a_list_of_changes(client, opened):
    address = opened(case("dice-throne.yaml", "DTC-001"))
    page = text(client.get(f"{address}?illegal=2").text)

    assert "If event 2 should not have counted" in page
    assert re.search(r"Give \w+ 1 × Retribution", page)


def test_a_table_that_shows_something_else_is_mended(client, opened):
    address = opened(case("dice-throne.yaml", "DTC-001"))
    page = text(client.get(f"{address}?shows=1&health_1=30").text)

    assert "To put the table right" in page
    assert "health dial" in page


HELD = {
    "game": "dice-throne",
    "edition": "fr-2.4.1",
    "players": [
        {"id": "Ana", "hero": "barbarian"},
        {"id": "Ben", "hero": "paladin", "statuses": {"protect": 1, "retribution": 1}},
    ],
    "events": [],
}


def repairs(page):
    return re.findall(r'<input type="checkbox"> ([^<]+)</label>', html.unescape(page))


def test_tokens_that_lie_wrong_are_mended_and_those_nobody_named_are_left_alone(client, opened):
    address = opened(HELD)

    said = repairs(client.get(f"{address}?shows=1&statuses_2_protect=2").text)
    assert [line for line in said if "Protect" in line] == said
    assert len(said) == 1
    said = repairs(client.get(f"{address}?shows=1&statuses_1_protect=1&statuses_2_protect=0").text)
    assert len(said) == 1
    assert re.search(r"1 × Protect from Ana to Ben", said[0])


@pytest.mark.parametrize("typed", ["Concussion", "concussion", "Commotion", "Magic Itch"])
def test_a_token_is_named_in_any_language_or_is_a_new_one(client, opened, typed):
    page = client.get(opened(HELD), query_string={"shows": "1", "other_2": typed, "others_2": "3"}).text

    assert len(repairs(page)) == 1
    assert re.search(r"3 × (Concussion|Magic Itch)", repairs(page)[0])


def test_a_count_that_is_no_number_is_refused_by_name(client, opened):
    page = client.get(f"{opened(HELD)}?shows=1&statuses_2_protect=many")

    assert page.status_code == 422
    assert "statuses_2_protect" in page.text


def test_a_dice_forge_table_is_mended_down_to_its_faces_feats_and_tokens(client, opened):
    players = [{"id": "Ana", "feats": ["silver_hind"], "gold": 3}, {"id": "Ben"}]
    address = opened({"game": "dice-forge", "edition": "fr-1", "players": players, "events": []})
    shows = {"shows": 1, "tokens_2_triton": 1, "less_1": "silver_hind", "island_2": 3, "gold_1": 5}
    said = repairs(client.get(address, query_string={**shows, "place_2": "1 S1", "face_2": "G4"}).text)

    assert len(said) == 5
    for words in ("Triton", "Silver Hind", "island", "gold", "face"):
        assert any(words.casefold() in line.casefold() for line in said), (words, said)


@pytest.mark.parametrize("lang", ["en", "fr", "ru"])
def test_a_dice_forge_game_shows_dice_reserves_and_feats(client, opened, lang):
    tables = [table for _, table in tables_in(read_file(CASES / "dice-forge.yaml"))]
    table = next(table for table in tables if len(table.get("events") or []) > 2)
    page = text(client.get(f"{opened(table)}?lang={lang}").text)

    assert {"en": "Island:", "fr": "Île :", "ru": "Остров:"}[lang] in page


FOLLOWED = ["dice-throne-modes.yaml", "dice-throne-tokens.yaml", "dice-forge-feats.yaml"]


@pytest.mark.parametrize("file", FOLLOWED)
def test_every_case_can_be_followed_to_its_end(file):
    """The last boards are those of the ruling: damage that was still waiting is taken."""
    for _, table in tables_in(read_file(CASES / file)):
        moment = follow(Case(table), None, "en")
        ruling = rule_table(table)
        assert moment.after == moment.count
        assert {board.who: board.state.as_json() for board in moment.boards} == ruling["players"]
        assert moment.teams == (ruling.get("teams") or {})


def test_a_number_out_of_reach_goes_to_the_nearest_end(client, opened):
    address = opened(case("dice-throne.yaml", "DTC-001"))

    assert client.get(f"{address}?after=999&illegal=999").status_code == 200
    assert client.get(f"{address}?after=-5").status_code == 200
