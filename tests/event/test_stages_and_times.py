"""Two days with stages, teams, awarded byes, absences, announcements, pauses, and how long it all takes."""

import re
from datetime import UTC, datetime

import pytest

from judge.schemas.tournament.encodings import text_of
from judge.services.event.timetable import timetable
from judge.services.event.tournament_of import read_rows
from judge.storage.tables import Event, Match, Player, Round
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


def test_two_days_with_stages_from_the_form_to_the_last_handshake(hall, app):
    hall = hall("dice-throne-ranked", 16, format={"kind": "swiss", "rounds": 3})
    page = hall.client.get(f"/e/{hall.slug}/desk/settings").text
    form = dict(re.findall(r'<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"', page))
    for name in re.findall(r'<select[^>]*name="([^"]+)"', page):
        block = re.search(rf'<select[^>]*name="{name}".*?</select>', page, re.S)[0]
        chosen = re.search(r'<option selected value="([^"]*)"', block) or re.search(r'value="([^"]*)"', block)
        form[name] = chosen[1]
    form |= {
        "languages": ["en", "fr", "ru"], "cut": "0", "starts_at": "9h30", "between_min": "10",
        "place": "Town hall", "about": "Bring dice.\n\nLunch is free.",
        "schedule": "09:00 Doors\n2 12:00 Lunch",
        "s2_kind": "swiss", "s2_name": "Afternoon", "s2_take": "top", "s2_number": "8", "s2_rounds": "2",
        "s2_carry": "y", "s3_kind": "single-elimination", "s3_name": "Top 4", "s3_take": "top",
        "s3_number": "4", "s3_best_of": "3", "s3_third_place": "y", "s3_day": "2", "s3_at": "10:00",
        "s3_round_min": "45",
    }  # fmt: skip
    form.pop("csrf_token")
    hall.post("/settings", on="/settings", **form)
    planned = times(hall)
    assert [(s.rounds, s.minutes) for s in planned.stretches] == [(3, 116), (2, 74), (2, 104)]
    assert planned.stretches[0].starts.strftime("%H:%M") == "09:30"
    assert planned.stretches[1].starts.strftime("%H:%M") == "11:36", "ten minutes after the third round"
    assert planned.stretches[2].starts.strftime("%H:%M") == "10:00"
    assert (planned.stretches[2].starts.date() - planned.stretches[0].starts.date()).days == 1
    info = hall.seen("/about")
    for words in ("Town hall", "Lunch is free.", "Doors", "Rounds 1 to 3", "Top 4", "294 minutes"):
        assert words in info
    page = hall.client.get(f"/e/{hall.slug}/desk/settings").text
    bad = {**form, "s3_at": "noon", "seen": re.search(r'name="seen" value="([^"]+)"', page)[1]}
    assert "time of day" in hall.post("/settings", 422, on="/settings", **bad)
    assert 'value="noon"' in hall.page

    player, other = hall.rows(Player)[:2]
    base = {"name": player.name, "version": player.version}
    hall.post(f"/players/{player.id}", **base, byes="1", members="Ann\nBob")
    hall.post(f"/players/{other.id}", 422, name=other.name, version=other.version, absent="two")
    hall.post(f"/players/{other.id}", name=other.name, version=other.version, absent="2")
    hall.publish(1)
    bye = [m for m in hall.rows(Match) if m.b_id is None]
    assert player.id in [m.a_id for m in bye]
    assert "awarded" in hall.get("/rounds/1") or "Bye" in hall.get("/rounds/1")
    enter(hall)
    for number in (2, 3):
        hall.publish(number)
        enter(hall)
    missed = [m for m in hall.rows(Match) if m.result == "missed"]
    assert [m.a_id for m in missed] == [other.id]
    assert "Start: Afternoon" in hall.get("")
    hall.post("/cut", number=4)
    hall.post("/rounds/4/publish", version=version(hall))
    assert len(hall.open()) == 4
    assert "Health breaks ties here" in hall.post("/results", 200, line="1 a")
    assert "Health missing at 1 table" in hall.get("/results"), "in the second stage too"
    hall.post("/results", 200, line="1 9 0")
    enter(hall)
    hall.publish(5)
    enter(hall)
    assert "Start: Top 4" in hall.get("")
    hall.post("/cut", number=6)
    hall.post("/rounds/6/publish", version=version(hall))
    assert hall.rows(Round)[-1].stage == 3
    assert "Round 6 · Top 4" in hall.get("/rounds/6")
    assert "Start: 2 min set-up, then 45 min" in hall.get("/clock"), "the stage has its own clock"
    hall.post("/clock", do="start-round", version=version(hall))
    clock = hall.visitor.get(f"/api/v1/events/{hall.slug}/clock").json
    begun = hall.rows(Round)[-1].clock_from
    assert (datetime.fromisoformat(clock["ends_at"]) - begun).total_seconds() == 45 * 60
    for match in hall.open():
        said = hall.post("/results", 200, line=f"{match.table_no} a 2-0")
        assert "Health breaks ties" not in said, "a bracket has no ties"
    hall.publish(7)
    for match in hall.open():
        hall.post("/results", 200, line=f"{match.table_no} a 2-1")
    hall.post("/finish")
    page = hall.seen("/standings")
    assert "Final standings" in page
    ranks = re.findall(r'<td class="num">(\d+)</td><th', hall.visitor.get(f"/e/{hall.slug}/standings").text)
    assert ranks[:6] == ["1", "2", "3", "4", "5", "6"], "the last stage, then the one before"
    paper = hall.client.get(f"/e/{hall.slug}/standings.pdf?language=ru").data
    assert paper.startswith(b"%PDF")


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
