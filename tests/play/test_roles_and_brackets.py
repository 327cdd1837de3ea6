"""Brackets match by match, and calls that reach the judges, by forms alone."""

import re

from judge.storage.tables import JudgeCall, Round
from tests.pairing.test_whole_evening import enter


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
