"""Awarded byes and absences that turn out otherwise: somebody marked as absent comes after all, or the round
is one of a bracket.
"""

import json

import pytest

from judge.services.event.tournament_files import standings_file
from judge.storage.tables import Match, Player, Round
from tests.pairing.test_whole_evening import enter, latest, version


def mark(hall, player, status=302, **rounds):
    """Change the player's page."""
    row = next(p for p in hall.rows(Player) if p.id == player)
    on = f"/players/{row.id}"
    return hall.post(f"/players/{row.id}", status, on=on, name=row.name, version=row.version, **rounds)


def of_round(hall):
    """Result, or the table, of everybody in the newest round."""
    number = hall.rows(Round)[-1].id
    return [(set(m.seats), m.result) for m in hall.rows(Match) if m.round_id == number]


def test_somebody_marked_as_absent_comes_after_the_round_was_published(hall):
    hall = hall("dice-throne-ranked", 8, format={"kind": "swiss", "rounds": 3}, cut=0)
    ana, ben = (p.id for p in hall.rows(Player)[:2])
    for player in (ana, ben):
        mark(hall, player, absent="2, 3")
    hall.publish(1)
    enter(hall)
    hall.publish(2)
    before = of_round(hall)
    assert ({ana}, "missed") in before
    assert "Seat now : Ana" in hall.get("/rounds/2")

    hall.post("/rounds/2/late", version=version(hall), player=ana)
    assert ({ana}, "bye") in of_round(hall), "six play: Ana has the bye"
    assert ({ana}, "missed") not in of_round(hall)
    assert hall.rows(Player)[0].absent == [3]
    assert hall.rows(Player)[0].first_round == 1
    hall.post("/rounds/2/late", version=version(hall), player=ben)
    assert ({ana, ben}, None) in of_round(hall), "and Ben meets her at a new table"
    assert len(of_round(hall)) == 4
    said = hall.get("/log")
    assert "Ana, marked as absent, came after all and was seated" in said
    assert "2, 3 → 3" in said

    newest = latest(hall, "round.absent-seated").id
    for entry in (newest, newest - 1):
        hall.post(f"/log/{entry}/undo")
    assert sorted(of_round(hall), key=str) == sorted(before, key=str)
    assert hall.rows(Player)[0].absent == [2, 3]
    hall.post("/rounds/2/late", version=version(hall), player=ben)
    enter(hall)
    hall.publish(3)
    assert {r for p, r in of_round(hall) if p in ({ana}, {ben})} == {"missed"}


def test_an_absence_in_a_later_stage_of_rounds_can_be_taken_back_too(hall):
    stage = {"name": "Afternoon", "take": {"top": 4}, "format": {"kind": "swiss", "rounds": 2}}
    hall = hall("dice-throne-ranked", 8, format={"kind": "swiss", "rounds": 1}, cut=0, stages=[stage])
    ana = hall.rows(Player)[0].id
    mark(hall, ana, absent="2")
    hall.publish(1)
    enter(hall, winner=ana)
    hall.post("/cut", number=2)
    hall.post("/rounds/2/publish", version=version(hall))
    assert ({ana}, "missed") in of_round(hall)
    assert hall.get("/rounds/2").count("Seat now") == 1, "those who are out of the stage are not offered"

    hall.post("/rounds/2/late", version=version(hall), player=ana)
    assert any(ana in seats and result is None for seats, result in of_round(hall))
    assert "Round 2 is published already" in mark(hall, ana, 422, absent="2")


@pytest.mark.parametrize("way", ["byes", "half_byes", "absent"])
def test_a_round_known_to_be_a_brackets_is_refused_when_typed(hall, way):
    hall = hall("dice-throne-ranked", 8, format={"kind": "swiss", "rounds": 2}, cut=4)
    ana = hall.rows(Player)[0].id

    said = mark(hall, ana, 422, **{way: "2, 3, 4"})
    assert "whoever does not come loses the match. Its rounds: 3, 4." in said
    assert hall.page.count('value="2, 3, 4"') == 1, "what was typed is still there"
    mark(hall, ana, **{way: "2"})


@pytest.mark.parametrize("way", ["byes", "half_byes", "absent"])
def test_a_round_that_turns_out_to_be_a_brackets_is_played_and_said_so(hall, way):
    hall = hall("dice-throne-ranked", 8, format={"kind": "swiss", "rounds": 3}, cut=0)
    ana = hall.rows(Player)[0].id
    mark(hall, ana, **{way: "3"})
    for number in (1, 2):
        hall.publish(number)
        enter(hall, winner=ana)
    hall.post("/cut", number=3, size=4)

    assert "in this round: Ana. A bracket waits for nobody" in hall.get("/rounds/3")
    assert len(of_round(hall)) == 2, "two semi-finals and nothing else"
    hall.post("/rounds/3/publish", version=version(hall))
    enter(hall, winner=ana)
    hall.publish(4)
    enter(hall, winner=ana)
    hall.post("/finish")
    assert "1 Ana" in hall.seen("/standings")
    file = json.loads(hall.client.get(f"/e/{hall.slug}/desk/files/tournament.json").text)
    assert standings_file(file, whole_event=True)[0]["player"] == "Ana", "the file can be read in again"


def test_everybody_has_a_place_in_a_bracket_whatever_was_awarded(hall):
    hall = hall("single-elimination", 6)
    ana = hall.rows(Player)[0]
    assert "A bracket has no awarded byes" in mark(hall, ana.id, 422, byes="1")
    with hall.database.transaction() as session:  # kept from an earlier version, or read from a file
        session.get(Player, ana.id).byes = [1]
    hall.publish(1)

    assert sorted(p for seats, _ in of_round(hall) for p in seats) == sorted(hall.names())


def test_a_late_player_takes_the_seat_of_somebody_who_left_during_the_round(hall):
    hall = hall("dice-throne-ranked", 8, format={"kind": "swiss", "rounds": 3}, cut=0)
    hall.publish(1)
    enter(hall)
    hall.publish(2)
    last = hall.rows(Round)[-1].id
    left, *_ = [m for m in hall.rows(Match) if m.round_id == last]
    leaver = next(p for p in hall.rows(Player) if p.id == left.b_id)
    hall.post("/players/add", step="apply", line_0="Late Lou", text="Late Lou")
    lou = next((p for p in hall.rows(Player) if p.name == "Late Lou"), None)
    assert lou is not None
    assert "who left" not in hall.get("/rounds/2")
    form = {"version": version(hall), "player": lou.id, "leaver": leaver.id}
    hall.post("/rounds/2/late", 422, on="/rounds/2", **form)
    hall.post(f"/players/{leaver.id}/drop", version=leaver.version)
    before = hall.client.get(f"/e/{hall.slug}/desk/files/tournament.json").text

    assert f"At table {left.table_no} for {leaver.name}, who left : Late Lou" in hall.get("/rounds/2")
    hall.post("/rounds/2/late", **form)
    assert ({left.a_id, lou.id}, None) in of_round(hall)
    assert len(of_round(hall)) == 4
    assert "Late Lou came late and was seated" in hall.get("/log")
    file = json.loads(hall.client.get(f"/e/{hall.slug}/desk/files/tournament.json").text)
    assert file["drops"] == {leaver.name: 1}, "round 1 was the last that the leaver played"
    table = next(m for m in hall.rows(Match) if lou.id in m.seats)
    assert (table.link, table.table_no) != (left.link, left.table_no), "an old slip reports nothing"
    assert table.table_no == left.table_no

    hall.post(f"/log/{latest(hall, 'round.late-seated').id}/undo")
    assert hall.client.get(f"/e/{hall.slug}/desk/files/tournament.json").text == before
    hall.post(f"/matches/{left.id}/result", result="a", health_a=9, health_b=0)
    assert "who left" not in hall.get("/rounds/2"), "a table that was played stays"
