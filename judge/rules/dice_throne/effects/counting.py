"""Replay an illegal event as if it were legal, to see whether that explains a claim."""

from __future__ import annotations

from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.altering import dice_of
from judge.rules.dice_throne.verbs.legality import Check
from judge.rules.dice_throne.verbs.pay import price_of
from judge.rules.dice_throne.verbs.play import cost_of

_NEED_ATTACK = frozenset(("defend", "target"))
_NEVER = frozenset(("roll", "announce", "choose", "target"))


def count_anyway(game: Game, event: Event, check: Check) -> None:
    """Treat the event as legal, and supply the CP, cards or tokens it lacked."""
    if not (check.faults or check.doubts) or not can_be_counted(game, event):
        return
    check.faults.clear()
    check.doubts = ()
    player = game.players.get(event.by)
    if player is None:  # a phase, which nobody does
        return
    price = cost_of(event) if event.verb in ("play", "upgrade") else price_of(event)
    player.cp = max(player.cp, price or 0)
    player.hand = max(player.hand, 1)
    if event.verb in ("spend", "pay") and not player.statuses.get(str(event.value)):
        player.statuses[str(event.value)] = 1


def can_be_counted(game: Game, event: Event) -> bool:
    """Whether there is anything on the table for the event to act on."""
    if game.over or event.verb in _NEVER or (event.verb in _NEED_ATTACK and game.attack is None):
        return False
    for change in event.changes:
        if change.of == "targeting" and game.attack is None:
            return False
        if change.of not in ("offensive", "targeting") and dice_of(game, change) is None:
            return False
    return True
