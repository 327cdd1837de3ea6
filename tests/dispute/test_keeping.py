"""What a judge says of a text known in part is offered for the event's catalogue and used from then on."""

import json

import pytest
from sqlmodel import select

from judge.schemas.files import parse
from judge.storage.rulings import EventCatalogue
from judge.storage.tables import Event, Match
from tests.builders import make_players, make_round

PART = {"HX-Request": "true"}
KEEP = "in the event’s catalogue"


@pytest.fixture(autouse=True)
def _no_form_tokens(app):
    app.config["WTF_CSRF_ENABLED"] = False


def begun(desk, database, hero):
    """A table of a match of the event, in which a hero known in part sits."""
    with database.transaction() as session:
        event = session.get(Event, desk.event_id)
        players = make_players(session, event, 2)
        for player, written in zip(players, (hero, "samurai"), strict=True):
            player.heroes = [written]
        make_round(session, event, [players])
        match = session.exec(select(Match)).one().id
    return desk.post(f"/e/{desk.slug}/desk/matches/{match}/rule").headers["Location"]


def tap(desk, address, **form):
    answer = desk.client.post(address, data=form, headers=PART)
    assert answer.status_code == 200, answer.text[:600]
    return answer.text


def file_of(desk, address):
    return parse(desk.client.get(f"{address}/table.yaml").data)


def test_an_answer_about_an_unknown_text_is_kept_and_used_by_the_events_next_table(desk, app_database):
    address = begun(desk, app_database, "captain-marvel")
    who = file_of(desk, address)["players"][0]["id"]
    event = {"by": who, "activate": "inner-light"}
    asked = tap(desk, address, do="add", event=json.dumps(event))
    said = tap(desk, address, do="number", n=1, word="deal", value=6)

    assert KEEP not in asked  # nothing has been said yet
    assert "Keep this text of Inner Light" in said
    kept = tap(desk, address, do="keep", n=1)

    with app_database.session() as session:
        (entry,) = session.exec(select(EventCatalogue)).one().catalogue["abilities"]
    assert (entry["id"], entry["activation"]) == ("inner-light", {"symbols": {"a": 2, "c": 2}})
    assert entry["effects"] == [{"deal": 6}]
    assert not {"partial", "gap", "says"} & entry.keys()
    assert KEEP not in kept

    table = file_of(desk, address)
    table["events"] = [event]
    answer = desk.client.post("/api/v1/rulings", json=table).json
    assert "asks" not in answer
    assert answer["resolutions"][0]["totals"][table["players"][1]["id"]]["final"] == 6


def test_without_an_event_nothing_is_offered_and_nothing_kept(client):
    address = client.post("/rule", data={"hero1": "captain-marvel", "hero2": "samurai"}).headers["Location"]
    who = parse(client.get(f"{address}/table.yaml").data)["players"][0]["id"]
    event = {"by": who, "activate": "inner-light", "effects": [{"deal": 6, "type": "normal"}]}
    page = client.post(address, data={"do": "add", "event": json.dumps(event)}, headers=PART).text

    assert KEEP not in page
    assert client.post(address, data={"do": "keep", "n": 1}, headers=PART).status_code == 403


def test_a_hero_that_is_known_is_never_overwritten(desk, app_database):
    address = begun(desk, app_database, "paladin")
    who = file_of(desk, address)["players"][0]["id"]
    event = {"by": who, "activate": "righteous-combat", "effects": [{"deal": 99, "type": "normal"}]}
    page = tap(desk, address, do="add", event=json.dumps(event))

    assert KEEP not in page
    assert desk.client.post(address, data={"do": "keep", "n": 1}, headers=PART).status_code == 403
