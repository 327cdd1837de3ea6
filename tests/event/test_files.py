"""Files of an event: out and in again, lists that a spreadsheet may open, papers."""

import io
import json
import re
import shutil
import zipfile
from datetime import UTC, datetime

import pytest
from pypdf import PdfReader
from sqlmodel import select

from judge.schemas.tournament.reader import read_tournament
from judge.services.event.demo import find_demo, load_demo
from judge.services.event.files import export_file, export_list
from judge.services.event.importing import import_file
from judge.storage.database import Database
from judge.storage.events import Event, Match, Player, Round
from tests.builders import make_event, make_players, make_round, make_staff

NOW = datetime(2026, 11, 14, 12, 0, tzinfo=UTC)


@pytest.fixture
def demo(app, app_database):
    """The demo event, and its organiser signed in."""
    app.config["WTF_CSRF_ENABLED"] = False
    with app_database.transaction() as session:
        organiser = make_staff(session, None, "organiser")
        slug = load_demo(session, organiser, NOW).result.slug
        known = [organiser.id, organiser.epoch]
    client = app.test_client()
    with client.session_transaction() as cookie:
        cookie["account"] = known
    return client, slug


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_an_event_given_out_and_read_in_is_the_same_event(app_database, demo, form):
    with app_database.transaction() as session:
        event = find_demo(session)
        organiser = make_staff(session, None, "organiser", "second")
        text = export_file(session, event, form)
        copy = import_file(session, organiser, text.encode(), NOW).result

        there, here = (json.loads(export_file(session, e, "json")) for e in (event, copy))

    assert [p["name"] for p in there["players"]] == [p["name"] for p in here["players"]]
    assert there["rounds"] == here["rounds"]
    assert there["tiebreakers"] == here["tiebreakers"]


def test_reading_in_makes_one_entry_in_the_log_and_takes_no_staff_along(app_database, demo):
    client, slug = demo
    text = client.get(f"/e/{slug}/desk/files/tournament.yaml").data

    answer = client.post("/events/import", data={"file": (io.BytesIO(text), "event.yaml")})

    assert answer.status_code == 302
    with app_database.session() as session:
        assert len(session.exec(select(Event)).all()) == 2


def test_a_file_that_is_wrong_is_refused_with_its_place(demo, app_database):
    client, _ = demo

    answer = client.post(
        "/events/import", data={"text": "tournament: 1\nname: X\nplayers: [Ana]\ncolour: red"}
    )

    assert answer.status_code == 422
    assert "colour" in answer.text
    with app_database.session() as session:
        assert len(session.exec(select(Event)).all()) == 1


def test_a_spreadsheet_runs_nothing_that_a_player_called_themselves(app_database):
    with app_database.transaction() as session:
        event = make_event(session)
        ana, ben = make_players(session, event, 2)
        ana.name = "=HYPERLINK(1)"
        make_round(session, event, [(ana, ben)])
        lists = [export_list(session, event, what) for what in ("players", "results", "standings")]

    for text in lists:
        assert "'=HYPERLINK(1)" in text


@pytest.mark.parametrize(
    ("paper", "says"),
    [
        ("pairings.pdf", "Quillfeather"),
        ("standings.pdf", "Buchholz"),
        ("desk/slips.pdf", "Demo Throne"),
        ("desk/kit.pdf", "Demo Throne"),
    ],
)
def test_papers_open_in_the_browser(demo, paper, says):
    client, slug = demo

    answer = client.get(f"/e/{slug}/{paper}?paper=letter&language=en")

    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"].startswith("inline")
    assert says in "".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.data)).pages)


def test_the_moment_of_printing_is_written_in_the_language_of_the_paper(demo):
    client, slug = demo
    answer = client.get(f"/e/{slug}/pairings.pdf?language=ru", headers={"Accept-Language": "en"})
    text = "".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.data)).pages)

    assert re.search(r"\d\d\.\d\d\.\d{4}, \d\d:\d\d", text)
    assert not re.search(r"\d [AP]M|\d\s[AP]M", text)


def test_all_papers_of_a_round_come_in_one_zip(demo):
    client, slug = demo

    answer = client.get(f"/e/{slug}/desk/round.zip")

    assert len(zipfile.ZipFile(io.BytesIO(answer.data)).namelist()) >= 4


def test_public_papers_need_no_account_and_the_desks_do(app, demo):
    _, slug = demo
    stranger = app.test_client()

    assert stranger.get(f"/e/{slug}/pairings.pdf").status_code == 200
    assert stranger.get(f"/e/{slug}/desk/slips.pdf").status_code == 302
    assert stranger.get(f"/e/{slug}/kit.pdf").status_code == 404


def test_the_demo_is_a_ranked_event_in_round_3_of_5(app_database, demo):
    with app_database.session() as session:
        event = find_demo(session)
        rounds = session.exec(select(Round).where(Round.event_id == event.id)).all()
        playing = session.exec(select(Match).where(Match.result.is_(None))).all()

        assert len(session.exec(select(Player)).all()) == 24
        assert [r.number for r in rounds] == [1, 2, 3]
        assert event.settings["format"]["rounds"] == 5
        assert sorted((m.table_no, m.extension_s) for m in playing) == [(5, 0), (9, 0), (12, 600)]


def test_one_click_loads_the_demo_and_one_removes_it(app, app_database):
    app.config["WTF_CSRF_ENABLED"] = False
    with app_database.transaction() as session:
        organiser = make_staff(session, None, "organiser")
        known = [organiser.id, organiser.epoch]
    client = app.test_client()
    with client.session_transaction() as cookie:
        cookie["account"] = known

    assert "Load the demo event" in client.get("/").text
    client.post("/demo")
    client.post("/demo")
    with app_database.session() as session:
        assert len(session.exec(select(Event)).all()) == 1
    assert "Remove the demo" in client.get("/").text
    client.post("/demo/remove")
    with app_database.session() as session:
        assert not session.exec(select(Event)).all()
        assert not session.exec(select(Player)).all()
    assert "Load the demo event" in client.get("/").text


def test_the_demo_is_the_same_every_time(migrated_sqlite, tmp_path):
    texts = []
    for name in ("one", "two"):
        database = Database(f"sqlite:///{shutil.copy(migrated_sqlite, tmp_path / name)}")
        with database.transaction() as session:
            event = load_demo(session, make_staff(session, None, "organiser"), NOW).result
            texts.append(export_list(session, event, "results"))
        database.close()

    assert texts[0] == texts[1]


def test_before_any_account_the_start_page_says_how_to_begin(client):
    assert "first organiser" in client.get("/").text


FINER = {
    "name": "Spring", "tournament": 1, "tiebreakers": ["omw"], "byes_in_omw": False, "unplayed": "dummy",
    "clubs": {"rounds": 2, "hard": True}, "tables": {"ranges": ["5-9"], "skip": [7]},
    "scoring": {"win": 3, "draw": 1, "loss": 0, "bye": 3, "per": "game"}, "best_of": 3,
    "format": {"kind": "swiss", "rounds": 3, "pattern": {"last": "adjacent"}},
    "players": ["Ana", "Ben", "Cleo", "Dov"],
    "rounds": [[{"a": "Ana", "b": "Ben", "result": "a", "games": [2, 1]},
                {"a": "Cleo", "b": "Dov", "result": "b", "games": [0, 2]}]],
}  # fmt: skip


def test_the_finer_settings_of_a_file_come_back_out(app_database):
    with app_database.transaction() as session:
        organiser = make_staff(session, None, "organiser")
        event = import_file(session, organiser, json.dumps(FINER).encode(), NOW).result
        file = json.loads(export_file(session, event, "json"))

    there, here = read_tournament(FINER), read_tournament(file)
    for key in ("byes_in_omw", "unplayed", "clubs", "tables", "scoring", "best_of", "tiebreakers", "format"):
        assert getattr(here, key) == getattr(there, key)
