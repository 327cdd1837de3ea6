"""Tests whether an event is legal on a copy of the game, so that an illegal one leaves no trace."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from judge.rules.dice_throne.flow import phases
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.legality import Check
from judge.rules.dice_throne.verbs.registry import check_event


def copy_of(game: Game) -> Game:
    """The same state with an empty record. Data that never changes is shared, not copied.

    Pending choices still belong to the game itself, so nothing may be settled on the copy.
    """
    texts = [each.effects for each in (game.open, game.attack) if each is not None]
    kept = (game.table, game.edition, game.numbers, game.catalog, game.statuses, *texts)
    memo: dict[int, Any] = {id(each): each for each in (*kept, *(player.hero for player in game.seats))}
    for record in (game.events, game.order, game.resolutions, game.worked, game.steps, game.asks):
        memo[id(record)] = []
    memo[id(game.asked)] = {n: set(words) for n, words in game.asked.items()}
    return deepcopy(game, memo)


def is_refused(game: Game, event: Event) -> bool:
    """Whether the event is illegal as the table stands. Asking leaves no trace in the record."""
    record = game.discretion, game.unsettled, game.cited, game.verdict
    game.discretion, game.unsettled, game.cited = [*record[0]], [*record[1]], []
    if event.verb == "advance":
        checks = [Check()]
        phases.check_advance(game, event, checks[0])
    else:
        checks = [check_event(game, each) for each in event.inner or (event,)]
    game.discretion, game.unsettled, game.cited, game.verdict = record
    return all(check.faults for check in checks)
