"""Claims: what holds for every one of them, and every mistake found again from its number alone."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.rules.catalog import Statuses
from judge.rules.dice_throne.claims import judging
from judge.rules.dice_throne.claims.mistakes import MISTAKES, Plan, possible
from judge.rules.dice_throne.flow.engine import replay, rule
from judge.rules.dice_throne.sum.sums import work_out
from judge.schemas.dice_throne.table import read_table
from judge.schemas.fixtures import rulebook, sentences
from tests.unit.dice_throne.naive import Sum
from tests.unit.dice_throne.test_properties import ANSWERS, EDITIONS, dispute

MADE_BY_HAND = (
    "halves-in-sequence", "rounded-down", "fraction-of-incoming", "return-from-final",
    "return-from-incoming", "wither-forgotten", "bounty-forgotten",
)  # fmt: skip


def claims_on(table, claims):
    return rule(read_table({**table, "claims": claims})).claims


def names(claim):
    alone = [claim.mistakes, *claim.also]
    return {mistakes[0].name for mistakes in alone if len(mistakes) == 1}


@given(st.integers(1, 40), ANSWERS, EDITIONS)
def test_a_claim_equal_to_the_ruling_is_always_right(dealt, answers, edition):
    table = dispute(dealt, answers, edition)
    totals = rule(read_table(table)).resolutions[0].totals

    ruled = claims_on(table, [{"player": name, "final": total.final} for name, total in totals.items()])

    assert all(claim.is_right and not claim.mistakes for claim in ruled)


@given(st.integers(1, 40), ANSWERS, EDITIONS, st.integers(0, 2), st.booleans(), st.booleans())
def test_the_sum_without_a_slip_is_the_engines(dealt, answers, edition, wither, bounty, shadows):
    b = {"bounty": int(bounty), "shadows": int(shadows)}
    table = dispute(dealt, answers, edition, a={"statuses": {"wither": wither}}, b={"statuses": b})
    game = replay(read_table({**table, "claims": [{"player": "B", "final": 0}]}), {})

    assert game.worked
    for _, totals in game.worked:
        again = work_out(totals)

        assert {t.pool.player.id: t.final for t in totals} == {name: s.final for name, s in again.items()}
        for name, whole in again.items():
            assert work_out(totals, player=name)[name] == whole


@given(st.integers(1, 40), ANSWERS, EDITIONS, st.integers(0, 2))
def test_a_mistake_that_is_not_replayed_would_give_the_same_numbers(dealt, answers, edition, wither):
    table = dispute(
        dealt, answers, edition, a={"statuses": {"wither": wither}}, b={"statuses": {"bounty": 1}}
    )
    game = replay(read_table({**table, "claims": [{"player": "B", "final": 0}]}), {})
    start = Plan(game.table, ())

    for mistake in [each for each in possible(game) if each.is_idle]:
        other = replay(mistake.change(start).table, {})

        assert [player.health for player in other.seats] == [player.health for player in game.seats]
        assert [[t.final for t in totals] for _, totals in other.worked] == [
            [t.final for t in totals] for _, totals in game.worked
        ]


def test_only_a_status_that_takes_off_damage_makes_the_forbidden_reduction_worth_a_replay():
    def idle(statuses):
        table = dispute(5, [], "ru-2.2", a={"statuses": statuses})
        mistakes = possible(replay(read_table({**table, "claims": [{"player": "B", "final": 0}]}), {}))
        return [each.is_idle for each in mistakes if each.mistake.name == "prevention-the-type-forbids"]

    assert idle({"wither": 1}) == [False]
    assert idle({"bounty": 1}) == [True]


def test_a_status_in_another_form_is_found_under_its_new_window():
    statuses = read_table(dispute(5, [], "ru-2.2")).catalog.statuses

    for status in statuses.values():
        changed = replace(status, effects=(), when="any", expires="")
        derived, made = statuses.with_changed(changed), Statuses({**statuses, status.id: changed})

        assert {when: ids for when, ids in derived.windows.items() if ids} == made.windows
        assert (derived.locks, derived.expiring) == (made.locks, made.expiring)
        assert derived.acting == made.acting


@pytest.mark.parametrize("mistake", MADE_BY_HAND)
@given(st.integers(1, 30), ANSWERS, st.sampled_from(["ru-2.2", "fr-2.4.1"]), st.integers(0, 2), st.booleans())
def test_a_mistake_is_found_again_from_its_number(mistake, dealt, answers, edition, wither, bounty):
    halves_last = sorted(answers, key=lambda answer: answer[0] == "half")
    table = dispute(
        dealt,
        halves_last,
        edition,
        a={"statuses": {"wither": wither}},
        b={"statuses": {"bounty": int(bounty)}},
    )
    by_hand = Sum(
        dealt,
        added=[n for kind, n in answers if kind == "add"],
        prevented=[n for kind, n in answers if kind == "prevent"],
        halves=sum(kind == "half" for kind, _ in answers),
        returns=sum(kind == "return" for kind, _ in answers),
        wither=wither,
        bounty=int(bounty),
    )
    right, wrong = by_hand.work_out(), by_hand.wrong(mistake)

    ruled = claims_on(
        table, [{"player": "B", "final": wrong["final"]}, {"player": "B", "returned": wrong["returned"]}]
    )

    for claim, key in zip(ruled, ("final", "returned"), strict=True):
        if wrong[key] == right[key]:
            assert claim.is_right
        else:
            assert mistake in names(claim)


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=list(MISTAKES))
def test_a_mistake_has_its_words_and_its_rules(mistake):
    key = "mistake_" + mistake.name.replace("-", "_")

    assert all(sentences(lang)[key] for lang in ("en", "fr", "ru"))
    assert set(mistake.rules) <= set(rulebook("dice-throne").rules)


def test_a_number_that_no_mistake_gives_is_said_to_be_unexplained():
    (claim,) = claims_on(dispute(8, [("prevent", 2)], "fr-2.4.1"), [{"player": "B", "final": 33}])

    assert not claim.is_right
    assert not claim.mistakes
    assert claim.says.key == "claim_unexplained"


@given(st.integers(1, 30), ANSWERS)
def test_the_order_of_play_is_found_again(dealt, answers):
    left = dealt
    for kind, n in answers:
        if kind == "half":
            left -= -(-max(left, 0) // 2)
        elif kind != "return":
            left += n if kind == "add" else -n

    (claim,) = claims_on(dispute(dealt, answers, "fr-2.4.1"), [{"player": "B", "final": max(left, 0)}])

    assert claim.is_right or "order-of-play" in names(claim)


CARD = {"by": "A", "play": "boost", "card": "roll", "cost": 0, "modifier": True}
# What is done against the rules, the type of the damage, and the number it would give.
AGAINST_THE_RULES = {
    "defence-against-undefendable": (
        lambda n: {"by": "B", "defend": "guard", "effects": [{"prevent": n}]},
        "undefendable",
        lambda dealt, n: max(dealt - n, 0),
    ),
    "modifier-on-pure": (lambda n: {**CARD, "effects": [{"add": n}]}, "pure", lambda dealt, n: dealt + n),
    "prevention-the-type-forbids": (
        lambda n: {"by": "B", "play": "cloak", "card": "instant", "cost": 0, "effects": [{"prevent": n}]},
        "ultimate",
        lambda dealt, n: max(dealt - n, 0),
    ),
    "illegal-event-counted": (
        lambda n: {**CARD, "cost": 99, "effects": [{"add": n}]},
        "normal",
        lambda dealt, n: dealt + n,
    ),
}


@pytest.mark.parametrize("mistake", AGAINST_THE_RULES)
@given(st.integers(1, 30), st.integers(1, 12), EDITIONS)
def test_what_the_rules_forbid_is_found_again(mistake, dealt, n, edition):
    event, kind, number = AGAINST_THE_RULES[mistake]
    strike = {"by": "A", "activate": "strike", "on": "B", "effects": [{"deal": dealt, "type": kind}]}
    table = {**dispute(dealt, [], edition), "events": [strike, event(n)]}

    (claim,) = claims_on(table, [{"player": "B", "final": number(dealt, n)}])

    assert mistake in names(claim)


@given(st.integers(2, 20), st.sampled_from(["fr-2.2", "ru-2.2"]))
def test_another_book_is_found_again(dealt, edition):
    collision = [{"by": "B", "spend": "evasive", "dice": [1]}, {"by": "A", "play": "buh-bye", "on": "B"}]
    table = dispute(dealt, [], edition, b={"statuses": {"evasive": 1}}, events=[{"collide": collision}])

    (claim,) = claims_on(table, [{"player": "B", "final": dealt}])

    assert not claim.is_right
    assert {m.name for explained in (claim.mistakes, *claim.also) for m in explained} >= {"another-edition"}


@pytest.mark.parametrize(("most", "found"), [(4, ["wither-forgotten"]), (3, [])])
def test_explanations_are_sought_until_so_many_events_were_replayed(most, found):
    events = [{"by": "A", "activate": "strike", "effects": [{"deal": 6}]}]
    players = [{"id": "A", "statuses": {"wither": 1}}, {"id": "B"}]
    claims = [{"by": "A", "player": "B", "final": 6}]
    table = {"game": "dice-throne", "players": players, "events": events, "claims": claims}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "MOST_EVENTS_REPLAYED", most)  # one event and the end: 2 for each replay
        (claim,) = rule(read_table(table)).claims

    assert [mistake.name for mistake in claim.mistakes] == found
