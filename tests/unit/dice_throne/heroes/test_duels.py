"""Scripted duels to the end, after every event of which `may` lists just what the rules accept.

Every hero meets three others here; `tests/deep/test_duels.py` plays every ordered pair.
"""

from __future__ import annotations

import pytest

from judge.schemas.dice_throne.shipped import hero_ids, shipped_hero
from tests.unit.dice_throne.heroes.duel import Duel

HEROES = [name for name in hero_ids() if (hero := shipped_hero(name)) and not hero.is_partial]
EDITIONS = ("fr-2.4.1", "fr-2.2", "ru-2.2")


@pytest.mark.parametrize("first", HEROES)
def test_a_duel_comes_to_its_end_and_may_never_errs(first):
    place = HEROES.index(first)
    for step, edition in zip((1, 5, 9), EDITIONS, strict=True):
        second = HEROES[(place + step) % len(HEROES)]
        duel = Duel(first, second, edition, is_thorough=step == 1 and place % 4 == 0)

        assert duel.play(), (first, second, len(duel.done))
        assert {"roll", "activate", "play", "defend"} <= duel.used, (first, second)
