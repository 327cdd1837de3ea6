"""Every mistake that is no slip in one sum, made by a calculator of its own and found again by its number."""

from itertools import permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from judge.rules.dice_throne.claims.mistakes import MISTAKES
from judge.rules.dice_throne.flow.engine import rule
from judge.schemas.dice_throne.table import read_table
from tests.unit.dice_throne import mistaken as mistaken
from tests.unit.dice_throne import test_claims as claims
from tests.unit.dice_throne.test_claims import claims_on, names
from tests.unit.dice_throne.test_properties import ANSWERS, EDITIONS, answer, dispute

DAMAGE = st.integers(1, 30)
SMALL = st.integers(0, 12)
HALVES = st.integers(0, 2)

FOUND_HERE = {
    "cap-forgotten", "another-reading", "status-forgotten", "order-of-declaration", "last-in-first-out",
    "sources-apart", "healing-as-prevention", "isolated-in-the-pool", "return-forgotten", "event-forgotten",
}  # fmt: skip


def test_every_mistake_of_the_list_is_made_by_hand_somewhere():
    elsewhere = {*claims.MADE_BY_HAND, *claims.AGAINST_THE_RULES, "order-of-play", "another-edition"}

    assert FOUND_HERE | elsewhere == set(MISTAKES)


def is_found(table, mistake, number, player="B", of="final"):
    """The claim is right, or this mistake is among its explanations."""
    (claim,) = claims_on(table, [{"player": player, of: number}])
    return claim.is_right or mistake in names(claim)


def is_wrong_and_found(table, mistake, number, player="B", of="final"):
    (claim,) = claims_on(table, [{"player": player, of: number}])
    return not claim.is_right and mistake in names(claim)


def strike(*effects):
    return {"by": "A", "activate": "strike", "on": "B", "effects": list(effects)}


def answers(prevented, halves):
    return [answer("prevent", prevented), *(answer("half", 0) for _ in range(halves))]


# ------------------------------------------------------------------ caps


@given(st.integers(0, 3), st.integers(1, 6), EDITIONS)
def test_a_stack_limit_forgotten_is_found_again(held, inflicted, edition):
    inflict = {"by": "A", "does": "curse", "on": "B", "effects": [{"inflict": "poison", "count": inflicted}]}
    table = dispute(1, [], edition, b={"statuses": {"poison": held}})
    table |= {
        "turn": {"active": "A", "phase": "main-2"},
        "events": [inflict, {"advance": "turn"}, {"advance": "income"}],
    }
    number = mistaken.tokens_without_limit(held, inflicted)

    if number > mistaken.POISON_LIMIT:
        assert is_wrong_and_found(table, "cap-forgotten", number)
    else:
        assert is_found(table, "cap-forgotten", number)


@given(st.integers(40, 60), st.integers(1, 30), st.integers(1, 8), EDITIONS)
def test_the_cap_on_healing_forgotten_is_found_again(health, healed, dealt, edition):
    heal = {"by": "B", "play": "salve", "card": "instant", "cost": 0, "effects": [{"heal": healed}]}
    table = dispute(dealt, [], edition, b={"health": health}, events=[heal])
    number = mistaken.health_without_cap(health, healed, dealt)

    if number > mistaken.HEALTH_CAP:
        assert is_wrong_and_found(table, "cap-forgotten", number, of="health")
    else:
        assert is_found(table, "cap-forgotten", number, of="health")


# ------------------------------------------------------------------ open points: both numbers by hand


def evaded_and_returned(dealt):
    """J-01: half of the Subtotal comes back although it was evaded, or nothing does."""
    spend = [{"by": "B", "spend": "evasive", "dice": [1]}, {"by": "B", "spend": "retribution"}]
    table = dispute(dealt, [], "fr-2.4.1", b={"statuses": {"evasive": 1, "retribution": 1}}, events=spend)
    return table, "A", "final", {(dealt + 1) // 2, 0}


def one_evasive_in_upkeep(dealt):
    """J-02: one Evasive stops all Poison and Burn, or the largest token of them (Burn, 2)."""
    poison = 1 + dealt % 3
    table = dispute(1, [], "fr-2.4.1", b={"statuses": {"evasive": 1, "burn": 1, "poison": poison}})
    events = [
        {"by": "B", "resolve": "burn"},
        {"by": "B", "resolve": "poison"},
        {"by": "B", "spend": "evasive", "dice": [2]},
    ]
    table |= {"turn": {"active": "B", "phase": "upkeep"}, "events": events}
    return table, "B", "final", {0, poison}


def wither_on_pure(dealt):
    """J-10: two Wither lower pure damage by 2 under the Russian book's letter, or not at all."""
    table = dispute(dealt, [], "ru-2.2", a={"statuses": {"wither": 2}})
    table["events"] = [strike({"deal": dealt, "type": "pure"})]
    return table, "B", "final", {max(dealt - 2, 0), dealt}


def blessed_against_an_ultimate(dealt):
    """J-12: the Blessing sets health to 1, or the Ultimate goes through it."""
    table = dispute(dealt, [], "fr-2.4.1", b={"health": dealt, "statuses": {"blessing-of-divinity": 1}})
    table["events"] = [{**strike({"deal": dealt, "type": "ultimate"}), "kind": "ultimate"}]
    return table, "B", "health", {0, 1}


@pytest.mark.parametrize(
    "open_point",
    [evaded_and_returned, one_evasive_in_upkeep, wither_on_pure, blessed_against_an_ultimate],
    ids=["J-01", "J-02", "J-10", "J-12"],
)
@given(dealt=DAMAGE)
def test_the_other_reading_of_an_open_point_is_found_again(open_point, dealt):
    table, player, of, numbers = open_point(dealt)

    ruled = [claims_on(table, [{"player": player, of: number}])[0] for number in sorted(numbers)]

    assert sorted(claim.is_right for claim in ruled) == [False, True]
    assert all(claim.is_right or "another-reading" in names(claim) for claim in ruled)


# ------------------------------------------------------------------ statuses


@pytest.mark.parametrize(("side", "status"), [("a", "parley"), ("a", "shame"), ("b", "shadows")])
@given(dealt=DAMAGE, prevented=SMALL, halves=HALVES, edition=EDITIONS)
def test_a_status_forgotten_in_the_attack_is_found_again(side, status, dealt, prevented, halves, edition):
    table = dispute(
        dealt, [], edition, **{side: {"statuses": {status: 1}}}, events=answers(prevented, halves)
    )

    assert is_found(table, "status-forgotten", mistaken.one_pool(dealt, prevented, halves))


@given(st.integers(1, 3), st.sampled_from(["poison", "burn"]), EDITIONS)
def test_a_status_forgotten_in_upkeep_is_found_again(poison, forgotten, edition):
    table = dispute(1, [], edition, b={"statuses": {"poison": poison, "burn": 1}})
    table |= {"turn": {"active": "B", "phase": "upkeep"}, "events": [{"advance": "income"}]}
    number = 2 if forgotten == "poison" else poison

    assert is_wrong_and_found(table, "status-forgotten", number)


# ------------------------------------------------------------------ colliding actions

ACTIONS = {
    "spend protect": lambda die: {"by": "B", "spend": "protect"},
    "spend evasive": lambda die: {"by": "B", "spend": "evasive", "dice": [die]},
    "remove protect": lambda die: {**claims.CARD, **REMOVING, "effects": [{"remove": "protect"}]},
    "remove evasive": lambda die: {**claims.CARD, **REMOVING, "effects": [{"remove": "evasive"}]},
}
REMOVING = {"play": "gone", "card": "instant", "on": "B", "modifier": False}
ORDERS = st.sampled_from([order for n in (2, 3, 4) for order in permutations(ACTIONS, n)])


@given(DAMAGE, ORDERS, st.integers(1, 6), EDITIONS, st.sampled_from(["at-once", "in-answer"]))
def test_another_order_of_colliding_actions_is_found_again(dealt, order, die, edition, timing):
    collision = {"collide": [ACTIONS[name](die) for name in order], "timing": timing}
    both = {"statuses": {"protect": 1, "evasive": 1}}
    table = dispute(dealt, [], edition, b=both, events=[collision])
    declared = [(name, die) for name in order]

    assert is_found(table, "order-of-declaration", mistaken.one_after_the_other(dealt, declared))
    assert is_found(table, "last-in-first-out", mistaken.one_after_the_other(dealt, declared[::-1]))


@given(st.integers(2, 30))
def test_the_order_of_declaration_is_wrong_where_the_active_player_comes_first(dealt):
    """The newer book: the removal by the Active Player beats the Protect that was spent before it."""
    pair = [ACTIONS["spend protect"](1), ACTIONS["remove protect"](1)]
    tables = [
        dispute(
            dealt,
            [],
            edition,
            b={"statuses": {"protect": 1}},
            events=[{"collide": pair, "timing": "in-answer"}],
        )
        for edition in ("fr-2.4.1", "fr-2.2")
    ]
    kept, lost = dealt - (dealt + 1) // 2, dealt

    assert is_wrong_and_found(tables[0], "order-of-declaration", kept)
    assert is_wrong_and_found(tables[1], "last-in-first-out", lost)


# ------------------------------------------------------------------ one pool, and what is not in it


@given(st.lists(DAMAGE, min_size=2, max_size=4), SMALL, HALVES, EDITIONS)
def test_sources_halved_apart_are_found_again(deals, prevented, halves, edition):
    table = dispute(1, [], edition)
    table["events"] = [strike(*({"deal": n} for n in deals)), *answers(prevented, halves)]

    assert is_found(table, "sources-apart", mistaken.each_source_halved(deals, prevented, halves))


@given(DAMAGE, SMALL, HALVES, st.integers(1, 15), EDITIONS)
def test_healing_taken_for_prevention_is_found_again(dealt, prevented, halves, healed, edition):
    heal = {"by": "B", "play": "salve", "card": "instant", "cost": 0, "effects": [{"heal": healed}]}
    table = dispute(dealt, [], edition, events=[*answers(prevented, halves), heal])
    number = mistaken.healing_taken_off(dealt, prevented, halves, healed)

    assert is_found(table, "healing-as-prevention", number)


@given(DAMAGE, SMALL, HALVES, st.lists(st.integers(1, 9), min_size=1, max_size=3), EDITIONS)
def test_isolated_damage_thrown_into_the_pool_is_found_again(dealt, prevented, halves, isolated, edition):
    sources = [{"deal": n, "type": "undefendable", "isolated": True} for n in isolated]
    burst = {"by": "A", "does": "burst", "on": "B", "effects": sources}
    table = dispute(dealt, [], edition, events=[*answers(prevented, halves), burst])
    number = mistaken.isolated_counted_in(dealt, prevented, halves, isolated)
    assume(dealt + sum(isolated) < 50)

    assert is_wrong_and_found(table, "isolated-in-the-pool", number)


@given(st.integers(1, 30), st.integers(1, 9), st.integers(1, 2), EDITIONS)
def test_a_return_forgotten_is_found_again(dealt, defence, returns, edition):
    riposte = {"by": "B", "defend": "riposte", "effects": [{"deal": defence, "to": "attacker"}]}
    table = dispute(dealt, [("return", 0)] * returns, edition, events=[riposte])

    assert is_wrong_and_found(table, "return-forgotten", defence, player="A")
    assert is_wrong_and_found(table, "return-forgotten", 0, of="returned")


# ------------------------------------------------------------------ something left out


@given(DAMAGE, ANSWERS.filter(bool), st.integers(0, 6), EDITIONS)
def test_an_answer_left_out_is_found_again(dealt, given_answers, place, edition):
    forgotten = place % len(given_answers)
    table = dispute(dealt, given_answers, edition)
    number = mistaken.one_left_out(dealt, given_answers, forgotten)

    assert is_found(table, "event-forgotten", number)


def test_the_answer_that_was_left_out_is_named():
    table = dispute(20, [("prevent", 3), ("prevent", 7)], "fr-2.4.1")

    (claim,) = rule(read_table({**table, "claims": [{"player": "B", "final": 17}]})).claims

    left_out = [
        mistakes[0] for mistakes in (claim.mistakes, *claim.also) if mistakes[0].name == "event-forgotten"
    ]
    assert [mistake.about for mistake in left_out] == [(("event", 3),)]
