"""A scripted duel of every ordered pair of the complete heroes, to its end."""

from __future__ import annotations

import pytest

from tests.unit.dice_throne.heroes.duel import Duel
from tests.unit.dice_throne.heroes.test_duels import HEROES


@pytest.mark.parametrize("first", HEROES)
def test_every_pair_plays_to_the_end_and_may_never_errs(first):
    for second in HEROES:
        duel = Duel(first, second, is_thorough=True)

        assert duel.play(), (first, second, len(duel.done))
