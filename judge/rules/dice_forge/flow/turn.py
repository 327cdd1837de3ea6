"""Advances to the next step, turn or round, or to the end of the game (DF-TURN, DF-ROUND, DF-END)."""

from __future__ import annotations

from judge.rules.dice_forge.claims.scoring import say_result
from judge.rules.dice_forge.state.desk import Desk
from judge.rules.dice_forge.state.model import State
from judge.rules.dice_forge.state.table import Event
from judge.rules.dice_forge.verbs.blessings import drop_unrolled

LAST_STEP = 4


def advance(desk: Desk, event: Event) -> None:
    """Advance. Steps 2 to 4 are optional, so advancing is always legal (DF-TURN-02)."""
    drop_unrolled(desk)
    desk.state.close_rolls()
    if event.value == "step":
        _next_step(desk)
    elif event.value == "turn":
        _next_turn(desk)
    elif event.value == "round":
        _next_round(desk)
    else:
        _end(desk)


def _next_step(desk: Desk) -> None:
    state = desk.state
    if state.step == LAST_STEP:
        _next_turn(desk)
        return
    state.step += 1
    desk.say("df_step", ("DF-TURN-01", "DF-TURN-02"), state.step, step=state.step, who=state.active)


def next_player(state: State) -> str:
    seats = list(state.players)
    return seats[(seats.index(state.active) + 1) % len(seats)]


def _next_turn(desk: Desk) -> None:
    """Move to the next player clockwise; after the last one the round marker moves on, or the game ends."""
    state = desk.state
    following = next_player(state)
    if following == state.first:
        if state.round >= state.seating.rounds:
            _end(desk)
            return
        state.round += 1
        desk.say("df_round", ("DF-ROUND-02",), state.round, round=state.round, rounds=state.seating.rounds)
    begin_turn(state, following)
    desk.say("df_turn", ("DF-TURN-04", "DF-ROUND-01", "DF-SET-05"), who=following)


def begin_turn(state: State, player: str) -> None:
    state.active = player
    state.step = 1
    state.blessed = {}
    state.used = []
    state.acted = state.extra_taken = False
    state.last_feat = None


def _next_round(desk: Desk) -> None:
    state = desk.state
    while not state.ended:
        _next_turn(desk)
        if state.active == state.first:
            return


def _end(desk: Desk) -> None:
    desk.state.ended = True
    desk.say(
        "df_game_over", ("DF-END-01", "DF-END-02", "DF-ROUND-02", "DF-SET-11"),
        desk.state.seating.turns_in_game, rounds=desk.state.seating.rounds,
        turns=desk.state.seating.turns_in_game,
    )  # fmt: skip
    say_result(desk)
