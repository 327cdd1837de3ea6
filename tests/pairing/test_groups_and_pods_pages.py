"""Groups and pods page by page, by forms alone: the desk, the public pages, phones, papers and files."""

import re

import pytest
from sqlalchemy import event as sa_event
from sqlmodel import select

from judge.services.pairing.rounds import pair_next, publish
from judge.storage.tables import Event, Match, Player, Round
from judge.web.public.private_links import player_link, table_link
from tests.builders import DESK, NOW
from tests.hall import text

# -- groups -------------------------------------------------------------------------------------------------


def test_a_group_stage_is_played_and_cut_by_forms_alone(hall):
    hall = hall("groups-and-bracket", 8)
    for number in (1, 2, 3):
        hall.post("/rounds", number=number)
        assert f"Group A, round {number} of 3" in hall.get(f"/rounds/{number}")
        hall.post(f"/rounds/{number}/publish", version=hall.rows(Round)[-1].version)
        for match in hall.open():
            hall.post(f"/matches/{match.id}/result", result="a", health_a=20, health_b=0)

    assert "The groups are over" in hall.get("")
    assert "Start the top 4" in hall.get("")
    hall.post("/cut", number=4)
    hall.post("/rounds/4/publish", version=hall.rows(Round)[-1].version)
    standings = hall.seen("/standings")
    assert "Group A" in standings
    assert "Group B" in standings
    assert "Poule A" in hall.seen("/standings", "fr")
    bracket = hall.seen("/bracket", "ru")
    assert "Группа B" in bracket
    assert "The bracket as a table" in hall.seen("/bracket")
    assert "Group A" in hall.seen("/screen")


def test_a_player_sees_the_own_group(hall, app):
    hall = hall("groups-and-bracket", 7)
    hall.publish(1)
    for match in hall.open():
        hall.post(f"/matches/{match.id}/result", result="a", health_a=20, health_b=0)
    bye = next(m for m in hall.rows(Match) if m.b_id is None)
    with app.test_request_context():
        (link,) = [player_link(p) for p in hall.rows(Player) if p.id == bye.a_id]

    page = text(hall.visitor.get(link).text)

    assert "you sit out" in page
    assert re.search(r"Group [AB] · After round 1: rank \d of 3", page)


def test_groups_are_printed_and_exported(hall):
    hall = hall("groups-and-bracket", 8)
    hall.publish(1)
    for path in (
        "/pairings.pdf",
        "/standings.pdf?language=ru",
        "/bracket.pdf",
        "/desk/slips.pdf",
        "/desk/kit.pdf",
    ):
        answer = hall.client.get(f"/e/{hall.slug}{path}")
        assert answer.data.startswith(b"%PDF"), path
    assert hall.client.get(f"/e/{hall.slug}/desk/round.zip").status_code == 200
    assert "group: 2" in hall.client.get(f"/e/{hall.slug}/desk/files/tournament.yaml").text


def test_the_settings_of_groups_are_open_until_round_1_is_published(hall):
    hall = hall("groups-and-bracket", 8)
    page = hall.client.get(f"/e/{hall.slug}/desk/settings").text
    fields = dict(re.findall(r'name="(group_size|groups|through)"[^>]*value="([^"]*)"', page))
    assert (fields["group_size"], fields["through"]) == ("4", "2")
    hall.publish(1)
    page = hall.client.get(f"/e/{hall.slug}/desk/settings").text
    assert re.search(r'<input[^>]*disabled[^>]*name="group_size"|name="group_size"[^>]*disabled', page) or (
        "disabled" in re.search(r'<input[^>]*id="group_size"[^>]*>', page)[0]
    )


# -- pods ---------------------------------------------------------------------------------------------------


def test_pods_are_played_by_keyboard_line_and_by_taps(hall):
    hall = hall("dice-forge-pods", 8)
    hall.post("/rounds", number=1)
    draft = hall.get("/rounds/1")
    assert "First round: drawn by lot." in draft
    assert all(name in draft for name in hall.names().values())
    hall.post("/rounds/1/publish", version=hall.rows(Round)[-1].version)
    names, (first, second) = hall.names(), hall.open()

    assert "3 112 98 87 75" in hall.get("/results")
    said = hall.post("/results", 200, line=f"{first.table_no} 112 98 87 75")
    assert f"1. {names[first.seats[0]]} 112, 2. {names[first.seats[1]]} 98" in said
    assert "score for each of the 4" in hall.post("/results", 422, line=f"{second.table_no} 112 98 87")
    assert "is no score" in hall.post("/results", 422, line=f"{second.table_no} a 20 0")
    hall.post(
        f"/matches/{second.id}/result",
        result="pod:scores",
        seat_0=70,
        seat_1=80,
        seat_2=90,
        seat_3="",
        absent_3=1,
    )
    assert hall.rows(Match)[1].scores == [70, 80, 90, None]
    page = hall.seen()
    assert f"1. {names[second.seats[2]]} 90" in page
    assert f"{names[second.seats[3]]} Absent" in page
    assert "did not come" in hall.get(f"/matches/{second.id}")

    hall.post("/results/undo")
    assert hall.rows(Match)[1].result is None


def test_places_are_entered_where_only_places_count(hall):
    hall = hall("king-of-the-hill", 4)
    hall.publish(1)
    (match,), names = hall.open(), hall.names()
    assert "These places cannot be" in hall.post("/results", 422, line="1 1 3 3 4")
    assert "place …" in hall.get(f"/matches/{match.id}")
    hall.post("/results", 200, line="1 2 1 3 x")

    page = hall.seen()
    assert f"1. {names[match.seats[1]]} 2. {names[match.seats[0]]} 3. {names[match.seats[2]]}" in page
    assert hall.rows(Match)[0].scores == [1, 2, 0, None]


def test_a_pod_is_corrected_with_a_look_at_what_follows(hall):
    hall = hall("dice-forge-pods", 4)
    hall.publish(1)
    (match,) = hall.open()
    hall.post("/results", 200, line="1 40 30 20 10")
    match = hall.rows(Match)[0]
    turned = {f"seat_{n}": value for n, value in enumerate((10, 20, 30, 40))}
    shown = hall.post(
        f"/matches/{match.id}/correct", 200, result="pod:scores", version=match.version, why="upside down",
        step="preview", **turned,
    )  # fmt: skip
    assert "Standings that change" in shown
    hall.post(
        f"/matches/{match.id}/correct", result="pod:scores", version=match.version, why="upside down",
        step="apply", **turned,
    )  # fmt: skip

    assert hall.rows(Match)[0].scores == [10, 20, 30, 40]
    assert "upside down" in hall.get("/log")
    stale = hall.post(
        f"/matches/{match.id}/correct", 409, result="pod:scores", version=match.version, why="again",
        step="apply", **turned,
    )  # fmt: skip
    assert "1." in stale


def test_two_of_a_table_report_from_their_phones(hall, app):
    hall = hall("dice-forge-pods", 4)
    hall.publish(1)
    (match,), players = hall.open(), {p.id: p for p in hall.rows(Player)}
    with app.test_request_context():
        links = [player_link(players[p]) for p in match.seats]
        table = table_link(match)
    mine = text(hall.visitor.get(links[3]).text)
    assert f"Table {match.table_no}" in mine
    assert all(players[p].name in mine for p in match.seats)

    seats = {f"seat_{n}": value for n, value in enumerate((40, 30, 20, 10))}
    at = f"{links[3]}/report"
    hall.post("", client=hall.visitor, at=at, result="pod:scores", side="d", **seats)
    assert "One more of your table" in text(hall.visitor.get(at).text)
    other = hall.visitor.get(f"{table}?side=a").text
    assert f"{players[match.seats[3]].name} reports:" in text(other)
    another = app.test_client()  # reports from one phone do not confirm each other
    hall.post("", client=another, at=f"{table}?side=a", result="pod:scores", side="a", **seats)

    assert hall.rows(Match)[0].scores == [40, 30, 20, 10]
    assert "Place 1" in text(hall.visitor.get(links[0]).text)


def test_everybody_of_a_pod_is_found_by_name(hall):
    hall = hall("dice-forge-pods", 8)
    hall.publish(1)
    names, match = hall.names(), hall.open()[1]
    last = names[match.seats[3]]

    assert "1 table for" in hall.seen(f"?q={last}")
    others = ", ".join(names[p] for p in match.seats[:3])
    assert f"{last} {match.table_no} {others}" in hall.seen("?by=name")
    assert last in hall.seen("/screen")


def test_the_best_four_play_a_final_table(hall):
    hall = hall("dice-forge-pods", 8)
    for number in (1, 2, 3):
        hall.publish(number)
        for match in hall.open():
            hall.post("/results", 200, line=f"{match.table_no} 40 30 20 10")
    assert "Start the top 4" in hall.get("")
    hall.post("/cut", number=4)
    hall.post("/rounds/4/publish", version=hall.rows(Round)[-1].version)
    (final,) = hall.open()
    assert len(final.seats) == 4
    hall.post("/results", 200, line="1 40 30 20 10")

    assert "Finish the event" in hall.get("")
    assert "Bracket" not in hall.get("/files"), "a final table is none"
    page = hall.seen("/standings")
    assert "Final table" in page
    assert page.index("Final table") < page.index("Final standings")


def test_pods_are_printed_and_exported(hall):
    hall = hall("dice-forge-pods", 10)
    hall.publish(1)
    for path in ("/pairings.pdf", "/pairings.pdf?by=name", "/desk/slips.pdf?language=fr", "/desk/kit.pdf"):
        answer = hall.client.get(f"/e/{hall.slug}{path}")
        assert answer.data.startswith(b"%PDF"), path
    assert hall.client.get(f"/e/{hall.slug}/desk/round.zip").status_code == 200
    assert "kind: pods" in hall.client.get(f"/e/{hall.slug}/desk/files/tournament.yaml").text
    assert "player,score" in hall.client.get(f"/e/{hall.slug}/desk/files/results.csv").text


def test_a_judge_rules_at_a_pod_with_everybody_at_it(hall):
    hall = hall("dice-forge-pods", 4)
    hall.publish(1)
    (match,) = hall.open()

    hall.post(f"/matches/{match.id}/rule", 303)
    assert "Penalty for" in hall.get(f"/matches/{match.id}")


def test_points_by_place_are_checked_when_an_event_is_made(hall):
    hall = hall("dice-forge-pods", 4)
    page = hall.client.get("/events/new?preset=dice-forge-pods").text
    assert "UK Games Expo" in page
    form = {
        "preset": "dice-forge-pods", "name": "Forge", "day": "2026-11-14", "edition": "fr-1",
        "format": "pods", **{f"tiebreaker_{n}": "" for n in range(1, 6)},
        "setup_min": 5, "round_min": 60, "at_time": "tie", "win": 4, "draw": 2, "loss": 0, "bye": 4,
        "best_of": 1, "health": 50, "cut": 0, "grand_final": "reset", "heroes": "free", "bring": 0, "ban": 0,
        "registration": "closed", "languages": "en", "pod_size": 4, "counts": "scores",
    }  # fmt: skip
    for wrong, says in (
        ("4 2 1 0", "every size of table"),
        ("0 1 2 4\n4 2 0", "fall from place to place"),
        ("4 2 x 0\n4 2 0", "whole numbers"),
    ):
        said = hall.post("", 422, at="/events/new", **form, place_points=wrong)
        assert says in said
    hall.post("", at="/events/new", **form, place_points="5 3 1 0\n5 2 0")
    with hall.database.session() as session:
        made = session.exec(select(Event).where(Event.name == "Forge")).one()
        assert made.settings["place_points"] == {"4": [5, 3, 1, 0], "3": [5, 2, 0]}


@pytest.mark.parametrize("preset", ["dice-forge-pods", "groups-and-bracket"])
@pytest.mark.parametrize(
    "path", ["", "/standings", "/screen", "/desk", "/desk/rounds/1", "/desk/results", "/desk/log"]
)
def test_a_page_asks_as_often_for_many_players_as_for_few(hall, preset, path):
    def asked(players):
        one = hall(preset, players)
        with one.database.transaction() as session:
            event = session.get(Event, one.id)
            round_ = pair_next(session, event, DESK, 1).result
            publish(session, event, DESK, 1, round_.version, NOW)
        seen = []
        note = lambda *args: seen.append(args[2])  # noqa: E731
        sa_event.listen(one.database.engine, "before_cursor_execute", note)
        assert one.client.get(f"/e/{one.slug}{path}").status_code == 200
        sa_event.remove(one.database.engine, "before_cursor_execute", note)
        return len(seen)

    few, many = asked(8), asked(48)

    assert few == many <= 20


def test_a_penalty_at_a_pod_says_that_scores_stay(hall):
    hall = hall("dice-forge-pods", 4)
    hall.publish(1)
    (match,) = hall.open()

    page = hall.get(f"/penalties/new?player={match.seats[2]}&match={match.id}&infraction=slow-play")

    assert "changes no result by itself" in page
    assert "becomes the result" not in page
