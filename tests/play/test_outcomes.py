"""Which outcomes can stand, which are doubted, and which contradict themselves."""

import pytest

from judge.services.play.outcomes import HouseRules, Outcome, described, doubts, refusals

RANKED = HouseRules(at_time="tie", most_health=60)
LOCKOUT = HouseRules(at_time="most-health", most_health=60)
BRACKET = HouseRules(at_time="most-health", has_draws=False, simultaneous_defeat="fewest-turns-then-roll-off")


def keys(messages):
    return [m.key for m in messages]


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome("a", None, 22, 0),
        Outcome("a"),
        Outcome("draw", None, 14, 9),
        Outcome("draw", None, 0, 0),
        Outcome("draw", "intentional-draw"),
        Outcome("b", "concession", 30, 12),
        Outcome("no_show_a"),
        Outcome("double_loss"),
    ],
)
def test_usual_outcomes_stand(outcome):
    assert refusals(outcome, RANKED) == []
    assert doubts(outcome, RANKED) == []


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (Outcome("a", None, 0, 22), "outcome_winner_has_less"),
        (Outcome("b", None, 9, 4), "outcome_winner_has_less"),
        (Outcome("draw", None, 22, 0), "outcome_draw_but_defeated"),
        (Outcome("a", None, 22, None), "outcome_one_health"),
        (Outcome("a", None, 22, -1), "outcome_health_range"),
        (Outcome("no_show_a", None, 22, 0), "outcome_health_unplayed"),
        (Outcome("a", "intentional-draw"), "outcome_not_intentional_draw"),
        (Outcome("draw", "concession"), "outcome_not_concession"),
        (Outcome("bye"), "outcome_unknown"),
    ],
)
def test_a_contradiction_never_stands(outcome, reason):
    assert reason in keys(refusals(outcome, RANKED))


def test_a_bracket_has_no_draws():
    assert keys(refusals(Outcome("draw"), BRACKET)) == ["outcome_draw_in_bracket"]


def test_a_win_on_time_is_doubted_only_where_time_means_a_draw():
    on_time = Outcome("a", None, 22, 5)

    assert keys(doubts(on_time, RANKED)) == ["doubt_time_is_draw"]
    assert doubts(on_time, LOCKOUT) == []
    assert doubts(on_time, BRACKET) == []


def test_a_draw_with_unlike_health_is_doubted_where_more_health_wins():
    assert keys(doubts(Outcome("draw", None, 22, 5), LOCKOUT)) == ["doubt_draw_most_health"]


def test_both_at_zero_has_a_winner_only_where_the_rules_find_one():
    assert keys(doubts(Outcome("a", None, 0, 0), RANKED)) == ["doubt_both_at_zero"]
    assert doubts(Outcome("a", None, 0, 0), BRACKET) == []


def test_more_health_than_healing_allows_is_doubted():
    assert keys(doubts(Outcome("a", None, 61, 0), RANKED)) == ["doubt_health_high"]


@pytest.mark.parametrize(
    ("games", "stands"), [((2, 1, 0), True), ((1, 2, 0), False), ((3, 0, 0), True), ((4, 0, 0), False)]
)
def test_games_agree_with_the_result(games, stands):
    best_of_five = HouseRules(best_of=5) if games[0] == 3 else HouseRules(best_of=3)

    assert (refusals(Outcome("a", games=games), best_of_five) == []) is stands


def test_an_outcome_is_described_with_its_detail():
    said = described("Ana", "Ben", Outcome("a", "concession", 12, 30))

    assert said.params["outcome"].key == "outcome_concession_a"
    assert said.params["detail"] == "12–30"
