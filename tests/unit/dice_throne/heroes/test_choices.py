"""A choice named on the activation and the same choice as an event of its own give the same table."""

from __future__ import annotations

from typing import Any

import pytest

from judge.rules.catalog import Ability, flat
from judge.schemas.dice_throne.shipped import hero_ids, shipped_hero, shipped_statuses
from tests.unit.dice_throne.heroes.walk import ruled

FORCED = ("blind", "blinding-light")  # a roll of theirs comes before the choice
HELD = 2  # of every own token, so that there is something to choose with


def _has_one_choice(ability: Ability) -> bool:
    effects = [effect for effect in flat(ability.effects) if effect.op in ("choose", "may") or effect.up_to]
    is_offensive = ability.kind in ("offensive", "ultimate")
    return is_offensive and len(effects) == 1 and not ability.tier_effects and not effects[0].who


HEROES = {name: hero for name in hero_ids() if (hero := shipped_hero(name))}
ABILITIES = [
    pytest.param(hero, ability.id, id=f"{name}-{ability.id}")
    for name, hero in HEROES.items()
    for ability in hero.abilities.values()
    if _has_one_choice(ability)
]


def _table(ruling: Any) -> list[Any]:
    totals = [(each.when, each.totals.keys()) for each in ruling.resolutions]
    numbers = [
        (who, total.incoming, total.subtotal, total.final, total.healed)
        for each in ruling.resolutions
        for who, total in each.totals.items()
    ]
    return [ruling.players, totals, numbers, ruling.discretion]


@pytest.mark.parametrize("choice", [1, 2])
@pytest.mark.parametrize(("hero", "ability"), ABILITIES)
def test_a_choice_may_follow_as_its_own_event(hero, ability, choice):
    own = [status for status in shipped_statuses().values() if hero.id in status.owners]
    held = {each.id: min(HELD, each.stack_limit or HELD) for each in own if each.id not in FORCED}
    mine = {"hero": hero.id, "statuses": held}
    act = {"by": "A", "activate": ability, "on": "B", "dice": [1, 3, 5, 6, 2]}

    at_once = ruled({**act, "choice": choice}, a=mine, b={"statuses": {"poison": 1}})
    later = ruled(act, {"by": "A", "choose": choice}, a=mine, b={"statuses": {"poison": 1}})

    if at_once.events[0].verdict != "illegal" and later.events[1].verdict != "illegal":
        assert _table(at_once) == _table(later)
