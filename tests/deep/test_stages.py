"""Ten thousand rounds of events of every format, alone and in stages, with teams, byes, absences and drops:
the independent checkers find no fault in any of them."""

import pytest

from tests.staged_events import faults_of, play, staged_event

ROUNDS = 10_000
PARTS = 20


@pytest.mark.parametrize("part", range(PARTS))
def test_the_checkers_accept_every_round(part):
    judged, seed = 0, part * 10**6
    while judged < ROUNDS // PARTS:
        seed += 1
        for now, number, pairing in play(staged_event(seed, most=40), seed):
            assert faults_of(now, number, pairing) == [], (seed, number, pairing.round)
            judged += 1
