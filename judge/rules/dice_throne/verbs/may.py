"""Lists what each player may do next: every verb listed has a legal event, and no legal verb is missing."""

from __future__ import annotations

from judge.rules.dice_throne.flow.attack import close_open
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.sum.instances import conclude_instances
from judge.rules.dice_throne.verbs.legality import (
    is_locked,
)  # fmt: skip
from judge.rules.dice_throne.verbs.registry import VERBS

# What can answer dice on the table, a pause or isolated damage; anything else closes them first.
_ANSWERS = frozenset(("play-roll", "play-instant", "spend"))


def open_verbs(game: Game) -> dict[str, list[str]]:
    return {player.id: _verbs(game, player) for player in game.seats}


def open_before_the_end(game: Game) -> dict[str, list[str]]:
    """What each player may do while damage is pending or a Roll Phase is under way; else empty.

    The ruling shows the table as if `advance` had followed; following a game live needs this too.
    A dispute that names no phase is not followed live.
    """
    if game.over or game.table.turn.phase is None:
        return {}
    if not (game.attack or game.open or game.instances or game.pools):
        return {}
    answers: dict[str, set[str]] = {player.id: set() for player in game.seats}
    if game.open is not None:
        _gather(game, answers)
        close_open(game)
    if game.instances:
        _gather(game, answers)
        conclude_instances(game)
    return {
        name: [*verbs, *sorted(answers[name].difference(verbs))] for name, verbs in open_verbs(game).items()
    }


def _gather(game: Game, answers: dict[str, set[str]]) -> None:
    for name, verbs in open_verbs(game).items():
        answers[name] |= _ANSWERS.intersection(verbs)


# The order in which a player is told what is open.
_ORDER = (
    "roll", "announce", "activate", "target", "defend", "play-main", "play-roll", "play-instant", "upgrade",
    "sell", "spend", "pay",
)  # fmt: skip


def _verbs(game: Game, player: Player) -> list[str]:
    if game.over or player.dead or is_locked(game, player):
        return []
    verbs = [word for verb in VERBS.values() if verb.may is not None for word in verb.may(game, player)]
    return sorted(verbs, key=_ORDER.index)
