"""The event's own words, by form, by YAML and as a file."""

import html
import io
import re

import pytest
from sqlmodel import select

from judge.services.event.catalogue import from_yaml
from judge.storage.rulings import EventCatalogue
from judge.web.event.catalogue_form import entry_from, form_of, is_simple
from tests.builders import make_event, make_staff

DESK = "/e/autumn-throne/desk/catalogue"


@pytest.fixture
def desk(app, sign_in):
    app.config["WTF_CSRF_ENABLED"] = False
    database = app.extensions["judge.database"]

    class Desk:
        def __init__(self):
            with database.transaction() as session:
                event = make_event(session)
                self.client = sign_in(app.test_client(), make_staff(session, event, "judge"))

        @property
        def words(self):
            with database.session() as session:
                found = session.exec(select(EventCatalogue)).first()
                return found.catalogue if found else {}

        def post(self, path, status=302, **form):
            with database.session() as session:
                found = session.exec(select(EventCatalogue)).first()
            form = {"version": found.version if found else 0, **form}
            answer = self.client.post(f"{DESK}{path}", data=form)
            assert answer.status_code == status, text(answer.text)
            return answer.text

    return Desk()


def text(page):
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


def test_a_card_is_added_by_the_form_and_shown_in_words(desk):
    desk.post(
        "/card", name_en="Sudden Storm", kind="instant", cost="2", deal="4", type="pure", inflict="burn"
    )
    page = text(desk.client.get(DESK).text)

    assert desk.words == {
        "cards": [
            {
                "id": "sudden-storm",
                "names": {"en": "Sudden Storm"},
                "kind": "instant",
                "cost": 2,
                "effects": [{"deal": 4, "type": "pure"}, {"inflict": "burn"}],
            }
        ]
    }
    assert "Sudden Storm 4 damage (pure); inflicts Burn" in page


def test_what_the_form_shows_it_also_writes():
    entry = {
        "id": "x", "names": {"en": "X", "fr": "X"}, "kind": "offensive",
        "effects": [{"deal": 5, "type": "pure"}, {"gain": "protect", "count": 2}],
    }  # fmt: skip

    assert is_simple("ability", entry)
    assert entry_from("ability", form_of("ability", entry), entry) == entry


def test_a_word_that_says_more_than_the_form_is_edited_as_yaml(desk):
    desk.post(
        "/status",
        yaml="id: doom\npolarity: negative\nwhen: upkeep\neffects:\n- {roll: 1, on: {1-2: [{deal: 3}]}}",
    )
    page = desk.client.get(f"{DESK}/status/doom").text

    assert 'name="yaml"' in page
    assert "when: upkeep" in html.unescape(page)


def test_a_change_keeps_the_id_and_a_new_name(desk):
    desk.post("/ability", name_en="Blast", kind="offensive", deal="4")
    desk.post("/ability", was="blast", name_en="Big Blast", kind="offensive", deal="6")

    assert [(a["id"], a["names"]["en"]) for a in desk.words["abilities"]] == [("blast", "Big Blast")]


def test_what_is_wrong_is_named_and_nothing_typed_is_lost(desk):
    page = desk.post("/card", 422, name_en="Odd", kind="instant", cost="two", deal="4")
    yaml = desk.post("/hero", 422, yaml="id: golem\ndice: [a, b]\n")

    assert "cards[1].cost" in page
    assert 'value="two"' in page
    assert "heroes[1].dice" in yaml
    assert "id: golem" in html.unescape(yaml)
    assert desk.words == {}


def test_a_word_without_a_name_is_refused(desk):
    desk.post("/ability", 422, kind="offensive", deal="4")


def test_a_stale_form_is_refused(desk):
    desk.post("/ability", name_en="Blast", kind="offensive", deal="4")
    desk.post("/ability", 409, name_en="Other", kind="offensive", deal="4", version="0")


def test_words_leave_and_come_back_as_a_file(desk):
    desk.post("/ability", name_en="Blast", kind="offensive", deal="4")
    before = desk.words
    answer = desk.client.get(f"{DESK}/file.yaml")
    desk.post("/ability/remove", id="blast")
    gone = desk.words
    desk.post("", file=(io.BytesIO(answer.data), "words.yaml"))

    assert "attachment" in answer.headers["Content-Disposition"]
    assert from_yaml(answer.text) == before
    assert gone == {}
    assert desk.words == before


def test_a_file_that_is_wrong_names_the_place_and_stays_in_the_field(desk):
    page = desk.post("", 422, text="cards:\n- {id: a, kind: instant}\n- {id: b, kind: magic}\n")

    assert "cards[2].kind" in page
    assert "kind: magic" in html.unescape(page)


def test_unknown_kinds_and_words_are_not_found(desk):
    assert desk.client.get(f"{DESK}/weapon/new").status_code == 404
    assert desk.client.get(f"{DESK}/card/nothing").status_code == 404
