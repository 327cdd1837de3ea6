"""A tournament file in the desk and out again is the same event; what cannot be kept is refused."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from judge.core.errors import InputError
from judge.schemas.tournament.reader import read_event
from judge.schemas.tournament.stages_writer import write_event
from judge.services.event.event_rows import read_rows
from judge.services.event.files import export_file
from judge.services.event.importing import import_file
from judge.services.event.tournament_files import pair_file, standings_file
from judge.services.event.tournament_of import staged_event_of
from tests.builders import make_staff
from tests.staged_events import play, staged_event

NOW = datetime(2026, 11, 14, 12, 0, tzinfo=UTC)
EVENT: dict[str, Any] = {
    "tournament": 1, "name": "Autumn Throne", "game": "dice-throne", "tiebreakers": ["omw", "buchholz"],
    "players": ["Ana", {"name": "Ben", "club": "Lyon", "heroes": ["monk"]}, "Cleo", "Dov", "Eva", "Finn"],
    "drops": {"Finn": 2}, "forbidden": [["Ana", "Finn"]], "byes": {"Ana": [1]}, "floor": "1/3",
    "scoring": {"win": 2, "draw": "1/2", "loss": 0, "bye": 2},
    "stages": [
        {"format": {"kind": "swiss", "rounds": 2, "pattern": "fold"}, "rounds": [
            [{"a": "Ben", "b": "Dov", "result": "a", "health": [20, 0]},
             {"a": "Cleo", "b": "Eva", "result": "draw", "how": "intentional-draw"},
             {"a": "Finn", "result": "bye"}],
            [{"a": "Ana", "b": "Ben", "result": "a", "how": "concession", "health": [1, 9]},
             {"a": "Cleo", "b": "Finn", "result": "a"}, {"a": "Dov", "b": "Eva", "result": "b"}],
        ]},
        {"take": {"top": 4}, "format": {"kind": "single-elimination", "third_place": True},
         "rounds": [[{"a": "Ana", "b": "Ben", "result": "a"}, {"a": "Cleo", "b": "Eva"}]]},
    ],
    "penalties": [
        {"player": "Dov", "infraction": "slow-play", "penalty": "warning", "round": 2, "note": "twice",
         "by": "Jo", "at": "2026-11-14T13:05:00+00:00"},
    ],
    "desk": {"edition": "fr-2.2", "day": "2026-03-07", "finished": False, "display": {"Ben": "B."},
             "phones": {"check_in": True, "drop": False, "heroes": True},
             "starting_health": 40, "clock": {"setup_s": 60, "round_s": 2400},
             "stage_clocks": [{"stage": 2, "round_s": 3600}]},
}  # fmt: skip


def cut(take: dict[str, Any], kind: str = "single-elimination") -> dict[str, Any]:
    return {"stages": [EVENT["stages"][0], {"take": take, "format": kind}]}


def table(data: dict[str, Any], **which: Any) -> list[tuple[Any, ...]]:
    """The standings by name: a file of the desk speaks in numbers where names are shared."""
    lines = standings_file(data, **which)
    return sorted(
        (s["rank"], s["player"], s["points"], s["record"], *s["tiebreakers"].values()) for s in lines
    )


def taken_in(session, data: dict[str, Any]) -> Any:
    organiser = make_staff(session, None, "organiser", f"organiser {len(json.dumps(data))}")
    return import_file(session, organiser, json.dumps(data).encode(), NOW).result


def test_an_event_with_a_cut_comes_back_whole(app_database):
    with app_database.transaction() as session:
        once = json.loads(export_file(session, taken_in(session, EVENT), "json"))
        twice = json.loads(export_file(session, taken_in(session, once), "json"))

    assert table(once, stage=1) == table(EVENT, stage=1)
    assert table(once, stage=2) == table(EVENT, stage=2)
    assert table(once, whole_event=True) == table(EVENT, whole_event=True)
    first, cut = once["stages"]
    assert first["rounds"][0][1]["how"] == "intentional-draw"
    assert first["rounds"][1][0]["how"] == "concession"
    assert first["format"]["pattern"] == "fold"
    assert (cut["take"], cut["format"]["third_place"]) == ({"top": 4}, True)
    assert once["desk"]["starting_health"] == 40
    assert once["desk"]["clock"] == {"setup_s": 60, "round_s": 2400}
    for key in ("edition", "day", "finished", "display", "phones"):
        assert once["desk"][key] == EVENT["desk"][key], key
    assert once["desk"]["stage_clocks"] == [{"stage": 2, "round_s": 3600}]
    assert once["penalties"] == EVENT["penalties"]
    assert once["forbidden"] == [["Ana", "Finn"]]
    assert twice == once


SELECTION = {
    "ban_rolls": [[3, 3], [5, 2]], "ban_first": "a", "bans": {"a": ["monk"], "b": ["paladin"]},
    "start_rolls": [[1, 6]], "first": "b", "picks": {"a": "treant", "b": "barbarian"},
}  # fmt: skip


def test_bans_and_picks_go_out_and_come_back(app_database):
    match = {"a": "Ana", "b": "Ben", "result": "a", "table": 1, "selection": SELECTION}
    data = {"tournament": 1, "name": "Spring", "players": ["Ana", "Ben"], "rounds": [[match]]}
    with app_database.transaction() as session:
        event = taken_in(session, data)
        (_, stored), *_ = read_rows(session, event).all_matches()
        assert stored.selection == SELECTION
        # What phones hold back stays out of the file.
        stored.selection = SELECTION | {"sealed": {"a": {"hero": "monk"}}, "toss": {"seed": "s", "hash": "h"}}
        session.flush()
        once = json.loads(export_file(session, event, "json"))

    assert once["rounds"][0][0]["selection"] == SELECTION
    assert read_event(data).tournament(1).rounds[0][0].selection.picks == SELECTION["picks"]


def test_the_pages_of_the_desk_show_the_same_places(app_database):
    with app_database.transaction() as session:
        event = taken_in(session, EVENT)
        rows = read_rows(session, event)
        staged = staged_event_of(rows)

        assert [r.stage for r in rows.rounds] == [1, 1, 2]
        assert staged.tournament(1).format.pattern == "fold"
        assert len(staged.tournament(1).forbidden) == 1
        assert str(staged.tournament(1).floor) == "1/3"
        assert staged.tournament(2).label(staged.tournament(2).entrants[0].id) == "Ana"


@pytest.mark.parametrize("first", ["swiss", "round-robin", "groups", "pods"])
@pytest.mark.parametrize("seed", range(4))
def test_simulated_events_of_several_stages_come_back_the_same(app_database, first, seed):
    event = staged_event(seed + 70, most=10, first=first)
    *_, (last, _, _) = play(event, seed)
    data = write_event(last)
    with app_database.transaction() as session:
        once = json.loads(export_file(session, taken_in(session, data), "json"))
        twice = json.loads(export_file(session, taken_in(session, once), "json"))

    assert table(once, whole_event=True) == table(data, whole_event=True)
    for number in range(1, len(data["stages"]) + 1):
        if data["stages"][number - 1].get("rounds"):
            assert table(once, stage=number) == table(data, stage=number)
    assert once == twice


KEPT: list[dict[str, Any]] = [
    {"half_byes": {"Ben": [3], "Foxes": [1]}, "players": [*EVENT["players"], "Foxes"], "late": {"Foxes": 1},
     "stages": EVENT["stages"][:1], "absent": {"Foxes": [2]}},
    {"absent": {"Ben": [9]}, "byes": {"Ana": [1, 7]}, "stages": EVENT["stages"][:1]},
    {"players": [*EVENT["players"],
                 {"name": "Foxes", "members": ["Ann", {"name": "Bob", "heroes": ["monk"]}]}],
     "absent": {"Foxes": [1, 2]}},
    {"stages": [*EVENT["stages"],
                {"name": "Day two", "format": {"kind": "swiss", "rounds": 1}, "best_of": 3}]},
    cut({"top": 4}, "double-elimination"), cut({"top": 5}), cut({"points": 2}),
    cut({"players": ["Eva", "Dov"]}),
    {"stages": [EVENT["stages"][0], {"name": "More", "take": {"top": 4}, "carry": "points",
                                     "format": {"kind": "swiss", "rounds": 2}, "tiebreakers": ["buchholz"]}]},
]  # fmt: skip


@pytest.mark.parametrize("change", KEPT)
def test_stages_teams_byes_and_absences_are_kept(app_database, change):
    data = EVENT | change
    with app_database.transaction() as session:
        once = json.loads(export_file(session, taken_in(session, data), "json"))

    for key in ("byes", "half_byes", "absent", "drops"):
        assert once.get(key, {}) == data.get(key, {})
    assert once["players"] == data["players"]
    for kept, given in zip(once.get("stages") or [once], data["stages"], strict=True):
        for key in ("name", "take", "carry", "best_of", "tiebreakers"):
            if key in given:
                assert kept[key] == given[key]
        kind = given["format"] if isinstance(given["format"], str) else given["format"]["kind"]
        assert kept["format"]["kind"] == kind
    assert table(once, whole_event=True) == table(data, whole_event=True)


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"stages": [{"take": {"players": ["Ana", "Ben"]}, "format": "round-robin"}]}, "stages[1].take"),
        ({"desk": {"day": "soon"}}, "desk.day"), ({"desk": {"edition": "fr-9"}}, "desk.edition"),
        ({"desk": {"display": {"Zoe": "Z."}}}, "desk.display.Zoe"),
        ({"stages": [*EVENT["stages"], *[{"format": "round-robin"}] * 7]}, "stages[9]"),
        ({"stages": [EVENT["stages"][0], {"format": {"kind": "swiss", "rounds": 2}, "byes": {"Ana": [1]}}]},
         "stages[2].byes"),
    ],
)  # fmt: skip
def test_what_the_desk_cannot_keep_is_refused_by_its_place(app_database, change, path):
    with app_database.transaction() as session, pytest.raises(InputError) as caught:
        taken_in(session, EVENT | change)

    assert path in [problem.path for problem in caught.value.problems]


def test_the_next_round_of_an_event_that_was_taken_in_is_that_of_its_file(app_database):
    data = {**EVENT, "stages": [EVENT["stages"][0]], "byes": {}}
    data["stages"][0] = {**data["stages"][0], "format": {"kind": "swiss", "rounds": 3, "pattern": "fold"}}
    with app_database.transaction() as session:
        once = json.loads(export_file(session, taken_in(session, data), "json"))

    assert pair_file(once)["cost"] == pair_file(data)["cost"]


def test_the_desk_reads_the_files_of_other_tools(app_database):
    matches = "Round,Player 1,Player 2,Result\n1,Ana,Ben,1-0\n1,Cleo,Dov,½-½\n2,Ana,Cleo,0-1\n2,Ben,Dov,1-0\n"
    with app_database.transaction() as session:
        organiser = make_staff(session, None, "organiser")
        event = import_file(session, organiser, matches.encode(), NOW).result
        data = json.loads(export_file(session, event, "json"))

    assert {s["player"]: s["points"] for s in standings_file(data)} == {
        "Cleo": 4,
        "Ana": 3,
        "Ben": 3,
        "Dov": 1,
    }
