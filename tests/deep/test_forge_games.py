"""Dice Forge at length: the properties of tests/unit over many more games."""

import pytest

from tests.unit.dice_forge import test_properties as properties

GAMES = 60

LONG = [test for test in vars(properties).values() if hasattr(test, "hypothesis")]


@pytest.mark.parametrize("test", LONG, ids=lambda test: test.__name__)
def test_it_holds_in_many_games(test):
    for seed in range(20_000, 20_000 + GAMES):
        test.hypothesis.inner_test(players=2 + seed % 3, seed=seed)
