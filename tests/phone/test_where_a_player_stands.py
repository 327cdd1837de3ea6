"""What a phone and the public lists say when rounds overlap, when a player is out, and at the end."""

import json

from judge.storage.tables import Match, Player
from judge.web.public.private_links import player_link
from tests.hall import text, token_of


def phones(hall, app):
    with app.test_request_context():
        return {p.id: player_link(p) for p in hall.rows(Player)}


def says(hall, link):
    return text(hall.visitor.get(link).text)


def test_a_match_of_an_earlier_round_stays_in_sight_while_the_next_round_has_begun(hall, app):
    hall = hall("single-elimination", 8)
    hall.publish(1)
    first, second, third, _ = hall.open()
    for match in (first, second):
        hall.post(f"/matches/{match.id}/result", result="a", health_a=5, health_b=0)
    hall.post("/bracket/W2.1/start")
    links, names = phones(hall, app), hall.names()

    assert f"Table {third.table_no} against {names[third.b_id]}" in says(hall, links[third.a_id])
    assert "You have no further match in this event" in says(hall, links[first.b_id])
    assert "Round 2 Table" in says(hall, links[first.a_id])
    page = hall.seen()
    assert "3 tables still playing" in page
    assert f"Round 1 {names[third.a_id]} {names[third.b_id]}" in page
    assert f"{names[third.a_id]} Round 1" in hall.seen("?by=name")
    assert names[third.a_id] in hall.seen("/screen?show=pairings")
    data = json.loads(hall.visitor.get(f"/api/v1/events/{hall.slug}/pairings").text)
    assert next((t["round"], t["a"]) for t in data["earlier"]) == (1, names[third.a_id])
    assert (len(data["tables"]), len(data["earlier"]), data["missing"]) == (1, 2, 3)

    report = f"{links[third.a_id]}/report"
    form = {"result": "a", "health_a": 9, "health_b": 0, "csrf_token": token_of(hall.visitor, report)}
    assert hall.visitor.post(report, data=form).status_code in (200, 302)
    assert next(m for m in hall.rows(Match) if m.id == third.id).reports


def test_a_phone_asks_for_nothing_more_when_the_event_is_over(hall, app):
    heroes = {"mode": "bring-ban", "bring": 3, "ban": 1, "unlock_round": None, "allowed": []}
    hall = hall("dice-throne-ranked", 6, format={"kind": "swiss", "rounds": 1}, cut=2, heroes=heroes)
    for player in hall.rows(Player):
        assert "Declare my heroes" in says(hall, phones(hall, app)[player.id])
    hall.publish(1)
    for match in hall.open():
        hall.post(f"/matches/{match.id}/result", result="a", health_a=match.id, health_b=0)
    hall.post("/cut", number=2)
    hall.post("/rounds/2/publish", version=1)
    (final,) = hall.open()
    links = phones(hall, app)
    out = next(p for p in links if p not in final.seats)
    assert "You have no further match" in says(hall, links[out])
    assert "Declare my heroes" not in says(hall, links[out])
    hall.post(f"/matches/{final.id}/result", result="a", health_a=9, health_b=0)
    hall.post("/finish")

    for link in links.values():
        said = says(hall, link)
        assert "Final place: " in said
        assert "Declare" not in said
        assert "What do I need" not in said
        assert "Your table appears here" not in said


def test_whoever_is_not_checked_in_is_not_told_to_be_in(hall, app):
    hall = hall("dice-throne-ranked", 3, phones={"check_in": True, "drop": True, "heroes": False})
    with hall.database.transaction() as session:
        for player in hall.rows(Player):
            session.get(Player, player.id).state = "registered"
    said = says(hall, next(iter(phones(hall, app).values())))

    assert "I am here" in said
    assert "You are in." not in said
