"""A precedent becomes an answer of the event's own book and goes to another event as a file."""

import json

import pytest
from sqlmodel import select

from judge.schemas.files import parse
from judge.services.dispute.rulings import check_file
from judge.storage.events import Match
from tests.builders import make_event, make_players, make_round, make_staff

STRIKE = {"by": "Ana", "activate": "overpower", "on": "Ben", "effects": [{"deal": 8, "type": "normal"}]}
ANSWER = {"question": "How hard is Overpower?", "says": "As hard as its dice.", "subject": "damage"}
BOOK = "/e/autumn-throne/desk/answers"


@pytest.fixture
def world(app, sign_in):
    app.config["WTF_CSRF_ENABLED"] = False
    with app.extensions["judge.database"].transaction() as session:
        event = make_event(session)
        ana, ben = make_players(session, event, 2)
        ana.heroes, ben.heroes = ["barbarian"], ["paladin"]
        make_round(session, event, [(ana, ben)])
        clients = {
            role: sign_in(app.test_client(), make_staff(session, event, role))
            for role in ("judge", "head-judge")
        }
        match = session.exec(select(Match)).one().id
    return clients, match


@pytest.fixture
def precedent(world):
    """The key of a kept ruling that is a precedent."""
    clients, match = world
    head = clients["head-judge"]
    table = head.post(f"/e/autumn-throne/desk/matches/{match}/rule").headers["Location"]
    head.post(table, data={"do": "add", "event": json.dumps(STRIKE)})
    address = head.post(f"{table}/keep", data={"title": "Overpower for 8"}).headers["Location"]
    key = address.rpartition("/")[2]
    head.post(f"/e/autumn-throne/desk/rulings/{key}/precedent", data={"precedent": "yes"})
    return key


def test_a_precedent_becomes_an_answer_with_letters_for_players_and_can_be_taken_back(world, precedent):
    clients, _ = world
    head = clients["head-judge"]
    head.post(f"{BOOK}/new/{precedent}", data=ANSWER)

    assert ANSWER["question"] in head.get(BOOK).text
    file = parse(head.get(f"{BOOK}/answers.yaml").data)
    assert [player["id"] for player in file["answers"][0]["table"]["players"]] == ["A", "B"]
    assert "Ben" not in json.dumps(file["answers"][0]["table"])
    assert [differences for _, differences in check_file(file)] == [[]]

    log = head.get("/e/autumn-throne/desk/log").text
    assert "Book of answers: a precedent added" in log


def test_a_ruling_that_is_no_precedent_is_refused_with_everything_typed(world, precedent):
    clients, _ = world
    head = clients["head-judge"]
    head.post(f"/e/autumn-throne/desk/rulings/{precedent}/precedent", data={"precedent": "no"})
    page = head.post(f"{BOOK}/new/{precedent}", data=ANSWER)

    assert page.status_code == 422
    assert "Only a precedent becomes an answer" in page.text
    assert ANSWER["says"] in page.text


def test_the_file_is_read_into_a_book_unless_the_rules_do_not_confirm_it(world, precedent):
    clients, _ = world
    head = clients["head-judge"]
    head.post(f"{BOOK}/new/{precedent}", data=ANSWER)
    file = head.get(f"{BOOK}/answers.yaml").text
    head.post(f"{BOOK}/remove", data={"id": "how-hard-is-overpower", "version": "1"})
    assert ANSWER["question"] not in head.get(BOOK).text

    bent = head.post(f"{BOOK}/file", data={"text": file.replace("final: 8", "final: 7")})
    head.post(f"{BOOK}/file", data={"text": file})

    assert bent.status_code == 422
    assert "do not confirm" in bent.text
    assert ANSWER["question"] in head.get(BOOK).text


def test_the_book_is_offered_at_a_table_with_the_same_things_and_closed_to_others(world, precedent, client):
    clients, match = world
    clients["head-judge"].post(f"{BOOK}/new/{precedent}", data=ANSWER)
    table = clients["judge"].post(f"/e/autumn-throne/desk/matches/{match}/rule").headers["Location"]

    assert ANSWER["question"] in clients["judge"].get(f"{table}/similar").text
    assert clients["judge"].post(f"{BOOK}/new/{precedent}", data=ANSWER).status_code == 403
    assert client.get(BOOK).status_code in (302, 303, 403)
