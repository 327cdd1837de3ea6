"""Twenty thousand hostile forms to each database, fifty thousand hostile files: no crash, none over a second.

ATTACK=200 makes it quick: so many forms, and two and a half times as many files. ATTACK_SEED=8 tries others.
"""

import copy
import os
import random
import time
import traceback
from contextlib import suppress
from pathlib import Path

import pytest

from judge.core.errors import InputError, Refused
from judge.schemas.files import read_file
from judge.services.dispute.rulings import rule_file, tables_in
from judge.services.event.tournament_files import pair_file, standings_file
from tests.frame.test_form_fuzz import prepared
from tests.hostile import FINE, VALUES, fuzz_forms, fuzz_real_forms
from tests.unit.test_hostile_tables import FORGE, THRONE

FORMS, SEED = int(os.environ.get("ATTACK", "20000")), int(os.environ.get("ATTACK_SEED", "7"))
FILES = FORMS * 5 // 2
SECONDS = 1.0
CASES = Path(__file__).parents[2] / "cases"
EVENT = {
    "tournament": 1, "name": "x", "game": "dice-throne", "format": {"kind": "swiss", "rounds": 4},
    "players": ["Ana", {"name": "Ben", "id": "b2", "club": "Lyon", "seed": 2, "table": 4}, "Cleo", "Dov"],
    "drops": {"Dov": 1}, "late": {"Cleo": 1}, "byes": {"Ana": [2]}, "forbidden": [["Ana", "Cleo"]],
    "scoring": {"win": 3, "draw": 1, "loss": 0}, "tiebreakers": ["wins-vs-tied", "omw"], "floor": "1/3",
    "rounds": [[{"a": "Ana", "b": "b2", "result": "a", "health": [22, 0]},
                {"a": "Cleo", "b": "Dov", "result": "draw"}]],
}  # fmt: skip


def test_every_form_is_taken_or_refused(database_url, tmp_path, sign_in):
    app, clients, known = prepared(database_url, tmp_path, sign_in)
    statuses, reached = fuzz_real_forms(app, clients, known, FORMS // 2, seed=SEED)
    statuses += fuzz_forms(app, clients, known, FORMS - FORMS // 2, seed=SEED)
    app.extensions["judge.database"].close()

    print(f"{dict(statuses)}; {len(reached)} routes by their own forms")
    assert set(statuses) <= FINE


def bent(value, lots):
    """The same file with one thing in it replaced, removed or repeated."""
    value = copy.deepcopy(value)
    place = value
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return value
        key = lots.choice(keys)
        if isinstance(place[key], dict | list) and lots.random() < 0.7:
            place = place[key]
            continue
        wrong = [lots.choice(list(VALUES.values())), lots.choice([0, -1, 10**17, 0.1, True, None, [], {}])]
        place[key] = lots.choice([*wrong, [place[key]] * lots.choice((2, 300))])
        return value


def tables(game):
    """Every table of tests/cases of a game, and the widest one."""
    files = [*CASES.glob("*.yaml"), *CASES.glob("rules/*.yaml"), *CASES.glob("heroes/*.yaml")]
    found = [table for file in sorted(files) for _, table in tables_in(read_file(file))]
    return [THRONE if game == "dice-throne" else FORGE, *(t for t in found if t.get("game") == game)]


def tournaments():
    """Every tournament of tests/cases, and the widest one."""
    files = sorted((CASES / "tournaments").glob("*.yaml"))
    entries = [entry for file in files for entry in read_file(file)["cases"]]
    return [EVENT, *(entry["file"] for entry in entries if isinstance(entry.get("file"), dict))]


@pytest.mark.parametrize(
    ("wholes", "read"),
    [
        (lambda: tables("dice-throne"), lambda data: rule_file(data, "en")),
        (lambda: tables("dice-forge"), lambda data: rule_file(data, "en")),
        (tournaments, lambda data: pair_file(data, 1, "en", None)),
        (tournaments, lambda data: standings_file(data, None, None)),
    ],
    ids=["throne", "forge", "pairing", "standings"],
)
def test_every_file_is_read_or_refused_at_once(wholes, read):
    lots, slowest, wrong, files = random.Random(SEED), 0.0, [], wholes()
    read(files[0])  # as it stands it is right
    for n in range(FILES // 4):
        data = files[0] if n % 4 == 0 else lots.choice(files)
        for _ in range(lots.choice((1, 1, 2, 4))):
            data = bent(data, lots)
        began = time.thread_time()
        try:
            read(data)
        except (InputError, Refused):
            pass
        except Exception as error:
            wrong.append(
                (type(error).__name__, str(error)[:80], traceback.extract_tb(error.__traceback__)[-1], data)
            )
        slowest = max(slowest, time.thread_time() - began)

    print(f"{FILES // 4} files bent from {len(files)}, slowest {slowest:.3f} s")
    assert not wrong, wrong[:5]
    assert slowest < SECONDS


def paths(value, before=()):
    """The way to every value inside a file."""
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inside in entries:
        yield (*before, key)
        if isinstance(inside, dict | list):
            yield from paths(inside, (*before, key))


def replaced(value, path, new):
    if not path:
        return new
    copied = dict(value) if isinstance(value, dict) else list(value)
    copied[path[0]] = replaced(value[path[0]], path[1:], new)
    return copied


@pytest.mark.parametrize(
    ("whole", "read"),
    [
        (THRONE, lambda data: rule_file(data, "en")),
        (FORGE, lambda data: rule_file(data, "en")),
        (EVENT, lambda data: (pair_file(data, 1, "en", None), standings_file(data, None, None))),
    ],
    ids=["throne", "forge", "event"],
)
def test_every_key_takes_every_hostile_value(whole, read):
    slowest, count = 0.0, 0
    read(whole)  # as it stands it is right
    for path in paths(whole):
        for value in [*VALUES.values(), 0, -1, 10**17, -(10**17), 0.1, 1e300, True, None, [], {}, [[]], [{}]]:
            began = time.thread_time()
            with suppress(InputError, Refused):
                read(replaced(whole, path, value))
            slowest, count = max(slowest, time.thread_time() - began), count + 1

    print(f"{count} files, slowest {slowest:.3f} s")
    assert slowest < SECONDS
