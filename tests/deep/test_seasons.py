"""Ten thousand simulated rounds of 2 to 200 players: the checker accepts every one."""

import random

import pytest

from judge.tournament.checker import faults
from tests.seasons import season

ROUNDS = 10_000
PARTS = 20


@pytest.mark.parametrize("part", range(PARTS))
def test_the_checker_accepts_every_round(part):
    chance = random.Random(part)
    judged = 0
    while judged < ROUNDS // PARTS:
        count = round(2 * 100 ** chance.random())  # as many small events as large ones
        seed, turnover = chance.randrange(10**9), chance.choice([0.0, 0.02, 0.1])
        for now, pairing in season(count, chance.randint(3, 12), seed, turnover):
            assert faults(now, pairing) == [], (count, seed, turnover, pairing.round)
            judged += 1
