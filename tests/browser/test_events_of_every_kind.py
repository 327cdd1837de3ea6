"""Events that are no plain evening, in a real browser: teams of two, groups of fifteen to a bracket, two days
in stages, best of three, a season of three events, and three people at the desk at once.
"""

import csv
import re
from datetime import date
from io import StringIO

import pytest
from sqlmodel import select

from judge.services.season.season_files import season_file
from judge.storage.events import Staff
from judge.storage.tables import AuditRow, Match, Player
from tests.browser.hosted import HostedHall, ranks, words
from tests.builders import make_event, make_players, make_round
from tests.event.test_stages_and_times import times
from tests.pairing.test_whole_evening import enter
from tests.paper.reading import Read


@pytest.fixture
def hosted(page, shared_server):
    """hosted("dice-throne-ranked", 13): an event whose organiser sits at `page`."""
    halls = []

    def new(preset, players, **settings):
        halls.append(HostedHall(shared_server, page, preset, players, **settings))
        return halls[-1]

    yield new
    for hall in halls:
        hall.database.close()


def send(page, name, role="button"):
    """Press what leads to another page, and wait for it."""
    with page.expect_navigation():
        page.get_by_role(role, name=name).click()


def type_all(desk, says):
    """Type a line for every open table and wait until all are answered."""
    tables = desk.tables()
    for table in tables:
        desk.page.locator("#line").fill(f"{table} {says}")
        desk.page.locator("#line").press("Enter")
    desk.page.get_by_role("heading", name="Every result is in").wait_for()
    return tables


def test_a_two_against_two_event_shows_the_members(hosted, phone):
    hall = hosted("dice-throne-2v2", 0, format={"kind": "swiss", "rounds": 2}, cut=0)
    desk, page = hall.desk, hall.desk.page
    desk.go("/players/add")
    teams = "Red Foxes,Ann / Bob\nBlue Owls,Cleo / Dov\nGreen Bears,Eva / Finn\nGrey Wolves,Gia"
    page.locator("#csv").fill(f"name,members\n{teams}")
    send(page, "Look at it first")
    send(page, "Add 4 players")
    desk.pair_and_publish(1)

    phone.goto(desk.path)
    assert "Ann, Bob" in words(phone)
    phone.goto(f"{desk.path}?q=bob")
    assert "Red Foxes" in words(phone), "found by a member"
    desk.go("/results")
    desk.type_line("ann w 5 0")
    page.locator(".entry-says .flash.good", has_text="Red Foxes").wait_for()
    foxes = hall.rows(Player)[0]
    match = next(m for m in hall.rows(Match) if foxes.id in m.seats)
    assert match.result == ("a" if match.a_id == foxes.id else "b")
    desk.type_line(f"{next(iter(desk.tables()))} a 9 0")
    desk.pair_and_publish(2)
    desk.go("/results")
    desk.type_line("bob w 7 0")
    desk.type_line(f"{next(iter(desk.tables()))} a 9 0")
    desk.go()
    send(page, "Finish the event")
    send(page, "Final standings", "link")

    assert ranks(page)[0] == ("1", "Red Foxes")
    assert "Ann, Bob" in words(page)
    phone.goto(hall.phone_link(foxes))
    assert "Red Foxes" in words(phone)
    phone.goto(f"{desk.path}/standings")
    assert ranks(phone) == ranks(page)
    paper = Read(page.context.request.get(f"{desk.path}/pairings.pdf?by=name").body())
    assert "Ann" in " ".join(paper.texts)
    assert desk.faults == []


def test_best_of_three_is_typed_by_games(hosted, phone):
    hall = hosted("dice-throne-ranked", 6, best_of=3, format={"kind": "swiss", "rounds": 1}, cut=0)
    hall.publish(1)
    first, second, third = hall.open()
    desk, page = hall.desk, hall.desk.page
    desk.go("/results")
    desk.type_line(f"{first.table_no} a 2-1")
    page.get_by_text("Health missing at 1 table").wait_for()
    assert hall.rows(Match)[0].games == [2, 1, 0]
    desk.type_line(f"{second.table_no} a 1-2")
    page.locator("#refused-lines li").wait_for()
    assert page.locator("#line").input_value() == f"{second.table_no} a 1-2", "refused, it stands in the line"
    assert hall.rows(Match)[1].result is None
    desk.type_line(f"{second.table_no} b 0-2 0 9")
    desk.type_line(f"{first.table_no} 22 0")
    desk.type_line(f"{third.table_no} 2-0 9 0")
    page.get_by_role("heading", name="Every result is in").wait_for()
    assert "Health missing" not in words(page)

    kept = [(m.result, m.games, m.health_a, m.health_b) for m in hall.rows(Match)]
    assert kept == [("a", [2, 1, 0], 22, 0), ("b", [0, 2, 0], 0, 9), ("a", [2, 0, 0], 9, 0)]
    names = hall.names()
    phone.goto(desk.path)
    assert "2–1" in words(phone)
    desk.go()
    send(page, "Finish the event")
    phone.goto(f"{desk.path}/standings")
    winners = [names[first.a_id], names[second.b_id], names[third.a_id]]
    assert sorted(name for _, name in ranks(phone)[:3]) == sorted(winners)
    assert ranks(phone)[0] == ("1", winners[0]), "the best difference in health"
    assert desk.faults == []


def test_fifteen_in_groups_go_on_to_a_bracket(hosted, phone):
    hall = hosted("groups-and-bracket", 15)
    desk, page = hall.desk, hall.desk.page
    number = 0
    while "The groups are over" not in hall.get(""):
        number += 1
        hall.publish(number)
        enter(hall)
    desk.go()
    send(page, re.compile("Start the top"))
    send(page, f"Publish round {number + 1}")
    first = {name for pair in type_all(desk, "a 9 0").values() for name in pair}
    desk.go()
    while page.get_by_role("button", name="Finish the event").count() == 0:
        number += 1
        desk.pair_and_publish(number + 1)
        final = type_all(desk, "a 9 0")
        desk.go()
    send(page, "Finish the event")
    send(page, "Final standings", "link")

    assert "Final standings" in words(page)
    table = ranks(page)
    assert len(table) == 15
    assert [int(rank) for rank, _ in table] == sorted(int(rank) for rank, _ in table)
    assert [name for _, name in table[:2]] == list(final[1]), "the winner of the final, then the other"
    assert first == {name for _, name in table[:8]}, "who played the bracket stands above the rest"
    assert page.locator("tr.above-cut th a").all_inner_texts() == [table[7][1]], "a line below the eighth"
    phone.goto(f"{desk.path}/standings")
    assert ranks(phone) == table
    phone.goto(f"{desk.path}/bracket")
    assert f"Winner: {table[0][1]}" in words(phone)
    assert "Group A" in words(phone)
    assert desk.faults == []


STAGES = {
    "starts_at": "9h30", "between_min": "10", "place": "Town hall", "about": "Bring dice.\n\nLunch is free.",
    "schedule": "09:00 Doors\n2 12:00 Lunch", "cut": "0",
    "s2_kind": "swiss", "s2_name": "Afternoon", "s2_take": "top", "s2_number": "8", "s2_rounds": "2",
    "s2_carry": True, "s3_kind": "single-elimination", "s3_name": "Top 4", "s3_take": "top",
    "s3_number": "4", "s3_best_of": "3", "s3_third_place": True, "s3_day": "2", "s3_at": "10:00",
    "s3_round_min": "45",
}  # fmt: skip


def fill(page, values):
    """Fill the fields of the page's form by their names, with all folds open."""
    page.evaluate("document.querySelectorAll('main details').forEach(d => d.open = true)")
    for name, value in values.items():
        field = page.locator(f"main [name={name}]")
        if value is True:
            field.check()
        elif field.evaluate("e => e.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)


def test_two_days_with_stages_from_the_form_to_the_last_handshake(hosted, phone):
    hall = hosted("dice-throne-ranked", 16, format={"kind": "swiss", "rounds": 3})
    desk, page = hall.desk, hall.desk.page
    desk.go("/settings")
    fill(page, {**STAGES, "s3_at": "noon"})
    send(page, "Save")
    assert "time of day" in words(page)
    assert page.locator("[name=s3_at]").input_value() == "noon"
    fill(page, {"s3_at": "10:00"})
    send(page, "Save")
    phone.goto(f"{desk.path}/about")
    told = ("Town hall", "Lunch is free.", "Doors", "Rounds 1 to 3", "Top 4", "294 minutes")
    assert [said for said in told if said not in words(phone)] == []
    planned = times(hall).stretches
    assert [(s.rounds, s.minutes) for s in planned] == [(3, 116), (2, 74), (2, 104)]
    assert [s.starts.strftime("%H:%M") for s in planned] == ["09:30", "11:36", "10:00"]
    assert (planned[2].starts.date() - planned[0].starts.date()).days == 1

    # A bye awarded to one player, an absence of another.
    ana, ben = hall.rows(Player)[:2]
    for player, values in ((ana, {"byes": "1"}), (ben, {"absent": "2"})):
        desk.go(f"/players/{player.id}")
        fill(page, values)
        send(page, "Save")
    for number in (1, 2, 3):
        hall.publish(number)
        enter(hall)
    assert ana.id in [m.a_id for m in hall.rows(Match) if m.result == "bye"]
    assert [m.a_id for m in hall.rows(Match) if m.result == "missed"] == [ben.id]

    # The second stage begins with a click; health still breaks ties there.
    desk.go()
    send(page, "Start: Afternoon")
    send(page, "Publish round 4")
    assert len(desk.tables()) == 4
    desk.type_line("1 a")
    page.get_by_text("Health missing at 1 table").wait_for()
    desk.type_line("1 9 0")
    page.get_by_text("Health missing at 1 table").wait_for(state="hidden")
    type_all(desk, "a 9 0")
    hall.publish(5)
    enter(hall)

    # The second day: a bracket of four, best of three, with a clock of its own.
    desk.go()
    send(page, "Start: Top 4")
    send(page, "Publish round 6")
    desk.go("/rounds/6")
    assert "Round 6 · Top 4" in words(page)
    desk.go("/clock")
    assert "Start: 2 min set-up, then 45 min" in words(page)
    type_all(desk, "a 2-0")
    assert "Health missing" not in words(page), "a bracket has no ties"
    desk.pair_and_publish(7)
    final, third = type_all(desk, "b 1-2").values()
    desk.go()
    send(page, "Finish the event")
    send(page, "Final standings", "link")
    places = [(str(n), name) for n, name in enumerate((*final[::-1], *third[::-1]), 1)]
    assert ranks(page)[:4] == places
    assert [rank for rank, _ in ranks(page)[4:8]] == ["5", "6", "7", "8"], "then the stage before"
    phone.goto(f"{desk.path}/standings")
    assert ranks(phone) == ranks(page)
    assert desk.faults == []


def three_months(hall):
    """Three events of the hall's organiser with a published round of four players, each turned by one."""
    with hall.database.transaction() as session:
        owner = session.exec(select(Staff.account_id).where(Staff.event_id == hall.id)).one()
        for n, month in enumerate(("March", "April", "May")):
            settings = {"format": {"kind": "swiss", "rounds": 1}, "tiebreakers": ["health-diff"]}
            facts = {"name": month, "day": date(2026, 3 + n, 1), "state": "running", "settings": settings}
            event = make_event(session, slug=f"{month.lower()}-{hall.slug}", **facts)
            session.add(Staff(event_id=event.id, account_id=owner, role="organiser"))
            players = make_players(session, event, 4)
            order = players[n:] + players[:n]
            make_round(session, event, [(order[0], order[3]), (order[1], order[2])])
            yield event.slug


def test_a_season_of_three_events_counts_the_best_two_from_the_moment_they_close(hosted, phone):
    hall = hosted("dice-throne-ranked", 0)
    desk, page = hall.desk, hall.desk.page
    months = list(three_months(hall))
    page.goto(f"{hall.server.url}/seasons")
    fill(page, {"name": "Age of Example", "places": "10 7 5", "taking_part": "1", "best": "2"})
    send(page, "Create the season")
    for month in ("March", "April", "May"):
        label = page.locator("#event option", has_text=month).inner_text()
        page.get_by_label("An event of yours").select_option(label=label)
        send(page, "Add it")
    send(page, "Public page", "link")
    address = page.url
    assert "The table appears here when the first event is closed" in words(page)

    for slug in months:
        desk.path = f"{hall.server.url}/e/{slug}"
        desk.go("/results")
        desk.type_line("1 a 40 0")
        desk.type_line("2 a 5 0")
        page.get_by_role("heading", name="Every result is in").wait_for()
        desk.go()
        send(page, "Finish the event")

    # March: Ana, Ben, Cleo, Dov. April: Ben, Cleo, Dov, Ana. May: Cleo, Dov, Ana, Ben.
    lines = [
        ["1", "Ben", "17", "2", "7", "10", "(1)"],
        ["1", "Cleo", "17", "2", "(5)", "7", "10"],
        ["3", "Ana", "15", "2", "10", "(1)", "5"],
        ["4", "Dov", "12", "2", "(1)", "5", "7"],
    ]
    for reader in (page, phone):
        reader.goto(address)
        assert "The best 2 events of each player count." in words(reader)
        shown = [row.locator("th, td").all_inner_texts()[:3] for row in reader.locator("tbody tr").all()]
        assert shown == [line[:3] for line in lines]
        assert reader.locator("s").count() == 4, "what does not count is struck out"
    files = {form: page.context.request.get(f"{address}/season.{form}") for form in ("csv", "pdf", "json")}
    assert list(csv.reader(StringIO(files["csv"].text().lstrip("\ufeff"))))[1:] == lines
    paper = Read(files["pdf"].body()).texts
    assert all(word in " ".join(paper) for word in ("Age of Example", "Cleo", "17", "(5)", "March"))
    assert [(line["player"], line["points"]) for line in season_file(files["json"].json())] == [
        (line[1], int(line[2])) for line in lines
    ], "judge season reads the file and says the same"
    assert desk.faults == []


def test_three_roles_at_once_lose_and_double_nothing(hosted, chromium, phone):
    hall = hosted("dice-throne-ranked", 24)
    hall.publish(1)
    contexts = [chromium.new_context(locale="en") for _ in range(2)]
    judge, keeper = (
        hall.join(context.new_page(), role)
        for context, role in zip(contexts, ("judge", "scorekeeper"), strict=True)
    )
    desks = (hall.desk, judge, keeper)
    tables = sorted(hall.desk.tables())
    last = next(m for m in hall.open() if m.table_no == tables[-1])
    phone.goto(hall.phone_link(next(p for p in hall.rows(Player) if p.id == last.a_id)))
    send(phone, "Call a judge", "link")
    for desk in desks:
        desk.go("/results")

    # All three type every table, each from another end, none waiting for the others' answers.
    for n in range(len(tables)):
        for person, desk in enumerate(desks):
            desk.page.locator("#line").fill(f"{tables[(n + 4 * person) % len(tables)]} a 9 0")
            desk.page.locator("#line").press("Enter")
        if n == 1:  # meanwhile a player calls
            send(phone, "Call a judge")
    for desk in desks:
        desk.page.locator("#waiting-lines").wait_for(state="hidden")
        desk.page.get_by_role("heading", name="Every result is in").wait_for()
        assert desk.page.locator("#refused-lines li").count() == 0
    assert [m.result for m in hall.rows(Match)] == ["a"] * 12
    with hall.database.session() as session:
        of_event = AuditRow.event_id == hall.id, AuditRow.what == "result.entered"
        entered = session.exec(select(AuditRow.subject_id).where(*of_event)).all()
    assert len(entered) == len(set(entered)) == 12

    # The judge sees the call on the page they are at, and answers it; the organiser goes on.
    judge.page.locator("#calls-banner").get_by_text("calls a judge").wait_for()
    assert keeper.page.locator("#calls-banner").count() == 0
    judge.go("/calls")
    send(judge.page, re.compile("I am going"))
    hall.desk.pair_and_publish(2)
    keeper.go("/results")
    assert len(keeper.tables()) == 12
    phone.goto(hall.desk.path)
    assert "Round 2" in words(phone)
    assert [desk.faults for desk in desks] == [[], [], []]
    for context in contexts:
        context.close()
