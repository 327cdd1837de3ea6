"""Tournament files come back as they went out; CSV keeps names as names and formulas as text."""

import csv
import dataclasses
import itertools
import random

import pytest

from judge.core.errors import InputError
from judge.core.messages import LANGS
from judge.schemas.files import parse
from judge.schemas.fixtures import load_json
from judge.schemas.tournament.presets import presets
from judge.schemas.tournament.reader import read_tournament
from judge.schemas.tournament.spreadsheets import players_csv, results_csv, standings_csv
from judge.schemas.tournament.writer import write_tournament
from judge.services.event.tournament_files import explain_file, pair_file, standings_file
from judge.tournament.end_of_time import at_time
from judge.tournament.model import Result, Tournament
from judge.tournament.ranking import rank
from judge.tournament.standings import LiveStandings
from judge.tournament.tiebreaks import TIEBREAKERS
from tests.seasons import players, season

CONTRACT = """
tournament: 1
name: Spring Throne
game: dice-throne
preset: dice-throne-ranked
format: {kind: swiss, rounds: 4}
scoring: {win: 3, draw: 1, loss: 0, bye: 3}
best_of: 1
floor: 0.33
tiebreakers: [wins-vs-tied, median-buchholz, health-diff]
players: [Ana, {name: Ben, id: b2, club: Lyon, seed: 2, table: 4, heroes: [paladin, treant, monk]}, Cleo, Eva]
drops: {Ben: 2}
late: {Eva: 2}
rounds:
- - {a: Ana, b: Ben, result: a, health: [22, 0], games: [1, 0, 0], table: 2}
  - {a: Cleo, result: bye}
- - {a: Ben, b: Eva, result: no_show_a}
  - {a: Ana, b: Cleo}
"""


def test_a_file_survives_a_round_trip_unchanged():
    data = parse(CONTRACT.encode())

    again = write_tournament(read_tournament(data))

    assert again == data
    assert list(again) == list(data)


def test_a_file_that_speaks_in_ids_keeps_them():
    data = {
        "players": [{"name": "Ben", "id": "b1"}, {"name": "Ben", "id": "b2"},
                    {"name": "Cleo", "id": "c"}, "Dov"],
        "rounds": [[{"a": "b1", "b": "b2", "result": "draw"}, {"a": "c", "b": "Dov", "result": "a"}]],
    }  # fmt: skip

    assert write_tournament(read_tournament(data)) == data
    assert [line["player"] for line in standings_file(data)] == ["c", "b1", "b2", "Dov"]


def test_a_setting_changed_since_reading_is_written_changed():
    t = read_tournament(parse(CONTRACT.encode()))

    changed = write_tournament(dataclasses.replace(t, name="Autumn Throne"))

    assert changed["name"] == "Autumn Throne"
    assert read_tournament(changed).scoring == t.scoring


def test_pods_survive_a_round_trip():
    data = {
        "format": {"kind": "pods"}, "place_points": {"3": [4, 2, 0]}, "players": ["Ana", "Ben", "Cleo"],
        "rounds": [[{"scores": {"Ana": 10, "Ben": 7.5, "Cleo": 7}}]],
    }  # fmt: skip

    assert write_tournament(read_tournament(data)) == data


@pytest.mark.parametrize("seed", range(5))
def test_an_event_that_never_was_a_file_reads_back_the_same(seed):
    for now, _ in season(12, 4, seed, turnover=0.1):
        read = read_tournament(write_tournament(now))

        assert rank(read) == rank(now)
        assert (read.rounds, read.drops, read.late) == (now.rounds, now.drops, now.late)


@pytest.mark.parametrize("name", ["=HYPERLINK(1)", "+1", "-2", "@x", "'quoted"])
def test_cells_that_start_like_a_formula_are_guarded(name):
    t = read_tournament({"players": [{"name": name, "id": "x", "club": name, "seed": 3}, "Ben"]})

    _, first, second = csv.reader(players_csv(t).splitlines())

    assert first == [f"'{name}", "x", f"'{name}", "3", "", ""]
    assert second[0] == "Ben"


def test_results_as_csv_carry_every_match():
    t = read_tournament(parse(CONTRACT.encode()))

    rows = list(csv.DictReader(results_csv(t).splitlines()))

    matches = [(n, m) for n, matches in enumerate(t.rounds, start=1) for m in matches]
    assert [(row["round"], row["a"], row["b"], row["result"]) for row in rows] == [
        (str(n), t.label(m.a), t.label(m.b) if m.b else "", m.result or "") for n, m in matches
    ]


def test_standings_as_csv_carry_every_tiebreaker():
    t = read_tournament(parse(CONTRACT.encode()))

    header, first, *_ = standings_csv(t, rank(t)).splitlines()

    assert header == "rank,player,points,record,byes,wins-vs-tied,median-buchholz,health-diff"
    assert first.startswith("1,Ana,3,1-0-0,0,")


def test_words_that_look_like_truth_are_names():
    table = standings_file(parse(b"players: [No, on, 7]\nrounds: [[{a: No, b: on, result: a}]]"))

    assert [line["player"] for line in table] == ["No", "on", "7"]


# -- standings


def test_a_later_drop_changes_no_frozen_standings():
    data = parse(CONTRACT.encode())
    before = standings_file(data, after=1)
    data["drops"]["Ben"] = 1
    data["rounds"] = data["rounds"][:1]

    assert standings_file(data, after=1) == before


@pytest.mark.parametrize("after", [-1, 3])
def test_a_round_that_does_not_exist_has_no_standings(after):
    with pytest.raises(InputError):
        standings_file(parse(CONTRACT.encode()), after=after)


@pytest.mark.parametrize("lang", LANGS)
def test_every_tiebreaker_is_explained_with_its_arithmetic(lang):
    data = parse(CONTRACT.encode()) | {"tiebreakers": list(TIEBREAKERS)}

    line = explain_file(data, "Ana", lang=lang)

    assert list(line["workings"]) == list(TIEBREAKERS)
    assert line["workings"]["buchholz"]["arithmetic"] == "0 (Ben) = 0"
    assert all(worked["says"] for worked in line["workings"].values())


@pytest.mark.parametrize(
    ("name", "arithmetic"),
    [
        ("gw", "(3 (Ben) + 0 (Cleo)) / 6 = 0.5000"),
        ("health-diff", "22 (Ben) − 7 (Cleo) = 15"),
        ("omw", "(0.3300 (Ben) + 1 (Cleo)) / 2 = 0.6650"),
        ("buchholz-cut-1", "6 (Cleo) [0 (Ben)] = 6"),
    ],
)
def test_the_arithmetic_can_be_checked_by_hand(name, arithmetic):
    data = parse(CONTRACT.encode()) | {"tiebreakers": [name]}
    data["rounds"][1][1] |= {"result": "b", "health": [0, 7]}

    assert explain_file(data, "Ana")["workings"][name]["arithmetic"] == arithmetic


def test_an_arrow_leads_to_the_floor():
    data = parse(CONTRACT.encode()) | {"tiebreakers": ["gw"]}

    assert explain_file(data, "Ben")["workings"]["gw"]["arithmetic"] == "(0 (Ana) + 0 (Eva)) / 6 → 0.3300"


@pytest.mark.parametrize("seed", range(6))
def test_live_standings_after_corrections_are_those_from_scratch(seed):
    names = tuple(n for n in TIEBREAKERS if n != "head-to-head" or seed == 0)
    *_, (now, _) = season(14, 6, seed, turnover=0.08)
    now = dataclasses.replace(now, tiebreakers=names)
    live, chance = LiveStandings(now), random.Random(seed)
    for _ in range(12):
        r = chance.randrange(len(now.rounds))
        m = chance.randrange(len(now.rounds[r]))
        match = now.rounds[r][m]
        if match.b is not None:
            new = chance.choice([Result.A, Result.B, Result.DRAW, Result.DOUBLE_LOSS, None])
            matches = (*now.rounds[r][:m], dataclasses.replace(match, result=new), *now.rounds[r][m + 1 :])
            now = dataclasses.replace(now, rounds=(*now.rounds[:r], matches, *now.rounds[r + 1 :]))
            live.update(now, match.players)

        assert live.table() == rank(now)


@pytest.mark.parametrize("lang", LANGS)
def test_a_pairing_gives_its_reasons_in_every_language(lang):
    data = parse(CONTRACT.encode())
    data["rounds"][1][1]["result"] = "draw"

    assert all(table["why"] for table in pair_file(data, lang=lang)["tables"])


# -- presets


def test_every_source_of_a_preset_is_said_in_every_language_and_no_other():
    said = {setting.source for preset in presets().values() for setting in preset.settings.values()}
    translated = load_json("tournaments", "sources.json")

    assert translated.keys() == said
    assert all(words.keys() == {"fr", "ru"} for words in translated.values())
    assert (
        presets()["dice-throne-ranked"]
        .settings["timer"]
        .source_in("ru")
        .startswith("Ranked Play в магазинах")
    )


def test_every_preset_value_has_a_source_or_says_that_it_is_assumed():
    assert presets().keys() == {
        "dice-throne-ranked", "dice-throne-lockout", "dice-throne-randomizer", "dice-throne-casual",
        "dice-throne-2v2",
        "swiss-omw", "single-elimination", "double-elimination", "round-robin",
        "groups-and-bracket", "dice-forge-pods", "king-of-the-hill",
    }  # fmt: skip
    for preset in presets().values():
        assert all(setting.source for setting in preset.settings.values())
        assert set(preset.names) == set(LANGS)
        assert read_tournament({"preset": preset.id, "players": ["Ana", "Ben"]}).preset == preset.id


@pytest.mark.parametrize(("count", "rounds"), [(8, 4), (32, 4), (33, 5)])
def test_ranked_play_has_a_fifth_round_above_32_players(count, rounds):
    t = read_tournament({"preset": "dice-throne-ranked", "players": [e.name for e in players(count)]})

    assert t.format.rounds == rounds


def test_the_file_overrules_the_preset():
    t: Tournament = read_tournament(
        {"preset": "swiss-omw", "players": ["Ana"], "floor": "1/3", "format": {"rounds": 7}}
    )

    assert (t.format.kind, t.format.rounds, str(t.floor), t.tiebreakers) == (
        "swiss",
        7,
        "1/3",
        ("omw", "gw", "ogw"),
    )


# -- when time is called


def test_the_player_who_began_second_takes_one_more_turn():
    end = at_time("a", (5, 4), (20, 30), "tie")

    assert (end.still_acts, end.result) == ("b", None)


@pytest.mark.parametrize(
    ("turns", "health", "rule", "result"),
    [
        ((5, 5), (20, 30), "tie", Result.DRAW),
        ((5, 5), (20, 30), "most-health", Result.B),
        ((5, 5), (20, 20), "most-health", Result.DRAW),
        ((5, 4), (20, 0), "tie", Result.A),
        ((5, 5), (0, 0), "most-health", Result.DRAW),
    ],
)
def test_after_equal_turns_the_rule_of_the_event_decides(turns, health, rule, result):
    assert at_time("a", turns, health, rule).result == result


def test_both_down_in_a_final_goes_to_fewer_turns_then_to_a_roll_off():
    final = "fewest-turns-then-roll-off"

    assert at_time("a", (5, 4), (0, 0), "most-health", final).result == Result.B
    assert at_time("a", (5, 5), (0, 0), "most-health", final).needs_roll_off
    assert at_time("b", (3, 3), (9, 9), "most-health", final).needs_roll_off


def test_turns_that_cannot_be_are_refused():
    for started, turns in itertools.product("a", [(4, 5), (6, 4), (-1, -1)]):
        with pytest.raises(InputError):
            at_time(started, turns, (10, 10), "tie")


def test_a_win_that_is_worth_nothing_written_has_the_usual_worth():
    """`win: null` is as if it were not there; a bye then has its usual worth too."""
    plain = {"tournament": 1, "players": ["Ana", "Ben"], "scoring": {"draw": 1}}

    assert (
        read_tournament(plain | {"scoring": {"win": None, "draw": 1}}).scoring
        == read_tournament(plain).scoring
    )
