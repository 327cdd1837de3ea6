"""Files of other tools: TRF of chess and lists with one match a line become tournament files."""

import json

import pytest
from click.testing import CliRunner

from judge.cli import cli
from judge.core.errors import InputError
from judge.schemas.tournament.foreign import parse_tournament
from judge.schemas.tournament.reader import read_tournament
from judge.schemas.tournament.spreadsheets import results_csv
from judge.services.event.tournament_files import pair_file, standings_file
from judge.tournament.ranking import rank
from tests.seasons import season


def line(number, name, points, place, *rounds):
    head = f"001 {number:>4} m    {name:<33} 2000 FRA {'':>11} {'':>10} {points:>4} {place:>4}"
    return head + "".join(f"  {opponent:>4} {colour} {result}" for opponent, colour, result in rounds)


TRF = "\n".join(
    [
        "012 Open of Example",
        "022 Lyon",
        "XXR 3",
        line(1, "Ana", 2.0, 1, (3, "w", "1"), (2, "b", "1")),
        line(2, "Ben", 1.0, 3, (4, "b", "+"), (1, "w", "0")),
        line(3, "Cleo", 0.5, 4, (1, "b", "0"), ("0000", "-", "H")),
        line(4, "Dov", 0.0, 5, (2, "w", "-"), ("0000", "-", "Z")),
        line(5, "Eva", 2.0, 2, ("0000", "-", "F"), ("0000", "-", "U")),
    ]
)


def test_a_chess_report_has_the_points_it_says():
    data = parse_tournament(TRF.encode())

    assert data["name"] == "Open of Example"
    assert data["format"] == {"kind": "swiss", "rounds": 3}
    assert {s["player"]: s["points"] for s in standings_file(data)} == {
        "Ana": 2, "Ben": 1, "Cleo": 0.5, "Dov": 0, "Eva": 2,
    }  # fmt: skip
    assert (data["byes"], data["half_byes"], data["drops"]) == ({"Eva": [1]}, {"Cleo": [2]}, {"Dov": 1})
    assert data["rounds"][0][0] == {"a": "Ana", "b": "Cleo", "result": "a", "first": "a"}
    assert data["rounds"][0][1]["result"] == "no_show_a"
    assert pair_file(data)["round"] == 3


def test_namesakes_of_a_chess_report_are_called_by_their_number():
    data = parse_tournament(TRF.replace("Eva", "Ana").encode())

    assert [s["player"] for s in standings_file(data)[:2]] == ["1", "5"]
    assert data["players"][1] == {"name": "Ben", "seed": 2}


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("XXR 3", "XXR many", "line 3"),
        ("022 Lyon", "QQQ Lyon", "line 2"),
        ("   3 w 1", "   4 w 1", "rounds[1]"),
        ("   3 w 1", "   3 w ?", "line 4"),
    ],
)
def test_a_faulty_report_names_the_line(old, new, place):
    assert old in TRF
    with pytest.raises(InputError) as caught:
        parse_tournament(TRF.replace(old, new).encode())

    assert caught.value.problems[0].path == place


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("Round,Player 1,Player 2,Result\n1,Ana,Ben,1-0\n1,Cleo,Dov,½-½\n", ["a", "draw"]),
        ("round;table;white;black;score\n1;3;Ana;Ben;0-1\n1;4;Cleo;Dov;2-1\n", ["b", "a"]),
        ("Round\tPlayer1\tPlayer2\tWinner\n1\tAna\tBen\tBen\n1\tCleo\tDov\tdraw\n", ["b", "draw"]),
        ("Round,Player 1,Score 1,Player 2,Score 2\n1,Ana,2,Ben,0\n1,Cleo,1,Dov,1\n", ["a", "draw"]),
    ],
)
def test_lists_of_matches_of_other_tools_are_read(text, matches):
    data = parse_tournament(text.encode())

    assert data["players"] == ["Ana", "Ben", "Cleo", "Dov"]
    assert [m["result"] for m in data["rounds"][0]] == matches
    assert len(standings_file(data)) == 4


def test_a_player_alone_has_a_bye_and_a_line_without_a_result_is_still_played():
    data = parse_tournament(b"round,a,b,result\n1,Ana,Ben,\n1,Cleo,BYE,\n")

    assert data["rounds"] == [[{"a": "Ana", "b": "Ben"}, {"a": "Cleo", "result": "bye"}]]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("round,a,b,result\nfirst,Ana,Ben,a\n", "line 2: round"),
        ("round,a,b,result\n1,Ana,Ben,victory\n", "line 2: result"),
        ("round,a,b,winner\n1,Ana,Ben,Zoe\n", "line 2: winner"),
        ("round,a,b,colour\n1,Ana,Ben,red\n", ""),
    ],
)
def test_a_faulty_list_names_the_line(text, place):
    with pytest.raises(InputError) as caught:
        parse_tournament(text.encode())

    assert caught.value.problems[0].path == place


@pytest.mark.parametrize("seed", range(4))
def test_our_own_list_of_results_is_read_back(seed):
    *_, (now, _) = season(9, 4, seed, turnover=0)
    again = read_tournament(parse_tournament(results_csv(now).encode()))

    ours = sorted((s.points, s.record, s.player) for s in rank(now))
    assert sorted((s.points, s.record, s.player) for s in rank(again)) == ours


def test_our_own_list_of_pods_is_read_back():
    data = {
        "format": "pods", "players": ["Ana", "Ben", "Cleo", "=Dov"], "tiebreakers": ["score-total"],
        "rounds": [
            [{"scores": {"Ana": 10, "Ben": 7.5, "Cleo": 7}, "table": 2}, {"a": "=Dov", "result": "bye"}],
        ],
    }  # fmt: skip
    again = parse_tournament(results_csv(read_tournament(data)).encode())

    assert again["rounds"] == [
        [{"scores": {"Ana": "10", "Ben": "7.5", "Cleo": "7"}, "table": 2}, {"a": "=Dov", "result": "bye"}]
    ]
    assert standings_file(again)[0]["player"] == "Ana"


def test_the_command_prints_a_tournament_file_that_other_commands_read(tmp_path):
    report = tmp_path / "open.trf"
    report.write_text(TRF)
    printed = CliRunner().invoke(cli, ["convert", str(report), "--json"])

    assert standings_file(json.loads(printed.output))[0]["points"] == 2
    yaml = tmp_path / "open.yaml"
    yaml.write_text(CliRunner().invoke(cli, ["convert", str(report)]).output)
    assert CliRunner().invoke(cli, ["standings", str(yaml), "--lang", "en"]).output.startswith("Rank")
