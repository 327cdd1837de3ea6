"""Export, import, export: the same bytes, for every kind of event at every moment of it."""

import json
import random
from datetime import UTC, datetime

import pytest

from judge.core.errors import InputError
from judge.schemas.tournament.event_settings import settings_of_preset
from judge.schemas.tournament.presets import presets
from judge.schemas.tournament.reader import read_event
from judge.schemas.tournament.season_reader import finishes
from judge.services.event.event_rows import read_rows
from judge.services.event.files import export_file
from judge.services.event.importing import import_file
from judge.services.pairing.bracket_matches import start_match
from judge.storage.boxes import HeroBox
from judge.storage.events import Announcement, Event, Match, Player, Round
from judge.storage.rulings import Penalty
from tests.builders import DESK, NOW, make_event, make_players, make_round, make_staff

MOMENT = datetime(2026, 11, 14, 12, 30, tzinfo=UTC)


def exported(session, event):
    session.flush()
    return export_file(session, event, "json")


def taken_in(session, data):
    organiser = make_staff(session, None, "organiser", f"organiser-{random.random()}")
    text = data if isinstance(data, str) else json.dumps(data)
    return import_file(session, organiser, text.encode(), MOMENT).result


def same_again(session, event):
    """The file of the event, which comes back byte for byte."""
    once = exported(session, event)
    again = exported(session, taken_in(session, once))
    assert json.loads(again) == json.loads(once)  # says where it differs
    assert again == once
    return json.loads(once)


def enter_results(hall, chance, but=0):
    with hall.database.transaction() as session:
        for open_match in hall.open()[but:]:
            match = session.get(Match, open_match.id)
            if match.more:
                match.result, match.scores = "pod", [chance.randint(1, 9) for _ in match.seats]
            else:
                match.result, match.health_a, match.health_b = "a", chance.randint(1, 50), 0


@pytest.mark.parametrize("preset", sorted(presets()))
def test_an_event_of_every_preset_is_the_same_at_every_moment(hall, preset):
    event, chance = hall(preset, 7), random.Random(7)

    def check():
        with event.database.transaction() as session:
            same_again(session, session.get(Event, event.id))

    check()
    for number in range(1, 9):
        is_cut = "/desk/cut" in event.client.get(f"/e/{event.slug}/desk").text
        form = {"number": number, "csrf_token": event.token}
        event.client.post(f"/e/{event.slug}/desk/{'cut' if is_cut else 'rounds'}", data=form)
        if len(event.rows(Round)) < number:
            break
        check()  # a draft is not in the file, and leaves no trace there
        event.post(f"/rounds/{number}/publish", version=event.rows(Round)[-1].version)
        enter_results(event, chance, but=1)
        check()
        enter_results(event, chance)
    event.post("/finish")
    check()


def test_whoever_is_not_in_the_tournament_is_in_the_file(app_database):
    with app_database.transaction() as session:
        event = make_event(session, settings=settings_of_preset(presets()["dice-throne-ranked"]).as_row())
        players = make_players(session, event, 8)
        for player, state in zip(players, ("registered", "waiting", "pending", "dropped"), strict=False):
            player.state = state
        players[0].club, players[0].absent, players[0].first_round = "Lyon", [2], 2
        players[3].last_round, players[4].name = 0, players[1].name
        session.add(Penalty(event_id=event.id, player_id=players[0].id, infraction="late", penalty="warning",
                            given_by="Jo", given_at=NOW))  # fmt: skip
        session.add(Announcement(event_id=event.id, at=NOW, by="Jo", text="Lunch at noon"))
        session.add(HeroBox(event_id=event.id, hero="monk", label="B 1", player_id=players[2].id))
        make_round(session, event, [(players[4], players[5]), (players[6], players[7])])
        players[5].state = "registered"
        names = [player.name for player in players]
        data = same_again(session, event)

    states = [one["state"] for one in data["desk"]["outside"]]
    assert states == ["registered", "waiting", "pending", "dropped"]
    assert data["penalties"][0]["player"] == names[0]
    assert data["desk"]["not_checked_in"] == [names[5]]
    assert data["desk"]["announcements"][0]["text"] == "Lunch at noon"
    assert data["desk"]["boxes"] == [{"hero": "monk", "label": "B 1", "player": names[2]}]


def test_ids_and_groups_of_a_file_are_kept(app_database):
    people = [{"name": "Ana", "id": "a1", "group": 1}, {"name": "Ben", "id": "b2", "group": 2}]
    people += [{"name": n, "group": 1 + i % 2} for i, n in enumerate(["Cleo", "Dov", "Eva", "Finn"])]
    data = {
        "tournament": 1, "name": "Groups", "game": "dice-throne", "players": people,
        "format": {"kind": "groups", "groups": 2}, "forbidden": [["a1", "Dov"]],
    }  # fmt: skip
    with app_database.transaction() as session:
        kept = same_again(session, taken_in(session, data))

    assert kept["players"] == people


def test_files_of_two_events_know_a_player_by_name(app_database):
    """An id that only one event knows would make two players of one in a season."""
    with app_database.transaction() as session:
        ids = []
        for slug in ("march", "april"):
            event = make_event(session, slug=slug)
            make_round(session, event, [tuple(make_players(session, event, 2))])
            ids += [line.id for line in finishes(read_event(json.loads(exported(session, event))))]

    assert ids == [None] * 4


def test_the_number_of_rounds_still_follows_the_attendance(app_database):
    data = {"tournament": 1, "preset": "dice-throne-ranked", "players": ["Ana", "Ben", "Cleo"]}
    with app_database.transaction() as session:
        event = taken_in(session, data)
        make_players(session, event, 30)
        assert read_event(json.loads(exported(session, event))).tournament(1).format.rounds == 5


def test_a_bracket_that_was_taken_in_goes_on_match_by_match(app_database):
    names = ["Ana", "Ben", "Cleo", "Dov"]
    first = [{"a": "Ana", "b": "Dov", "result": "a"}, {"a": "Ben", "b": "Cleo", "result": "b"}]
    data = {"tournament": 1, "name": "Cup", "format": "single-elimination", "rounds": [first],
            "players": [{"name": name, "seed": n} for n, name in enumerate(names, start=1)]}  # fmt: skip
    with app_database.transaction() as session:
        event = taken_in(session, data)
        assert {m.slot for _, m in read_rows(session, event).all_matches()} == {"W1.1", "W1.2"}
        final = start_match(session, event, DESK, "W2.1", NOW).result

        assert session.get(Round, final.round_id).number == 2


LONG = "x" * 121


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"name": LONG}, "name"), ({"players": [{"name": "Ana", "club": LONG}, "Ben"]}, "players[1].club"),
        ({"players": ["Ana", LONG]}, "players[2].name"),
        ({"penalties": [{"player": "Ana", "infraction": LONG, "penalty": "w"}]}, "penalties[1].infraction"),
        ({"desk": {"display": {"Ana": LONG}}}, "desk.display.Ana"),
        ({"desk": {"outside": [{"name": "Ana"}]}}, "desk.outside[1]"),
        ({"desk": {"outside": [{"name": "Zoe", "state": "gone"}]}}, "desk.outside[1].state"),
        ({"desk": {"not_checked_in": ["Zoe"]}}, "desk.not_checked_in[1]"),
        ({"desk": {"announcements": [{"at": "noon", "text": "x"}]}}, "desk.announcements[1].at"),
        ({"desk": {"boxes": [{"hero": "monk", "player": "Zoe"}]}}, "desk.boxes[1].player"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_by_its_place(app_database, change, path):
    data = {"tournament": 1, "name": "Small", "players": ["Ana", "Ben"], **change}
    with app_database.transaction() as session, pytest.raises(InputError) as caught:
        taken_in(session, data)

    assert path in [problem.path for problem in caught.value.problems]


def test_a_stage_keeps_its_players_when_others_come_back_after_it_began(hall):
    """The standings would send somebody else now; and a late entry has no group before it is paired."""
    event = hall("dice-throne-ranked", 6, format={"kind": "swiss", "rounds": 1}, cut=2)
    event.publish(1)
    enter_results(event, random.Random(1))
    number = event.rows(Match)[0].a_id
    with event.database.transaction() as session:
        winner = session.get(Player, number)
        winner.state, winner.last_round = "dropped", 1
    event.post("/cut", number=2)
    event.post("/rounds/2/publish", version=event.rows(Round)[-1].version)
    with event.database.transaction() as session:
        winner = session.get(Player, number)
        winner.state, winner.last_round = "present", None
        row = session.get(Event, event.id)
        data = same_again(session, row)

        assert len(read_event(data).tournament(2).entrants) == 2
    groups = hall("groups-and-bracket", 8)
    groups.publish(1)
    groups.post("/players/add", step="apply", text="Late Lou", line_0="Late Lou")
    with groups.database.transaction() as session:
        data = same_again(session, session.get(Event, groups.id))
    assert "Late Lou" in data["players"]
