"""Groups and pods by the engine: who sits where, who goes on, and that a small field is seated best."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import pytest

from judge.core.errors import InputError
from judge.schemas.tournament.reader import read_tournament
from judge.schemas.tournament.writer import write_tournament
from judge.services.event.tournament_files import explain_file, pair_file, standings_file
from judge.tournament.across_groups import across_groups
from judge.tournament.checker import group_faults, pod_faults
from judge.tournament.formats import pair_round
from judge.tournament.groups import group_name, groups_of, is_open, planned_rounds
from judge.tournament.model import PlayerId
from judge.tournament.pairing import split
from judge.tournament.pods.board import board_of
from judge.tournament.swiss.contenders import next_draw


def event(kind: str, players: int | list[Any], **more: Any) -> dict[str, Any]:
    names = [f"P{n:02}" for n in range(1, players + 1)] if isinstance(players, int) else players
    shape = {"kind": kind, **more.pop("format", {})}
    return {"tournament": 1, "format": shape, "players": names, "rounds": [], **more}


def play(data: dict[str, Any], lots: random.Random) -> dict[str, Any]:
    """Pair and play one round; what was paired."""
    paired = pair_file(data, seed=lots.randint(0, 99))
    data["rounds"].append(
        [
            {"scores": {p: lots.randint(40, 120) for p in t["players"]}}
            if "players" in t
            else {"a": t["a"], "b": t["b"], "result": lots.choice(["a", "b", "draw"])}
            for t in paired["tables"]
        ]
        + [{"a": p, "result": "bye"} for p in paired["byes"]]
    )
    return paired


# -- groups -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 5, 6, 8, 11, 14, 23])
def test_everybody_of_a_group_meets_once_and_nobody_else(players: int) -> None:
    data, lots = event("groups", players), random.Random(players)
    while is_open(read_tournament(data)):
        t = read_tournament(data)
        assert group_faults(t, pair_round(t)) == []
        play(data, lots)

    t = read_tournament(data)
    known = groups_of(t)
    met = [frozenset((m.a, m.b)) for r in t.rounds for m in r if m.b]
    assert len(set(met)) == len(met)
    assert set(met) == {frozenset(p) for p in combinations(known, 2) if known[p[0]] == known[p[1]]}
    assert len(t.rounds) == planned_rounds(t)


def test_groups_are_dealt_in_a_snake_by_seed() -> None:
    players = [{"name": name, "seed": n} for n, name in enumerate("ABCDEF", start=1)]

    known = groups_of(read_tournament(event("groups", players, format={"groups": 3})))

    assert [known[PlayerId(name)] for name in "ABCDEF"] == [1, 2, 3, 3, 2, 1]


def test_a_group_that_the_file_names_is_kept() -> None:
    players = [{"name": name, "group": n} for name, n in (("Ana", 2), ("Ben", 1), ("Cleo", 2), ("Dov", 1))]
    data = event("groups", players)

    paired = pair_file(data)

    assert [{t["a"], t["b"]} for t in paired["tables"]] == [{"Ben", "Dov"}, {"Ana", "Cleo"}]
    assert write_tournament(read_tournament(data)) == data


def test_a_late_entry_joins_the_smallest_group_and_still_meets_everybody() -> None:
    lots = random.Random(5)
    data = event("groups", [{"name": f"P{n}", "group": 1 + n % 2} for n in range(7)])
    play(data, lots)
    data |= {"players": [*data["players"], "Late"], "late": {"Late": 2}}
    while is_open(read_tournament(data)):
        play(data, lots)

    t = read_tournament(data)
    assert groups_of(t)[PlayerId("Late")] == 2
    opponents = {p for r in t.rounds for m in r if m.b and "Late" in m.players for p in m.players}
    assert opponents == {"Late", "P1", "P3", "P5"}


def test_after_a_drop_the_others_finish_their_group() -> None:
    data, lots = event("groups", 4), random.Random(1)
    play(data, lots)
    data["drops"] = {"P04": 1}
    while is_open(read_tournament(data)):
        play(data, lots)

    met = {frozenset((m.a, m.b)) for r in read_tournament(data).rounds for m in r if m.b}
    assert {frozenset(p) for p in combinations(("P01", "P02", "P03"), 2)} <= met


def test_standings_rank_inside_the_group_and_explain_there() -> None:
    data, lots = event("groups", 8), random.Random(3)
    for _ in range(3):
        play(data, lots)

    table = standings_file(data)

    assert [line["group"] for line in table] == [1] * 4 + [2] * 4
    assert [table[0]["rank"], table[4]["rank"]] == [1, 1]
    line = explain_file(data, table[5]["player"])
    assert line["tiebreakers"] == table[5]["tiebreakers"]


def test_group_winners_go_on_before_seconds_whatever_their_points() -> None:
    players = [{"name": name, "group": n} for name, n in zip("ABCDEFG", (1, 1, 1, 1, 2, 2, 2), strict=True)]
    wins = ["AB", "CD", "EF", "AC", "BD", "EG", "AD", "BC", "FG"]
    rounds = [[{"a": a, "b": b, "result": "a"} for a, b in wins[n : n + 3]] for n in (0, 3, 6)]
    t = read_tournament(event("groups", players, rounds=rounds, tiebreakers=[]))

    order = [line.player for _, line in across_groups(t)]

    # A and E have won everything; of the seconds B has 6 points of 3 matches, F 3 of 2
    assert order[:4] == ["A", "E", "B", "F"]


def test_groups_after_the_alphabet_have_numbers() -> None:
    assert [group_name(n) for n in (1, 26, 27)] == ["A", "Z", "27"]


# -- pods ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "size", "tables"),
    [
        (6, 4, [3, 3]), (7, 4, [4, 3]), (9, 4, [3, 3, 3]), (10, 4, [4, 3, 3]), (11, 4, [4, 4, 3]),
        (13, 4, [4, 3, 3, 3]), (5, 4, []), (2, 4, []), (7, 3, [4, 3]), (8, 3, [4, 4]), (11, 5, [4, 4, 3]),
    ],
)  # fmt: skip
def test_tables_are_as_even_as_possible(players: int, size: int, tables: list[int]) -> None:
    assert split(players, size) == tables


@pytest.mark.parametrize("players", range(3, 22))
def test_pods_seat_everybody_once_round_after_round(players: int) -> None:
    data, lots = event("pods", players), random.Random(players)
    for _ in range(4):
        t = read_tournament(data)
        assert pod_faults(t, pair_round(t, 3)) == []
        play(data, lots)

    assert len(standings_file(data)) == players


def test_five_players_give_everybody_a_bye_before_anybody_has_two() -> None:
    data, lots = event("pods", 5), random.Random(2)

    byes = [play(data, lots)["byes"] for _ in range(5)]

    assert sorted(p for one in byes for p in one) == ["P01", "P02", "P03", "P04", "P05"]


def test_nothing_cheaper_exists_in_a_small_field() -> None:
    data, lots = event("pods", 7), random.Random(8)
    for _ in range(2):
        play(data, lots)
    t = read_tournament(data)
    draw = next_draw(t, 1)
    board = board_of(t, draw.contenders, draw)
    at = {c.id: n for n, c in enumerate(draw.contenders)}

    pairing = pair_round(t, 1)

    paid = sum(board.table([at[p] for p in table.players], 4) for table in pairing.tables)
    least = min(board.table(p[:4], 4) + board.table(p[4:], 4) for p in permutations(range(7)))
    assert pairing.is_optimal
    assert paid == least


def test_leaders_sit_together_in_the_second_round() -> None:
    data, lots = event("pods", 16), random.Random(4)
    play(data, lots)

    (first, *_) = pair_file(data)["tables"]

    winners = {max(m["scores"], key=m["scores"].get) for m in data["rounds"][0]}
    assert set(first["players"]) == winners
    assert first["why"] == "All have 4 points."


def test_the_same_seed_gives_the_same_pods_and_another_one_others() -> None:
    data = event("pods", 12)

    assert pair_file(data, seed=1) == pair_file(data, seed=1)
    assert pair_file(data, seed=1)["tables"] != pair_file(data, seed=2)["tables"]


def test_forbidden_players_do_not_share_a_table() -> None:
    data = event("pods", 8, forbidden=[["P01", "P02"], ["P01", "P03"]])
    for seed in range(5):
        tables = [set(t["players"]) for t in pair_file(data, seed=seed)["tables"]]
        (own,) = [t for t in tables if "P01" in t]
        assert not own & {"P02", "P03"}


def test_rather_than_seat_a_forbidden_pair_one_of_them_sits_out() -> None:
    for seed in range(5):
        paired = pair_file(event("pods", 5, forbidden=[["P01", "P02"]]), seed=seed)

        assert paired["bye"] in ("P01", "P02")


def test_forbidden_pairs_that_fill_every_table_are_named_and_not_seated() -> None:
    with pytest.raises(InputError) as caught:
        pair_file(event("pods", 4, forbidden=[["P01", "P02"]]))

    assert caught.value.problems[0].path == "forbidden"
    assert caught.value.problems[0].message.params["pairs"] in (["P01 – P02"], ["P02 – P01"])


def test_a_table_of_more_than_two_across_groups_is_named() -> None:
    table = [{"scores": {"P01": 9, "P02": 8, "P03": 7}}]
    data = event("groups", 8, rounds=[table])

    assert len(standings_file(data)) == 8
    with pytest.raises(InputError) as caught:
        pair_file(data)
    assert caught.value.problems[0].path == "rounds[1][1]"


def test_a_pod_being_played_is_written_and_read_again() -> None:
    data = event("pods", 3, format={"pod_size": 4, "counts": "places"}, tiebreakers=[])
    data["rounds"] = [[{"players": ["P01", "P02", "P03"], "table": 7}]]

    t = read_tournament(data)

    assert write_tournament(t) == data
    assert write_tournament(replace(t, name="Other"))["format"] == {
        "kind": "pods", "pod_size": 4, "counts": "places",
    }  # fmt: skip
    assert [line["points"] for line in standings_file(data)] == [0, 0, 0]


def test_a_faulty_seating_is_named() -> None:
    t = read_tournament(event("pods", 8))
    good = pair_round(t)
    first, second = good.tables
    table = replace(first, more=first.more[1:])

    keys = {fault.key for fault in pod_faults(t, replace(good, tables=(table, second)))}

    assert keys == {"fault_missing"}
    bye = replace(good, tables=(first,), byes=second.players)
    assert "fault_needless_bye" in {fault.key for fault in pod_faults(t, bye)}


def test_groups_of_different_size_are_compared_per_game_without_rests() -> None:
    """Group 1 has three players and a rest each, group 2 four: one win of two games beats one of three."""
    players = [{"name": name, "group": 1 if name < "D" else 2} for name in "ABCDEFG"]
    data = event("groups", players, tiebreakers=[])
    data["rounds"] = [
        [{"a": "A", "b": "B", "result": "a"}, {"a": "C", "result": "bye"},
         {"a": "D", "b": "E", "result": "a"}, {"a": "F", "b": "G", "result": "a"}],
        [{"a": "A", "b": "C", "result": "a"}, {"a": "B", "result": "bye"},
         {"a": "D", "b": "F", "result": "a"}, {"a": "E", "b": "G", "result": "a"}],
        [{"a": "B", "b": "C", "result": "a"}, {"a": "A", "result": "bye"},
         {"a": "D", "b": "G", "result": "a"}, {"a": "E", "b": "F", "result": "b"}],
    ]  # fmt: skip

    rated = [(line.player, -rating[1]) for rating, line in across_groups(read_tournament(data))]

    # winners: A 6 of 2 games, D 9 of 3; seconds: F 6 of 3, B 3 of 2; then E 3 of 3, C 0 of 2, G 0 of 3
    assert sorted(rated[:2]) == [("A", 3), ("D", 3)]
    assert rated[2:4] == [("F", 2), ("B", Fraction(3, 2))]
    assert rated[4:] == [("E", 1), ("C", 0), ("G", 0)]


def test_the_groups_of_a_double_round_meet_twice() -> None:
    data, lots = event("groups", 8, format={"cycles": 2}), random.Random(4)
    while is_open(read_tournament(data)):
        play(data, lots)

    met = Counter(frozenset((m["a"], m["b"])) for r in data["rounds"] for m in r if "b" in m)
    assert set(met.values()) == {2}
    assert len(data["rounds"]) == 6


@pytest.mark.parametrize("players", [14, 18, 27])
def test_small_tables_and_seats_are_shared_out_over_the_rounds(players: int) -> None:
    data, lots = event("pods", players), random.Random(players)
    for _ in range(5):
        play(data, lots)

    small: Counter[str] = Counter(dict.fromkeys(data["players"], 0))
    seats: Counter[tuple[str, int]] = Counter()
    for matches in data["rounds"]:
        pods = [list(m["scores"]) for m in matches if "scores" in m]
        biggest = max(map(len, pods))
        small.update(p for pod in pods if len(pod) < biggest for p in pod)
        seats.update((p, n) for pod in pods for n, p in enumerate(pod))
    assert max(small.values()) - min(small.values()) <= 2
    assert max(seats.values()) <= 3


def test_an_event_may_say_what_a_repeated_meeting_weighs() -> None:
    def repeats(weight: int) -> int:
        data, lots = event("pods", 16, format={"repeat_weight": weight}), random.Random(2)
        return sum(play(data, lots)["cost"]["rematches"] for _ in range(5))

    assert repeats(400) < repeats(6)
