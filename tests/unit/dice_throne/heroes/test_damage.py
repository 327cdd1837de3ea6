"""The damage of every space against `damage.yaml`, which was typed from the prose of the hero sheets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from judge.schemas.dice_throne.shipped import shipped_hero
from judge.schemas.files import read_file
from tests.unit.dice_throne.heroes.test_walk import spaces
from tests.unit.dice_throne.heroes.walk import answers, lines, meeting, ruled

SHEETS: dict[str, dict[str, dict[str, list[int]]]] = read_file(Path(__file__).parent / "damage.yaml")


def damage(ruling: Any) -> int:
    return sum(one.totals["B"].incoming for one in ruling.resolutions if "B" in one.totals)


@pytest.mark.parametrize("hero_id", SHEETS)
def test_every_space_deals_what_its_sheet_says(hero_id):
    hero = shipped_hero(hero_id)
    sheet, seen, wrong = SHEETS[hero_id], 0, []
    for space in spaces(hero):
        wanted = sheet.get(space.ability.id, {}).get(str(space.level))
        if wanted is None:
            continue
        seen += 1
        me = {"hero": hero_id, "statuses": {}, "upgrades": space.upgrades, "side": space.ability.side or None}
        assert len(wanted) == len(lines(space.needs)), space.ability.id
        for n, line in enumerate(lines(space.needs)):
            text = (*space.tiers[n], *space.effects) if space.tiers else space.effects
            details = answers(hero, text, 1).event(1)
            if space.tiers and "choice" in details:
                details["choice"] = [n + 1, *details["choice"]]
            event = {"by": "A", "activate": space.ability.id, "on": "B", **details}
            ruling = ruled(event, a=me, dice=meeting(hero, line), phase="offensive-roll", attempts=1)

            if damage(ruling) != wanted[n]:
                wrong.append((space.ability.id, space.level, n, damage(ruling), wanted[n]))
    assert wrong == []
    assert seen == sum(map(len, sheet.values()))
