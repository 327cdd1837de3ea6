"""The engine against the simulator: several players blessed at once, entered in any order."""

import pytest

from judge.services.dispute.rulings import rule_table
from tests.unit.dice_forge.simulator import StepOne

STEPS = 400


def outcome_of(step):
    """What the simulator says, as a part of the ruling."""
    players = {}
    for seat in step.seats:
        player = {"gold": seat.have["G"], "sun": seat.have["S"], "moon": seat.have["M"]}
        player |= {"glory": seat.have["V"] % 100, "hundreds": seat.have["V"] // 100}
        player |= {"dice": seat.dice, "shown": seat.shown}
        if seat.hammer is not None:
            player["hammer"] = {"lap": 1 + seat.laps, "position": seat.hammer}
        players[seat.name] = player
    return players


@pytest.mark.parametrize("players", [2, 3, 4])
def test_step_1_ends_as_the_simulator_says_in_whatever_order_it_is_entered(players):
    met = 0
    for seed in range(STEPS):
        step = StepOne(players, seed)
        events = step.entered()
        ruling = rule_table({**step.table, "events": events})

        assert {entry["verdict"] for entry in ruling["events"]} == {"legal"}, (seed, ruling["events"], events)
        for name, player in outcome_of(step).items():
            ruled = ruling["players"][name]
            assert {key: ruled[key] for key in player} == player, (seed, name, step.table, events)
        met += any("is gone when" in entry["says"] for entry in ruling["events"])
    assert met > 2, "Ships of two players should have met at one face"
