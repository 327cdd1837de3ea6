"""Whole games by random play: nothing breaks, a cut game goes on as if it had not been cut."""

import random

import pytest

from judge.rules.dice_throne import continuation, rule
from judge.rules.dice_throne.flow.engine import judge, ruling_of
from judge.rules.dice_throne.flow.phases import finish
from judge.rules.dice_throne.state.model import Game
from judge.schemas.dice_throne.table import read_table
from judge.services.dispute.rulings import continue_table, cut, rule_table
from tests.unit.dice_throne import random_play as throne_play

MODES = ("duel", "2v2", "3v3", "king-of-the-hill")
EDITIONS = ("fr-2.2", "ru-2.2", "fr-2.4.1")
GAMES = [(mode, edition, seed) for mode in MODES for edition in EDITIONS for seed in range(1)]


@pytest.mark.parametrize(("mode", "edition", "seed"), GAMES)
def test_random_play_is_ruled_without_a_hitch_and_alike_in_one_or_many_steps(mode, edition, seed):
    rng = random.Random(f"{mode}{edition}{seed}")
    base = throne_play.table(rng, mode, edition)

    game, events = throne_play.play(rng, base, 20)
    finish(game)
    step_by_step, at_once = ruling_of(game), rule(read_table({**base, "events": events}))

    assert step_by_step.players == at_once.players
    assert step_by_step.turn == at_once.turn
    assert all(state.health >= 0 and 0 <= state.cp <= 15 for state in at_once.players.values())
    assert set(rule_table({**base, "events": events}, "ru")) >= {"events", "players", "may", "steps"}


@pytest.mark.parametrize(("mode", "edition", "seed"), GAMES)
def test_a_game_cut_between_two_turns_goes_on_as_one(mode, edition, seed):
    rng = random.Random(f"cut{mode}{edition}{seed}")
    base = throne_play.table(rng, mode, edition)
    events = [e for e in throne_play.play(rng, base, 25)[1] if "against" not in e and "choose" not in e]
    table = read_table({**base, "events": events})
    whole, game = rule(table), Game(table, {})
    for place, event in enumerate(table.events, start=1):
        game.events.append(judge(game, event))
        is_cut = event.value == "turn" and game.events[-1].verdict == "legal"
        if not is_cut or game.pending or game.over:
            continue

        rest = rule(read_table({**base, **continuation(game), "events": events[place:]}))

        assert rest.players == whole.players
        assert (rest.turn, rest.outcome, rest.may) == (whole.turn, whole.outcome, whole.may)
        assert [e.verdict for e in rest.events] == [e.verdict for e in whole.events[place:]]


@pytest.mark.parametrize("mode", MODES)
def test_a_game_goes_on_from_wherever_nothing_is_pending(mode):
    rng = random.Random(f"anywhere{mode}")
    base = throne_play.table(rng, mode, "fr-2.4.1")
    events = [e for e in throne_play.play(rng, base, 25)[1] if "against" not in e and "choose" not in e]
    table = read_table({**base, "events": events})
    whole, game = rule(table), Game(table, {})
    for place, event in enumerate(table.events, start=1):
        game.events.append(judge(game, event))
        if game.pending or game.attack or game.open or game.pools or game.instances:
            continue

        so_far = continue_table({**base, "events": events[:place]})
        rest = rule(read_table({**so_far, "events": events[place:]}))

        assert (rest.players, rest.turn, rest.outcome) == (whole.players, whole.turn, whole.outcome)
        assert [e.verdict for e in rest.events] == [e.verdict for e in whole.events[place:]]


def test_undoing_the_last_event_of_any_game_equals_never_having_entered_it():
    rng = random.Random("undo")
    base = throne_play.table(rng, "king-of-the-hill", "fr-2.2")
    events = throne_play.play(rng, base, 15)[1]

    for place in range(len(events)):
        longer = {**base, "events": events[: place + 1]}

        assert rule_table(cut(longer, place)) == rule_table({**base, "events": events[:place]})
