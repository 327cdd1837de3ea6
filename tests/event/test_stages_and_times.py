"""Announcements, pauses, lists of players, and how long an event takes."""

import re
from datetime import UTC, datetime

import pytest

from judge.schemas.tournament.encodings import text_of
from judge.services.event.event_rows import read_rows
from judge.services.event.timetable import timetable
from judge.storage.tables import Event, Player, Round
from judge.tournament.forecast import Pace, bracket_rounds
from judge.tournament.model import Format
from judge.web.public.private_links import player_link
from tests.pairing.test_whole_evening import enter, version


def test_four_rounds_of_2_and_30_minutes_with_10_between_end_after_158_minutes():
    assert Pace(120, 1800, 600).needed(4) == 158 * 60
    assert Pace(120, 1800, 600).needed(1) == 32 * 60
    assert Pace(120, 1800, 600).needed(0) == 0


@pytest.mark.parametrize(
    ("kind", "players", "rounds"),
    [("single-elimination", 8, 3), ("single-elimination", 5, 3), ("single-elimination", 2, 1),
     ("double-elimination", 8, 7), ("swiss", 8, 0)],
)  # fmt: skip
def test_a_bracket_takes_as_many_rounds_as_it_has_levels(kind, players, rounds):
    assert bracket_rounds(Format(kind=kind), players) == rounds


def times(hall, now=None):
    with hall.database.session() as session:
        rows = read_rows(session, session.get(Event, hall.id))
        return timetable(rows, now or datetime.now(UTC))


def test_announcements_reach_every_page_and_can_be_taken_back(hall, app, sign_in):
    hall = hall("dice-throne-ranked", 4)
    hall.publish(1)
    with app.test_request_context():
        link = player_link(hall.rows(Player)[0])
    hall.post("/announcements", text="Lunch until <13:00>")
    pages = [f"/e/{hall.slug}{path}" for path in ("", "/standings", "/clock", "/screen", "/about")]
    for page in (*pages, link, f"{pages[0]}?part=1"):
        assert "Lunch until &lt;13:00&gt;" in hall.visitor.get(page).text, page
    assert "Announced: Lunch" in hall.get("/log").replace("&lt;", "<")
    number = re.search(
        r"announcements/(\d+)/off", hall.client.get(f"/e/{hall.slug}/desk/announcements").text
    )[1]
    hall.post(f"/announcements/{number}/off")
    assert "Lunch" not in hall.seen("")
    hall.post("/announcements", 422, on="/announcements", text="   ")
    keeper = hall.staff(sign_in, "scorekeeper")
    assert keeper.get(f"/e/{hall.slug}/desk/announcements").status_code == 200
    for n in range(5):
        hall.post("/announcements", text=f"Message {n}")
    assert hall.seen("").count("Message") == 3


def test_all_clocks_pause_at_once_and_the_end_moves(hall):
    hall = hall("dice-throne-ranked", 8, format={"kind": "swiss", "rounds": 4}, cut=0)
    hall.publish(1)
    hall.post("/clock", do="start", version=version(hall))
    now = datetime.now(UTC)
    left = (times(hall, now).projected_end - now).total_seconds() / 60
    assert 157 < left <= 158.1, "just begun, all four rounds are ahead"
    hall.post("/clock/all", do="pause")
    assert "All clocks stand still" in hall.get("")
    hall.post("/clock/all", 409, on="/clock", do="pause")
    round_ = hall.rows(Round)[-1]
    assert round_.clock_from is None
    hall.post("/clock/all", do="resume")
    assert hall.rows(Round)[-1].clock_from is not None
    assert "All clocks paused" in hall.get("/log")
    enter(hall)
    left = (times(hall, now).projected_end - now).total_seconds() / 60
    assert left == 3 * 32 + 3 * 10, "every result is in: three rounds and the breaks before them"


LIST = "name,club\nЗоя Ёлкина,Пермь\nИван,Омск\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1251", "utf-16", "utf-16-le", "utf-16-be"])
def test_lists_of_any_program_are_read(encoding):
    assert text_of(LIST.encode(encoding)).removeprefix("\ufeff") == LIST


def test_french_code_pages_and_no_text():
    french = "name,club\nZoé,Besançon\nGaël,Nîmes\n"
    assert text_of(french.encode("cp1252")) == french
    assert text_of(b"\x89PNG\r\n\x1a\n\0\0\0") is None


def test_lists_with_numbers_unknown_columns_and_unticked_rows(hall):
    hall = hall("dice-throne-ranked", 0)
    hall.post("/players/add", kind="names", text="1. Ana\n2) Ben; Lyon\n• Cleo\tNice\n3 Musketeers")
    assert [(p.name, p.club) for p in hall.rows(Player)] == [
        ("Ana", None), ("Ben", "Lyon"), ("Cleo", "Nice"), ("3 Musketeers", None),
    ]  # fmt: skip
    table = "name,shoe size,members\nRed Foxes,42,Ann / Bob\nDov,41,\nÉloïse,38,"
    page = hall.post("/players/add", 200, kind="csv", text=table)
    assert "shoe size" in page
    hall.post("/players/add", kind="csv", text=table, confirmed="yes", ticks="1", row=[2, 4])
    assert [p.name for p in hall.rows(Player)][4:] == ["Red Foxes", "Éloïse"]
    assert hall.rows(Player)[4].members == ["Ann", "Bob"]
    assert "Éloïse" in hall.get("/players?q=eloise")
    assert "Red Foxes" in hall.get("/players?q=bob")
