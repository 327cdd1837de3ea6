"""Companions: growth stage by stage, health, damage taken for their player, levels and uses (DT-COMP-01)."""

import pytest

from tests.unit.dice_throne.test_corners import STRIKE, does, reasons, ruled, verdicts

HEROES = [
    {
        "id": "keeper",
        "dice": ["leaf"] * 6,
        "companions": [
            {
                "id": "sprouts",
                "stages": [{"id": "sprout", "limit": 3}, {"id": "bush", "limit": 2}, {"id": "tree"}],
            },
            {"id": "cat", "health": 7},
            {"id": "bot", "levels": 2, "uses": [{"effects": [{"heal": 3}], "per_turn": 1}]},
            {"id": "cart", "levels": 3},
        ],
    },
    {
        "id": "herder",
        "dice": ["leaf"] * 6,
        "companions": [{"id": "herd", "stages": [{"id": "lamb", "limit": 3}, {"id": "sheep", "limit": 2}]}],
    },
]


def after(*events, hero="keeper", phase="main-1", **companions):
    a = {"hero": hero, "health": 40, "companions": companions}
    return ruled(*events, phase=phase, a=a, catalogue={"heroes": HEROES})


def companions(ruling):
    return {name: count for name, count in ruling.players["A"].companions.items() if count}


def steps(ruling, key):
    return [step.value for step in ruling.steps if step.says.key == key]


# ------------------------------------------------------------------ growth


@pytest.mark.parametrize(
    ("there", "amount", "choice", "now"),
    [
        ({"sprout": 1}, 1, [], {"sprout": 2}),
        ({"sprout": 1}, 2, [], {"sprout": 3}),
        ({"sprout": 2}, 1, ["bush"], {"sprout": 1, "bush": 1}),
        ({"bush": 1}, 1, ["tree"], {"tree": 1}),
        ({"sprout": 1}, 2, ["bush", "tree"], {"tree": 1}),
        ({}, 1, ["sprout"], {"sprout": 1}),
        ({"tree": 1}, 1, ["sprout"], {"sprout": 1, "tree": 1}),
    ],
)
def test_one_step_of_growth_is_a_new_one_or_one_that_moves_on(there, amount, choice, now):
    ruling = after(does({"grow": amount}, choice=choice), **there)

    assert companions(ruling) == now
    assert steps(ruling, "step_grew") == [1] * amount


@pytest.mark.parametrize(
    ("there", "choice"), [({"sprout": 3}, []), ({"sprout": 1, "bush": 2}, ["bush"]), ({"bush": 1}, ["bush"])]
)
def test_a_full_stage_and_a_missing_stage_below_are_asked_about(there, choice):
    ruling = after(does({"grow": 1}, choice=choice), **there)

    assert [ask.what for ask in ruling.asks] == ["choice"]
    assert companions(ruling) == there


@pytest.mark.parametrize(
    ("there", "now", "grew"),
    [
        ({"sprout": 2, "bush": 1}, {"bush": 2, "tree": 1}, 3),
        ({"sprout": 3, "bush": 0}, {"sprout": 1, "bush": 2}, 2),
        ({"sprout": 1}, {"bush": 1}, 1),
        ({"tree": 1}, {"tree": 1}, 0),
    ],
)
def test_each_grows_once_as_far_as_the_next_stage_has_room(there, now, grew):
    ruling = after(does({"grow": "each"}), **there)

    assert companions(ruling) == now
    assert steps(ruling, "step_grew") == [grew]


@pytest.mark.parametrize(
    ("there", "amount", "now", "grew"), [(1, 2, 3, 2), (4, 2, 5, 1), (5, 1, 5, 0), (0, 1, 1, 1)]
)
def test_companions_that_are_not_told_apart_are_counted_up_to_their_limit(there, amount, now, grew):
    ruling = after(does({"grow": amount}), hero="herder", herd=there)

    assert companions(ruling) == {"herd": now}
    assert steps(ruling, "step_grew") == [grew]


# ------------------------------------------------------------------ health


@pytest.mark.parametrize(
    ("effect", "health", "now"),
    [
        ({"heal_companion": "cat", "count": 2}, 4, 6),
        ({"heal_companion": "cat", "count": 9}, 4, 7),
        ({"heal_companion": "cat", "count": 1}, 0, 1),
        ({"heal_companion": "cat", "count": 1}, 9, 9),
        ({"damage_companion": "cat", "count": 2}, 4, 2),
        ({"damage_companion": "cat", "count": 9}, 4, 0),
        ({"damage_companion": "cat", "per": {"status": "poison"}}, 4, 4),
    ],
)
def test_the_health_of_a_companion_stays_between_nothing_and_its_most(effect, health, now):
    assert steps(after(does(effect), cat=health), "step_companion_health") == [now]


def test_a_companion_without_health_is_down_until_it_is_revived():
    active = {"if": {"active": "cat"}, "effects": [{"gain_cp": 1}]}
    down = does({"damage_companion": "cat", "count": 4})
    healed = does({"heal_companion": "cat", "count": 1})

    assert after(down, healed, does(active), cat=4).players["A"].cp == 2
    assert after(down, healed, does({"revive": "cat"}), does(active), cat=4).players["A"].cp == 3
    assert after(down, does({"revive": "cat"}), healed, does(active), cat=4).players["A"].cp == 2


# ------------------------------------------------------------------ the damage of its player


def attacked(*effects, choice=(), cat=5):
    """The keeper is B here and takes 6."""
    guard = {"by": "B", "defend": "guard", "effects": list(effects), "choice": list(choice)}
    b = {"hero": "keeper", "companions": {"cat": cat}}
    ruling = ruled(STRIKE, guard, b=b, catalogue={"heroes": HEROES})
    return ruling, 50 - ruling.players["B"].health, ruling.players["B"].companions["cat"]


@pytest.mark.parametrize(("choice", "taken", "left"), [([0], 6, 5), ([1], 5, 4), ([4], 2, 1), ([9], 0, 0)])
def test_split_damage_goes_to_the_companion_as_far_as_its_player_says(choice, taken, left):
    _, mine, cats = attacked({"split_damage": "cat"}, choice=choice)

    assert (mine, cats) == (taken, left)


@pytest.mark.parametrize("choice", [[-1], ["much"], [True]])
def test_what_a_companion_takes_is_a_number(choice):
    ruling, _, _ = attacked({"split_damage": "cat"}, choice=choice)

    assert ruling.events[-1].verdict == "illegal"


def test_redirected_damage_is_the_companions_alone():
    assert attacked({"redirect_damage": "cat"})[1:] == (0, 0)


# ------------------------------------------------------------------ levels and uses


@pytest.mark.parametrize(
    ("effect", "choice", "there", "now"),
    [
        ({"build": "any"}, ["bot"], {}, {"bot": 1}),
        ({"build": "any", "count": 2}, ["bot"], {"bot": 1}, {"bot": 2}),
        ({"build": "any", "count": 2}, ["cart"], {"bot": 2}, {"bot": 2, "cart": 2}),
        ({"improve": "any"}, ["cart"], {"cart": 2}, {"cart": 3}),
        ({"improve": "bot"}, [], {"bot": 1}, {"bot": 2}),
    ],
)
def test_a_companion_is_built_or_improved_to_a_level_it_lacks(effect, choice, there, now):
    ruling = after(does(effect, choice=choice), **there)

    assert companions(ruling) == now
    assert verdicts(ruling) == ["legal"]


@pytest.mark.parametrize(
    ("effect", "choice", "there"),
    [
        ({"build": "any"}, ["bot"], {"bot": 1}),
        ({"improve": "any"}, ["bot"], {"bot": 2}),
        ({"improve": "any"}, ["cart"], {"bot": 1}),
        ({"activate_companion": "any"}, ["cart"], {"cart": 1}),
        ({"activate_companion": "any"}, ["bot"], {}),
    ],
)
def test_a_companion_that_has_the_level_or_cannot_act_is_not_offered(effect, choice, there):
    ruling = after(does(effect, choice=choice), **there)

    assert reasons(ruling) == ["choice_not_offered"]


def test_a_use_per_turn_is_there_once_however_it_is_made():
    act = does({"activate_companion": "any"}, choice=["bot"])
    use = {"by": "A", "resolve": "bot"}

    assert after(act, bot=1).players["A"].health == 43
    assert after(use, bot=1).players["A"].health == 43
    assert verdicts(after(act, act, bot=1)) == ["legal", "illegal"]
    assert verdicts(after(use, use, bot=1)) == ["legal", "illegal"]
    assert verdicts(after(act, use, bot=1)) == ["legal", "illegal"]
