"""Twenty thousand hostile forms to each database, fifty thousand hostile files: no crash, none over a second.

ATTACK=200 makes it quick: so many forms, and two and a half times as many files. ATTACK_SEED=8 tries others.
"""

import copy
import os
import random
import time
from contextlib import suppress

import pytest

from judge.core.errors import InputError
from judge.services.dispute.rulings import rule_file
from judge.services.event.tournament_files import pair_file, standings_file
from tests.frame.test_form_fuzz import prepared
from tests.hostile import FINE, VALUES, fuzz_forms, fuzz_real_forms
from tests.unit.test_hostile_tables import FORGE, THRONE

FORMS, SEED = int(os.environ.get("ATTACK", "20000")), int(os.environ.get("ATTACK_SEED", "7"))
FILES = FORMS * 5 // 2
SECONDS = 1.0
EVENT = {
    "tournament": 1, "name": "x", "game": "dice-throne", "format": {"kind": "swiss", "rounds": 4},
    "players": ["Ana", {"name": "Ben", "id": "b2", "club": "Lyon", "seed": 2, "table": 4}, "Cleo", "Dov"],
    "drops": {"Dov": 1}, "late": {"Cleo": 1}, "byes": {"Ana": [2]}, "forbidden": [["Ana", "Cleo"]],
    "scoring": {"win": 3, "draw": 1, "loss": 0}, "tiebreakers": ["wins-vs-tied", "omw"], "floor": "1/3",
    "rounds": [[{"a": "Ana", "b": "b2", "result": "a", "health": [22, 0]}, {"a": "Cleo", "b": "Dov"}]],
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


@pytest.mark.parametrize(
    ("whole", "read"),
    [
        (THRONE, lambda data: rule_file(data, "en")),
        (FORGE, lambda data: rule_file(data, "en")),
        (EVENT, lambda data: pair_file(data, 1, "en", None)),
        (EVENT, lambda data: standings_file(data, None, None)),
    ],
    ids=["throne", "forge", "pairing", "standings"],
)
def test_every_file_is_read_or_refused_at_once(whole, read):
    lots, slowest = random.Random(SEED), 0.0
    for _ in range(FILES // 4):
        data = whole
        for _ in range(lots.choice((1, 1, 2, 4))):
            data = bent(data, lots)
        began = time.thread_time()
        with suppress(InputError):
            read(data)
        slowest = max(slowest, time.thread_time() - began)

    print(f"slowest {slowest:.3f} s")
    assert slowest < SECONDS
