"""The same questions as the unit tests ask, over many more random games."""

import pytest

from tests.unit.dice_throne.test_may import EDITIONS, MODES, check_a_game


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("mode", MODES)
def test_may_is_honest_in_many_games(mode, edition, seed):
    check_a_game(mode, edition, f"may{mode}{edition}{seed}", 6)
