"""What holds in every game of Dice Forge, shown by random play of whole games."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.core.messages import Phrasebook
from judge.rules.dice_forge import as_table, rule
from judge.rules.ruling import as_json
from judge.schemas.dice_forge.table import name_of, read_table
from judge.schemas.fixtures import rulebook, sentences
from tests.unit.dice_forge.random_play import BOX, Hand, fresh_table, play, ruled

VERBS = ("bless", "reinforce", "offer", "feat", "extra", "token")
FACES_IN_PLAY = {2: 64, 3: 96, 4: 108}

games = given(players=st.integers(2, 4), seed=st.integers(0, 10_000))
few = settings(max_examples=3, deadline=None)


def glory(player):
    return player.glory + 100 * player.hundreds


@games
@few
def test_reserves_stay_between_zero_and_the_cap_and_pieces_are_conserved(players, seed):
    for _table, _event, ruling in play(players, seed):
        state = read_table(as_table(ruling)).start
        for player in ruling.players.values():
            assert all(0 <= getattr(player, word) <= cap for word, cap in player.caps.items())
            assert 0 <= player.glory < 100
        on_dice = sum(len(die) for player in state.players.values() for die in player.dice)
        removed = sum(len(player.removed) for player in state.players.values())
        assert on_dice == 12 * players
        assert sum(state.left.values()) + on_dice + removed == FACES_IN_PLAY[players]
        owned = sum(len(player.feats) for player in state.players.values())
        assert min(state.piles.values()) >= 0
        assert sum(state.piles.values()) + owned == 15 * players


@games
@few
def test_glory_falls_only_by_rolled_losses(players, seed):
    for table, event, ruling in play(players, seed):
        takes_losses = "feat" in event and BOX.feats[event["feat"]].kind == "loss_rolls"
        before = ruled(table).players
        fallen = [name for name, player in ruling.players.items() if glory(player) < glory(before[name])]
        assert takes_losses or not fallen


@games
@few
def test_a_game_entered_whole_ends_as_the_same_game_continued_move_by_move(players, seed):
    moves = list(play(players, seed))
    whole = read_table({**moves[0][0], "events": [event for _, event, _ in moves]})

    ruling = rule(whole)

    last = moves[-1][2]
    assert (ruling.players, ruling.turn, ruling.outcome) == (last.players, last.turn, last.outcome)
    assert {entry.verdict for entry in ruling.events} <= {"legal", "discretion"}
    middle = len(moves) // 2
    assert rule(whole, after=middle).players == moves[middle - 1][2].players


@games
@few
def test_the_verbs_a_player_may_use_are_exactly_those_with_a_legal_event(players, seed):
    rng = random.Random(seed)
    for table, _event, _ruling in play(players, seed):
        if rng.random() > 0.02:
            continue
        hand = Hand(table, rng)
        for name, verbs in hand.now.may.items():
            for verb in VERBS:
                found = hand.find(name, verb)
                assert (found is not None) == (verb in verbs), (name, verb, found)


@games
@few
def test_an_illegal_event_leaves_no_trace(players, seed):
    rng = random.Random(seed)
    for table, event, ruling in play(players, seed):
        if rng.random() > 0.1:
            continue
        hand = Hand(table, rng)
        name = rng.choice(list(hand.players))
        for verb in VERBS:
            for other in hand.candidates(name, verb):
                tried = ruled(table, other, event)
                if tried.events[0].verdict == "illegal":
                    assert (tried.players, tried.turn, tried.lost) == (
                        ruling.players, ruling.turn, ruling.lost,
                    )  # fmt: skip
                    break


def test_whatever_an_event_may_change_is_put_back():
    state = read_table(fresh_table(3, random.Random(1))).start
    before, kept = state.copy(), state.kept()
    for thing, constant in ((state, {"players", "seating"}), *((p, {"id"}) for p in state.players.values())):
        for name in {field.name for field in fields(thing)} - constant:
            setattr(thing, name, None)

    state.restore(kept)

    assert state == before


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_same_table_gives_the_same_ruling_byte_for_byte(players):
    moves = list(play(players, seed=players))
    data = {**fresh_table(players, random.Random(players)), "events": [event for _, event, _ in moves]}

    def printed() -> str:
        table = read_table(data)
        phrases = Phrasebook("fr", sentences("fr"), name_of(table))
        return json.dumps(as_json(rule(table), rulebook("dice-forge"), phrases))

    assert printed() == printed()


def test_the_ruling_does_not_depend_on_the_order_of_sets_in_memory():
    cases = Path(__file__).parents[2] / "cases" / "dice-forge-faces.yaml"

    def printed(seed: str) -> bytes:
        command = [sys.executable, "-m", "judge.cli", "rule", "--json", str(cases)]
        return subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout

    assert printed("1") == printed("2")
