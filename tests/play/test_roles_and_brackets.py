"""Brackets match by match, teams, groups of fifteen, and three roles at work at once, by forms alone."""

import re
from concurrent.futures import ThreadPoolExecutor

from sqlmodel import select

from judge.storage.tables import AuditRow, JudgeCall, Match, Player, Round
from judge.web.public.private_links import player_link
from tests.hall import text
from tests.pairing.test_whole_evening import enter, pdf, version


def post(client, address, **form):
    slug = address.split("/")[2]
    page = client.get(f"/e/{slug}/desk/results").text
    token = re.search(r'name="csrf_token" value="([^"]+)"', page)[1]
    return client.post(address, data={**form, "csrf_token": token})


def test_matches_of_a_bracket_begin_one_by_one(hall):
    hall = hall("single-elimination", 8, third_place=True)
    hall.publish(1)
    first, second, third, fourth = hall.open()
    for match in (first, second):
        hall.post(f"/matches/{match.id}/result", result="a", health_a=9, health_b=0)
    assert "Both players are free" in hall.get("")
    slots = re.findall(r"bracket/([\w.]+)/start", hall.client.get(f"/e/{hall.slug}/desk").text)
    assert len(slots) == 1
    hall.post(f"/bracket/{slots[0]}/start")
    hall.post(f"/bracket/{slots[0]}/start", 422, on="")
    semi = hall.open()[-1]
    assert set(semi.seats) == {first.a_id, second.a_id}
    assert hall.rows(Round)[-1].number == 2
    assert semi.table_no not in (third.table_no, fourth.table_no), "its table is free"
    for match in (third, fourth):
        hall.post(f"/matches/{match.id}/result", result="a", health_a=9, health_b=0)
    (slot,) = re.findall(r"bracket/([\w.]+)/start", hall.client.get(f"/e/{hall.slug}/desk").text)
    hall.post(f"/bracket/{slot}/start")
    assert [r.number for r in hall.rows(Round)] == [1, 2], "the second semi-final joins the first"
    enter(hall)
    hall.publish(3)
    assert len(hall.open()) == 2, "final and third place"
    enter(hall)
    hall.post("/finish")
    assert "Final standings" in hall.seen("/standings")
    assert "Semi-finals" in hall.seen("/bracket")


def test_a_two_against_two_event_shows_the_members(hall, app):
    hall = hall("dice-throne-2v2", 0)
    teams = "name,members\nRed Foxes,Ann / Bob\nBlue Owls,Cleo / Dov\nGreen Bears,Eva / Finn\nGrey Wolves,Gia"
    hall.post("/players/add", kind="csv", text=teams, confirmed="yes")
    hall.publish(1)
    assert "Ann, Bob" in hall.seen("")
    assert "Red Foxes" in hall.seen("?q=bob"), "found by a member"
    hall.post("/results", 200, line="ann w 5 0")
    foxes = next(m for m in hall.rows(Match) if hall.rows(Player)[0].id in m.seats)
    assert foxes.result == ("a" if foxes.a_id == hall.rows(Player)[0].id else "b")
    assert "Ann, Bob" in hall.seen("/standings")
    enter(hall)
    words = " ".join(pdf(hall, "/pairings.pdf?by=name").texts)
    assert "Ann" in words
    with app.test_request_context():
        link = player_link(hall.rows(Player)[0])
    assert "Red Foxes" in text(hall.visitor.get(link).text)


def test_fifteen_in_groups_go_on_to_a_bracket(hall):
    hall = hall("groups-and-bracket", 15)
    number = 0
    while "Start the top" not in hall.get(""):
        number += 1
        hall.publish(number)
        enter(hall)
    hall.post("/cut", number=number + 1)
    hall.post(f"/rounds/{number + 1}/publish", version=version(hall))
    while hall.open():
        enter(hall)
        number += 1
        if "Finish the event" in hall.get(""):
            break
        hall.publish(number + 1)
    hall.post("/finish")
    page = hall.visitor.get(f"/e/{hall.slug}/standings").text
    ranks = [int(n) for n in re.findall(r'<td class="num">(\d+)</td><th', page)]
    assert ranks[0] == 1
    assert len(ranks) == 15
    assert ranks == sorted(ranks)
    assert "above-cut" in page
    assert "Final standings" in text(page)


def test_calls_reach_the_judge_on_every_page_and_go_on_to_the_head_judge(hall, sign_in):
    hall = hall("dice-throne-ranked", 4)
    hall.publish(1)
    judge, head, keeper = (hall.staff(sign_in, role) for role in ("judge", "head-judge", "scorekeeper"))
    match = hall.open()[0]
    desk = f"/e/{hall.slug}/desk"
    assert "calls-banner" in judge.get(f"{desk}/players").text
    assert "calls-banner" not in keeper.get(f"{desk}/players").text
    assert post(keeper, f"{desk}/matches/{match.id}/call", note="dice on the floor").status_code == 302
    assert f"Table {match.table_no} calls a judge" in judge.get(f"{desk}/calls/banner").text
    call = hall.rows(JudgeCall)[0]
    post(judge, f"{desk}/calls/{call.id}/claim")
    assert "calls a judge" not in judge.get(f"{desk}/calls/banner").text
    assert post(judge, f"{desk}/calls/{call.id}/pass-on").status_code == 302
    assert "calls a judge" not in judge.get(f"{desk}/calls/banner").text
    assert "for the head judge" in head.get(f"{desk}/calls/banner").text
    post(head, f"{desk}/calls/{call.id}/claim")
    post(head, f"{desk}/calls/{call.id}/resolve")
    assert "calls a judge" not in head.get(f"{desk}/calls/banner").text
    assert "Passed the call" in hall.get("/log")
    assert post(judge, f"{desk}/calls/{call.id}/pass-on").status_code == 404


def test_three_roles_at_once_lose_and_double_nothing(hall, sign_in):
    hall = hall("dice-throne-ranked", 24)
    hall.publish(1)
    staff = [hall.client, hall.staff(sign_in, "judge"), hall.staff(sign_in, "scorekeeper")]
    tables = sorted(m.table_no for m in hall.open())

    def work(n):
        """Each of the three types every table, from another end."""
        order = tables[n * 4 :] + tables[: n * 4]
        address = f"/e/{hall.slug}/desk/results"
        return [post(staff[n], address, line=f"{t} a 9 0").status_code for t in order]

    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(work, range(3)))

    assert {status for statuses in answers for status in statuses} == {200}
    assert all(m.result == "a" for m in hall.rows(Match))
    with hall.database.session() as session:
        entered = session.exec(select(AuditRow.subject_id).where(AuditRow.what == "result.entered")).all()
    assert len(entered) == len(set(entered)) == 12
