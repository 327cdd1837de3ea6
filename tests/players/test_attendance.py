"""Rounds without an opponent at the desk: awarded byes, half byes, absences; pages and papers say which."""

import json
import re

import pytest

from judge.services.event.files import export_file
from judge.storage.events import Event, Match, Player, Round
from judge.web.public.private_links import player_link
from tests.pairing.test_whole_evening import enter, version
from tests.paper.reading import Read


@pytest.fixture
def away(hall):
    """Seven players; in round 2 the first has an awarded bye, the second a half bye, the third is absent."""
    hall = hall("dice-throne-ranked", 7, format={"kind": "swiss", "rounds": 3}, cut=0)
    for player, key in zip(hall.rows(Player)[:3], ("byes", "half_byes", "absent"), strict=True):
        hall.post(f"/players/{player.id}", name=player.name, version=player.version, **{key: "2"})
    hall.publish(1)
    enter(hall)
    hall.publish(2)
    return hall


def words(hall, path):
    """The list of a page as words; a player who is alone is followed by why."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", hall.visitor.get(f"/e/{hall.slug}{path}").text))


def test_who_is_not_paired_stands_in_every_list_with_the_reason(away, app):
    names = [p.name for p in away.rows(Player)[:3]]
    expected = list(zip(names, ("Bye", "Half bye", "Absent"), strict=True))

    for path in ("", "/screen?show=pairings"):
        assert all(f"{name} {why}" in words(away, path) for name, why in expected), path
    for path in ("?by=name", "/screen?show=names"):
        assert all(f"{name} – {why}" in words(away, path) for name, why in expected), path
    desk = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", away.get("/rounds/2")))
    assert all(f"{why} {name}" in desk for name, why in expected)
    for by in ("table", "name"):
        paper = away.client.get(f"/e/{away.slug}/pairings.pdf?by={by}").data
        text = " ".join(word.text for word in Read(paper).words)
        assert all(why in text for why in ("bye", "half bye", "misses the round")), by
    data = away.visitor.get(f"/api/v1/events/{away.slug}/pairings").json
    assert (data["byes"], data["half_byes"], data["absent"]) == ([names[0]], [names[1]], [names[2]])
    with app.test_request_context():
        links = [player_link(player) for player in away.rows(Player)[:3]]
    said = [away.visitor.get(link).text for link in links]
    for page, sentence in zip(
        said, ("You have a bye", "You have a half bye", "You miss this round"), strict=True
    ):
        assert sentence in page


def test_a_half_bye_is_worth_a_draw_and_goes_out_and_in_with_the_file(away):
    half = away.rows(Player)[1]
    enter(away)
    with away.database.session() as session:
        data = json.loads(export_file(session, session.get_one(Event, away.id), "json"))
    first = next(m for m in away.rows(Match) if half.id in m.seats)
    won = first.result == ("a" if first.a_id == half.id else "b")
    page = away.visitor.get(f"/e/{away.slug}/standings").text
    row = next(line for line in re.findall(r"<tr.*?</tr>", page, re.S) if half.name in line)

    assert data["half_byes"] == {half.name: [2]}
    assert f">{4 if won else 1}<" in row
    assert half.half_byes == [2]


def test_a_round_is_one_of_the_three(hall):
    hall = hall("dice-throne-ranked", 4, cut=0)
    player = hall.rows(Player)[0]
    page = hall.post(
        f"/players/{player.id}", 422, name=player.name, version=player.version, byes="1", half_byes="1, 2"
    )

    assert "Round 1 stands in two of these lists" in page
    assert 'value="1, 2"' in hall.page


def test_pairing_tables_again_and_swapping_leave_the_excused_alone(away):
    round_id = away.rows(Round)[-1].id
    excused = {m.a_id: m.result for m in away.rows(Match) if m.b_id is None and m.round_id == round_id}
    tables = [m.table_no for m in away.open()]

    away.post("/rounds/2/open-tables", table=tables, version=version(away), why="asked", step="apply")
    alone = {m.a_id: m.result for m in away.rows(Match) if m.b_id is None and m.round_id == round_id}
    assert (alone, len(alone)) == (excused, 3)
    one = away.open()[0].a_id
    for other in excused:
        page = away.client.get(
            f"/e/{away.slug}/desk/rounds/2/swap?version={version(away)}&one={one}&other={other}",
            headers={"Referer": f"http://localhost/e/{away.slug}/desk/rounds/2"},
        )
        assert page.status_code == 422
        assert "Both players must be in this round" in page.text
        assert re.search(rf'<option value="{one}" selected', page.text), "the form as it was filled in"


def test_publishing_a_round_with_absences_can_be_taken_back_in_the_log(away):
    """Nobody has played yet: an absence is no game."""
    page = away.client.get(f"/e/{away.slug}/desk/log").text
    entry = next(part for part in re.findall(r"<li.*?</li>", page, re.S) if "Round 2 published" in part)

    assert "Undo" in entry


@pytest.mark.parametrize("stage_two", [{"kind": "single-elimination"}, {"kind": "swiss", "rounds": 2}])
def test_whoever_leaves_during_a_later_stage_has_played_up_to_then(hall, stage_two):
    """Every page of the event must still open, and the bracket goes on without the player."""
    stages = [{"take": {"top": 4}, "format": stage_two}]
    hall = hall("dice-throne-ranked", 6, format={"kind": "swiss", "rounds": 1}, cut=0, stages=stages)
    hall.publish(1)
    finish_round(hall)
    hall.post("/cut", number=2)
    hall.post("/rounds/2/publish", version=hall.rows(Round)[-1].version)
    leaver = next(p for p in hall.rows(Player) if p.id == hall.open()[0].a_id)
    hall.post(f"/players/{leaver.id}/drop", version=leaver.version)

    assert next(p for p in hall.rows(Player) if p.id == leaver.id).last_round == 2
    for path in ("", "/standings", "/screen", "/bracket"):
        hall.seen(path)
    for path in ("", "/rounds/2", "/standings"):
        hall.get(path)
    finish_round(hall)
    hall.publish(3)
    assert leaver.id not in {p for m in hall.open() for p in m.seats}
    with hall.database.transaction() as session:  # as rows from before were written
        session.get(Player, leaver.id).last_round = 1
    assert leaver.name in hall.seen("/standings")


def finish_round(hall):
    for match in hall.open():
        hall.post(f"/matches/{match.id}/result", result="b", health_a=0, health_b=9)


def test_nobody_comes_back_into_a_bracket_that_went_on_without_them(hall):
    hall = hall("single-elimination", 8)
    hall.publish(1)
    seat = hall.open()[0].b_id  # wins, and leaves before the semi-finals
    finish_round(hall)

    def send(what, status=302):
        version = next(p for p in hall.rows(Player) if p.id == seat).version
        return hall.post(f"/players/{seat}/{what}", status, on=f"/players/{seat}", version=version)

    send("drop")
    send("restore")  # nobody has gone on instead
    send("drop")
    hall.publish(2)
    finish_round(hall)
    hall.publish(3)

    assert "they cannot come back into it" in send("restore", 422)
    for path in ("", "/standings", "/bracket", "/screen"):
        hall.seen(path)
