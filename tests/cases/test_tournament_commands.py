"""The commands as a scorekeeper types them: output, exit codes, one line for wrong input."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

EVENT = """
tournament: 1
tiebreakers: [median-buchholz, omw]
players: [Ana, Ben, Cleo, Dov]
rounds:
- [{a: Ana, b: Ben, result: a}, {a: Cleo, b: Dov, result: draw}]
"""


def judge(*args: str, given: str = EVENT) -> subprocess.CompletedProcess[str]:
    code = "from judge.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *args], input=given, capture_output=True, text=True, encoding="utf-8"
    )


def test_standings_as_json_are_the_contract():
    done = judge("standings", "-", "--json")

    assert json.loads(done.stdout)[0] == {
        "rank": 1, "player": "Ana", "points": 3, "record": "1-0-0", "byes": 0,
        "tiebreakers": {"median-buchholz": 0, "omw": 0.33},
    }  # fmt: skip
    assert done.returncode == 0


def test_standings_are_a_table_without_json():
    lines = judge("standings", "-", "--lang", "fr").stdout.splitlines()

    assert lines[0].split("  ") == [
        "Rang",
        "Joueur",
        "Points",
        "V-D-N",
        "Buchholz médian",
        "Victoires adverses",
    ]
    assert lines[1].split() == ["1", "Ana", "3", "1-0-0", "0", "0.3300"]


def test_a_round_is_printed_with_its_reasons():
    done = judge("pair", "-", "--seed", "7", "--json")
    pairing = json.loads(done.stdout)

    assert (pairing["round"], pairing["bye"], pairing["optimal"], pairing["seed"]) == (2, None, True, 7)
    assert pairing["cost"] == {"rematches": 0, "repeat_byes": 0, "score_gap": 5, "floats": 2}
    assert all(table["why"] for table in pairing["tables"])
    assert judge("pair", "-", "--seed", "7").stdout.startswith("Round 2\n")


def test_one_players_tiebreakers_are_worked_out():
    assert "Median Buchholz: 0 [0 (Ben)] = 0" in judge("standings", "-", "--explain", "Ana").stdout


def test_a_bracket_is_printed():
    event = (
        "{format: {kind: single-elimination}, players: [Ana, Ben], rounds: [[{a: Ana, b: Ben, result: b}]]}"
    )

    assert judge("bracket", "-", given=event).stdout == "Final\n  W1.1   Ana – Ben ✓\nChampion: Ben\n"
    assert json.loads(judge("bracket", "-", "--json", given=event).stdout)["champion"] == "Ben"


def test_csv_is_printed():
    assert judge("csv", "players", "-").stdout.splitlines()[:2] == [
        "name,id,club,seed,table,heroes",
        "Ana,,,,,",
    ]


def test_csv_is_rows_with_json():
    rows = json.loads(judge("csv", "results", "-", "--json").stdout)

    assert [row["result"] for row in rows] == ["a", "draw"]


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ("{players: [Ana, Ana]}", "-: players[2]: “Ana” is already another player"),
        ("{players: [Ana, Ben], tiebreakers: [luck]}", "-: tiebreakers[1]: expected one of: "),
        ("{players: [Ana]}", "-: players: 1 player is left; at least two are needed"),
        ("[]", "-: expected a mapping"),
        ("{players: ", "-: is neither YAML nor JSON"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(given, line):
    done = judge("pair", "-", given=given)

    assert done.returncode == 2
    assert done.stderr.startswith(line)
    assert done.stderr.count("\n") == 1


def test_a_file_that_is_not_there_is_named(tmp_path: Path):
    done = judge("standings", str(tmp_path / "nothing.yaml"))

    assert done.returncode == 2
    assert "nothing.yaml: cannot be read" in done.stderr
