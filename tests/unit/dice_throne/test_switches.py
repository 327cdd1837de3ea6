"""What the engine asks a rule book: the same table under a book that says something else."""

import json
from dataclasses import replace

import pytest

from judge.core.games import DICE_THRONE
from judge.paths import FIXTURES
from judge.rules.dice_throne import rule
from judge.schemas.dice_throne import read_table
from judge.schemas.dice_throne.editions import load_edition, read_edition
from judge.schemas.dice_throne.shipped import shipped_statuses

TEAMS = [{"id": "A", "team": "red"}, {"id": "B", "team": "red"}, {"id": "C", "team": "blue"},
         {"id": "D", "team": "blue"}]  # fmt: skip
SHIELD = {"by": "B", "play": "card", "card": "instant", "cost": 0, "effects": [{"prevent": 3}]}


def house_book(kind="", **traits):
    """A book that no file names: the newest one, but for these traits of one type of damage."""
    data = json.loads((FIXTURES / DICE_THRONE / "editions" / "fr-2.4.1.json").read_bytes())
    if kind:
        data["switches"]["types"][kind] |= traits
    else:
        data["switches"] |= traits
    return read_edition({**data, "id": "house"})


def strike(kind, edition, *answers, players=({"id": "A"}, {"id": "B"}), **more):
    table = {
        "game": DICE_THRONE,
        "players": list(players),
        "turn": {"active": "A", "phase": "offensive-roll"},
        "events": [{"by": "A", "activate": "strike", "effects": [{"deal": 8, "type": kind}]}, *answers],
        **more,
    }
    return rule(replace(read_table(table), edition=edition))


@pytest.mark.parametrize(("avoidable", "final"), [(False, 8), (True, 5)])
def test_what_cannot_be_avoided_is_not_prevented_either(avoidable, final):
    ruling = strike("normal", house_book("normal", avoidable=avoidable), SHIELD)

    assert [step.value for step in ruling.steps if step.says.key == "step_final"] == [final]


@pytest.mark.parametrize("is_special", [True, False])
def test_damage_with_its_own_targeting_needs_no_targeting_roll(is_special):
    edition = house_book("collateral", special_targeting=is_special)
    ruling = strike("collateral", edition, players=TEAMS, mode="2v2", teams={"red": 50, "blue": 50})

    assert ("DT-TGT-07" in ruling.events[0].rules) == is_special


@pytest.mark.parametrize(
    ("edition", "is_modifier"),
    [
        (load_edition("fr-2.4.1"), True),
        (load_edition("ru-2.2"), False),
        (load_edition("fr-2.2"), False),
        (house_book(modifier_only_increases=False), True),
        (house_book(modifier_only_increases=True), False),
    ],
    ids=["2.4.1", "Russian 2.2", "French 2.2", "a new book", "a new book in the narrow sense"],
)
def test_wither_is_an_attack_modifier_where_the_term_covers_reductions(edition, is_modifier):
    assert shipped_statuses()["wither"].is_modifier(edition) == is_modifier
