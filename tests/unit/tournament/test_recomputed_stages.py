"""Events of two stages worked out a second time without the engine: who goes on, with which seed, the
standings of a Swiss that goes on with the points of the first, and the places after a bracket."""

from __future__ import annotations

import random
from typing import Any

import pytest

from judge.services.event.tournament_files import pair_file, standings_file
from tests.unit.tournament.test_recomputed import ByHand, played, random_event


def two_stages(seed: int, second: dict[str, Any]) -> tuple[dict[str, Any], list[list[str]], ByHand]:
    """A random event with its first stage played; who is level with whom of those who may go on."""
    event = random_event(seed)
    mine = ByHand(event)
    levels = [[p for p in level if p not in event["drops"]] for level in mine.ranking()]
    rounds, event = event["rounds"], {key: value for key, value in event.items() if key != "rounds"}
    first = {"format": {"kind": "swiss", "rounds": len(rounds)}, "rounds": rounds}
    return event | {"stages": [first, second]}, [level for level in levels if level], mine


def edges(levels: list[list[str]]) -> list[int]:
    """The sizes of a cut that parts no players who are level."""
    sizes = [sum(map(len, levels[:n])) for n in range(1, len(levels) + 1)]
    return [size for size in sizes if size >= 3]


def play_stage(data: dict[str, Any], chance: random.Random, rounds: int, results: list[str]) -> None:
    stage = data["stages"][1]
    stage["rounds"] = []
    for _ in range(rounds):
        paired = pair_file(data, chance.randint(0, 99))
        tables = [played(t, chance, data["best_of"]) for t in paired["tables"]]
        for table in tables:
            if table["result"] not in results:
                table.pop("health", None), table.pop("games", None)
                table["result"] = chance.choice(results)
        byes = [] if "take" in stage and "carry" not in stage else paired["byes"]
        stage["rounds"].append(tables + [{"a": p, "result": "bye"} for p in byes])


@pytest.mark.parametrize("seed", range(60))
def test_a_swiss_that_carries_points_on_is_ranked_by_both_stages(seed):
    chance = random.Random(seed)
    second = {"carry": "points", "format": {"kind": "swiss", "rounds": 2}}
    data, levels, _ = two_stages(seed, second)
    assert edges(levels), "the seeds are chosen so that at least three can go on"
    second["take"] = {"top": chance.choice(edges(levels))}
    taken = [p for level in levels for p in level][: second["take"]["top"]]
    play_stage(data, chance, 2, ["a", "b", "draw"])

    table = standings_file(data)

    rounds = data["stages"][0]["rounds"] + data["stages"][1]["rounds"]
    out = {name: len(data["stages"][0]["rounds"]) for name in data["players"] if name not in taken}
    mine = ByHand(data | {"rounds": rounds}, out)
    mine.names = taken
    expected = mine.ranking()
    ranks = {name: 1 + sum(map(len, expected[:n])) for n, level in enumerate(expected) for name in level}
    assert {line["player"]: line["rank"] for line in table} == ranks
    for line in table:
        name = line["player"]
        assert (line["points"], line["record"]) == (mine.points[name], mine.record(name))
        for tiebreaker, value in line["tiebreakers"].items():
            if tiebreaker != "head-to-head":
                assert value == pytest.approx(float(mine.value(name, tiebreaker)), abs=1e-9), tiebreaker


def lines(size: int) -> list[int]:
    """The seeds of a bracket from top to bottom: two that meet add up to the size plus one."""
    order = [1]
    while len(order) < size:
        order = [line for seed in order for line in (seed, 2 * len(order) + 1 - seed)]
    return order


@pytest.mark.parametrize("seed", range(60))
def test_a_cut_seeds_by_the_standings_and_the_event_ends_with_its_places(seed):
    chance = random.Random(seed)
    second: dict[str, Any] = {"format": {"kind": "single-elimination", "third_place": False}}
    data, levels, before = two_stages(seed, second)
    assert edges(levels), "the seeds are chosen so that at least three can go on"
    size = second["take"] = {"top": chance.choice(edges(levels))}
    seeds = [p for level in levels for p in level][: size["top"]]
    drawn = 1
    while drawn < len(seeds):
        drawn *= 2
    if all(len(level) == 1 for level in levels):
        order = [seeds[n - 1] if n <= len(seeds) else None for n in lines(drawn)]
        meetings = {frozenset(pair) for pair in zip(order[::2], order[1::2], strict=True) if None not in pair}
        assert {frozenset((t["a"], t["b"])) for t in pair_file(data)["tables"]} == meetings
    play_stage(data, chance, drawn.bit_length() - 1, ["a", "b"])

    table = standings_file(data, whole_event=True)

    places: list[list[str]] = []
    for matches in reversed(data["stages"][1]["rounds"]):
        lost = [m["b"] if m["result"] == "a" else m["a"] for m in matches]
        won = [m["a"] if m["result"] == "a" else m["b"] for m in matches]
        places += [won] if not places else []
        places.append(lost)
    places += [[p for p in level if p not in seeds] for level in before.ranking()]
    ranks = {name: 1 + sum(map(len, places[:n])) for n, level in enumerate(places) for name in level}
    assert {line["player"]: line["rank"] for line in table} == ranks
