"""Seasons: points by place or result, the best so many, the same person under one id."""

import json

import pytest
from click.testing import CliRunner

from judge.cli import cli
from judge.core.errors import InputError
from judge.services.season.season_files import season_file

MARCH = {"name": "March", "standings": [{"player": "Ana", "rank": 1}, {"player": "Ben", "rank": 2}]}
APRIL = {
    "name": "April",
    "standings": [{"player": "Ben", "rank": 1}, {"player": "Ana", "rank": 3}, {"player": "Cleo", "rank": 3}],
}
MAY = {"name": "May", "standings": [{"player": "Ana", "rank": 6}, {"player": "Ben", "rank": 6}]}
SEASON = {
    "season": 1,
    "name": "Age of Example",
    "points": {"places": [10, 7, 5, 5], "taking_part": 1},
    "events": [MARCH, APRIL, MAY],
}
CUP = {
    "name": "June", "players": ["Ana", {"name": "Ben", "id": "b2"}, "Cleo", "Dov"], "tiebreakers": [],
    "stages": [
        {"format": {"kind": "swiss", "rounds": 1},
         "rounds": [[{"a": "Ana", "b": "b2", "result": "a"}, {"a": "Cleo", "b": "Dov", "result": "draw"}]]},
        {"take": {"players": ["Ana", "b2"]}, "format": "single-elimination",
         "rounds": [[{"a": "Ana", "b": "b2", "result": "b"}]]},
    ],
}  # fmt: skip


def totals(season):
    return [(line["rank"], line["player"], line["points"]) for line in season_file(season)]


def test_every_event_counts_and_places_beyond_the_list_get_the_points_for_taking_part():
    # Ana 10 + 5 + 1, Ben 7 + 10 + 1, Cleo 5
    assert totals(SEASON) == [(1, "Ben", 18), (2, "Ana", 16), (3, "Cleo", 5)]


def test_only_the_best_count_and_the_others_are_named():
    ben, ana, _ = season_file(SEASON | {"best": 2})

    assert ben["points"] == 17
    assert ben["dropped"] == [{"event": "May", "rank": 6, "points": 1}]
    assert [one["event"] for one in ana["events"]] == ["March", "April"]


def test_level_players_share_the_rank():
    events = [
        MARCH,
        {"name": "Return", "standings": [{"player": "Ben", "rank": 1}, {"player": "Ana", "rank": 2}]},
    ]

    assert totals(SEASON | {"events": events}) == [(1, "Ana", 17), (1, "Ben", 17)]


def test_points_by_result_count_every_stage():
    season = {"points": {"win": 3, "draw": 1}, "events": [{"tournament": CUP}]}

    # Ana won and lost, Ben lost and won, Cleo and Dov drew
    assert totals(season) == [(1, "Ana", 3), (1, "Ben", 3), (3, "Cleo", 1), (3, "Dov", 1)]


def test_a_tournament_brings_the_places_of_the_whole_event():
    season = SEASON | {"events": [{"tournament": CUP}]}

    # Ben won the final; Cleo and Dov are level behind it
    assert totals(season) == [(1, "Ben", 10), (2, "Ana", 7), (3, "Cleo", 5), (3, "Dov", 5)]


def test_the_id_tells_two_of_a_name_apart_and_a_name_without_id_finds_its_only_owner():
    first = {
        "name": "1",
        "standings": [{"player": "Ben", "id": "x", "rank": 1}, {"player": "Ben", "id": "y", "rank": 2}],
    }
    renamed = {
        "name": "2",
        "standings": [{"player": "Benjamin", "id": "x", "rank": 1}, {"player": "Eva", "id": "e", "rank": 2}],
    }
    by_name = {"name": "3", "standings": [{"player": "Eva", "rank": 1}]}

    table = totals(SEASON | {"events": [first, renamed, by_name]})

    assert table == [(1, "Ben", 20), (2, "Eva", 17), (3, "Ben", 7)]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"points": {"places": [3], "win": 1}}, "points"),
        ({"points": {"taking_part": 1}}, "points"),
        ({"points": {}}, "points"),
        ({"points": {"places": []}}, "points.places"),
        ({"points": {"win": 3}}, "events[1].standings"),
        ({"best": 0}, "best"),
        ({"bst": 2}, "bst"),
        ({"season": 2}, "season"),
        ({"events": None}, "events"),
        ({"events": [{"name": "x"}]}, "events[1]"),
        ({"events": [{"file": "march.yaml"}]}, "events[1].file"),
        ({"events": [{"standings": []}]}, "events[1].name"),
        ({"events": [{"name": "x", "standings": [{"player": "Ana"}]}]}, "events[1].standings[1].rank"),
        ({"events": [{"name": "x", "standings": [{"player": "Ana", "rank": n} for n in (1, 2)]}]},
         "events[1].standings[2].player"),
        ({"events": [{"tournament": {"players": ["Ana"], "round": []}}]}, "events[1].tournament.round"),
    ],
)  # fmt: skip
def test_a_faulty_season_names_the_place(change, path):
    with pytest.raises(InputError) as caught:
        season_file(SEASON | change)

    assert path in [problem.path for problem in caught.value.problems]


def test_the_command_reads_the_files_beside_the_season(tmp_path):
    (tmp_path / "june.json").write_text(json.dumps(CUP))
    season = tmp_path / "season.json"
    season.write_text(json.dumps(SEASON | {"events": [{"file": "june.json"}]}))

    table = json.loads(CliRunner().invoke(cli, ["season", str(season), "--json"]).output)

    assert table[0] == {
        "rank": 1, "player": "Ben", "points": 10,
        "events": [{"event": "June", "rank": 1, "points": 10}], "dropped": [],
    }  # fmt: skip


def test_a_missing_file_of_a_season_is_bad_input(tmp_path):
    season = tmp_path / "season.json"
    season.write_text(json.dumps(SEASON | {"events": [{"file": "nowhere.yaml"}]}))

    assert isinstance(CliRunner().invoke(cli, ["season", str(season)]).exception, InputError)
