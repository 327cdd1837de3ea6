"""A copy of the game on which an event can be tried, so that it leaves no trace."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from judge.rules.dice_throne.state.model import Game


def copy_of(game: Game) -> Game:
    """The same state with an empty record. Data that never changes is shared, not copied.

    Pending choices still belong to the game itself, so nothing may be settled on the copy, nor is it there
    by itself.
    """
    texts = [each.effects for each in (*game.opens(), game.attack) if each is not None]
    kept = (
        game.table,
        game.edition,
        game.numbers,
        game.catalog,
        game.statuses,
        game.windows,
        game.outcome,
        *texts,
    )
    memo: dict[int, Any] = {id(each): each for each in (*kept, *(player.hero for player in game.seats))}
    for record in (game.events, game.order, game.resolutions, game.worked, game.steps, game.asks):
        memo[id(record)] = []
    memo[id(game.asked)] = {n: set(words) for n, words in game.asked.items()}
    trial = deepcopy(game, memo)
    for choice in trial.pending:
        choice.implied = None
    return trial
