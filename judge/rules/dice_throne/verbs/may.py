"""Lists what each player may do next: every verb listed has a legal event, and no legal verb is missing."""

from __future__ import annotations

from judge.rules.catalog import Status, Use
from judge.rules.dice_throne.effects.companion_words import times_used
from judge.rules.dice_throne.flow.attack import close_open
from judge.rules.dice_throne.state.model import Game, Player
from judge.rules.dice_throne.state.table import BEFORE_ROLLING
from judge.rules.dice_throne.sum.damage import conclude_instances
from judge.rules.dice_throne.verbs.legality import (
    DEFENSIVE_WORDS,
    is_locked,
    is_own_turn,
)  # fmt: skip
from judge.rules.dice_throne.verbs.registry import VERBS
from judge.rules.dice_throne.verbs.spending import status_price, window_is_open
from judge.rules.dice_throne.verbs.uses import can_pay, condition_holds

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
    "sell",
)  # fmt: skip


def _verbs(game: Game, player: Player) -> list[str]:
    if game.over or player.dead or is_locked(game, player):
        return []
    verbs = [word for verb in VERBS.values() if verb.may is not None for word in verb.may(game, player)]
    verbs.sort(key=_ORDER.index)
    if any(_may_spend(game, player, status_id) for status_id in player.statuses):
        verbs.append("spend")
    if _may_pay(game, player, is_own_turn(game, player)):
        verbs.append("pay")
    return verbs


def _may_spend(game: Game, player: Player, status_id: str) -> bool:
    status = game.statuses.get(status_id)
    if status is None:
        return True
    if game.open is not None and status.words & DEFENSIVE_WORDS and not status.uses:
        return False  # damage is answered once it is known, so the dice count as they are first
    if status.uses:
        return any(_is_open_use(game, player, status, n, use) for n, use in enumerate(status.uses, start=1))
    return status.spendable is not False and window_is_open(game, player, status)


def _is_open_use(game: Game, player: Player, status: Status, n: int, use: Use) -> bool:
    if use.per_turn is not None and times_used(game, player, status.id, n) >= use.per_turn:
        return False
    return (
        window_is_open(game, player, use)
        and can_pay(player, status, use)
        and condition_holds(game, player, use)
    )


def _may_pay(game: Game, player: Player, own: bool) -> bool:
    if not own or not (game.phase is None or game.phase in BEFORE_ROLLING):
        return False
    for status_id in player.statuses:
        status = game.statuses.get(status_id)
        price = status_price(status) if status is not None else None
        if price is not None and player.cp >= price:
            return True
    return False
