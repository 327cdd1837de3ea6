"""Whatever stands in a tournament file: an answer, or a fault with its place; never anything else."""

import contextlib
import copy
import random

import pytest
from hypothesis import given, settings, strategies

from judge.core.errors import InputError
from judge.schemas.files import parse
from judge.services.event.outlooks import outlook_file
from judge.services.event.tournament_files import bracket_file, csv_file, pair_file, standings_file

EVENT = b"""
tournament: 1
name: Spring Throne
game: dice-throne
preset: dice-throne-ranked
format: {kind: swiss, rounds: 4}
scoring: {win: 3, draw: 1, loss: 0, bye: 3}
best_of: 1
floor: 0.33
tiebreakers: [wins-vs-tied, head-to-head, median-buchholz, health-diff]
players: [Ana, {name: Ben, id: b2, club: Lyon, seed: 2, table: 4, heroes: [monk]}, Cleo, Eva, Dov]
drops: {Ben: 2}
late: {Eva: 2}
forbidden: [[Ana, Dov]]
rounds:
- - {a: Ana, b: Ben, result: a, health: [22, 0], games: [1, 0, 0], table: 2}
  - {a: Cleo, b: Dov, result: draw}
- - {a: Ben, b: Eva, result: no_show_a}
  - {a: Ana, b: Cleo, result: b}
  - {a: Dov, result: bye}
"""
STAGES = b"""
tournament: 1
name: Autumn Throne
tiebreakers: [buchholz]
players:
- {name: Ana, group: 1, members: [Ann, {name: Bob, heroes: [monk]}]}
- {name: Ben, group: 1}
- {name: Cleo, group: 2}
- {name: Dov, group: 1}
- {name: Eva, group: 2}
- {name: Finn, group: 2}
drops: {Finn: 3}
byes: {Cleo: [5]}
forbidden: [[Ana, Dov]]
stages:
- name: Groups
  format: {kind: groups, group_size: 3}
  rounds:
  - [{a: Ana, b: Ben, result: a}, {a: Cleo, b: Eva, result: a}]
  - [{a: Ana, b: Dov, result: draw}, {a: Cleo, b: Finn, result: a}]
  - [{a: Ben, b: Dov, result: draw, how: intentional-draw}, {a: Eva, b: Finn, result: a}]
- name: Day 2
  take: {of_each_group: 2}
  format: {kind: swiss, rounds: 2}
  carry: points
  rounds: [[{a: Ana, b: Eva, result: a}, {a: Cleo, b: Dov}]]
- {take: {top: 2}, format: {kind: double-elimination}}
penalties: [{player: Ana, infraction: slow-play, penalty: warning, round: 1}]
desk: {starting_health: 40}
"""
ODD = [
    None, True, -1, 0, 1, 2, 10**17, 0.5, -0.1, 1e300, "", "Ana", "b2", "bye", "1/3", "1/0", "swiss", "pods",
    "single-elimination", "double-elimination", "round-robin", "missed", [], ["Ana"], [[]], {}, {"Ana": 3},
    {"kind": "single-elimination"}, {"a": "Ana"}, {"scores": {"Ana": 3, "Ben": 1, "Cleo": 1}},
    [["Ana", "Cleo"]], {"top": 2}, {"points": 3}, {"of_each_group": 1}, {"players": ["Ana", "Eva"]}, "points",
    "across-groups", {"Ana": [1]}, [{"format": {"kind": "swiss", "rounds": 1}}],
]  # fmt: skip


def places(value, path=()):
    """Every place in the file."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def changed(data, chance: random.Random):
    data = copy.deepcopy(data)
    path = chance.choice([p for p in places(data) if p])
    *way, last = path
    where = data
    for key in way:
        where = where[key]
    if chance.random() < 0.2:
        del where[last]
    elif isinstance(where, dict) and chance.random() < 0.2:
        where[chance.choice(["a", "b", "seed", "result", "Zoe", "games", "take", "carry", "absent"])] = (
            chance.choice(ODD)
        )
    else:
        where[last] = copy.deepcopy(chance.choice(ODD))
    return data


def whole_event(data):
    return standings_file(data, whole_event=True)


def results(data):
    return csv_file(data, "results")


@pytest.mark.parametrize("text", [EVENT, STAGES])
def test_the_files_to_be_damaged_are_sound(text):
    assert len(whole_event(parse(text))) >= 5


@settings(max_examples=400, deadline=None)
@given(strategies.integers(0, 2**32))
def test_a_damaged_file_is_answered_or_refused_with_a_place(seed):
    chance = random.Random(seed)
    data = parse(chance.choice([EVENT, STAGES]))
    for _ in range(chance.randint(1, 3)):
        data = changed(data, chance) if data else data
    for answer in (standings_file, whole_event, pair_file, bracket_file, outlook_file, results):
        with contextlib.suppress(InputError):
            answer(data)


@pytest.mark.parametrize("data", [None, 7, "x", [], {}, {"players": None}, {"players": {}}, {"rounds": [[]]}])
def test_what_is_no_tournament_is_refused(data):
    with pytest.raises(InputError):
        standings_file(data)
