"""Tells which events answer open dice, a pause or isolated damage, and closes what nobody answers."""

from __future__ import annotations

from collections.abc import Sequence

from judge.rules.dice_throne.flow.attack import close_last
from judge.rules.dice_throne.state.model import Game, Open
from judge.rules.dice_throne.state.table import Change, Event
from judge.rules.dice_throne.sum.instances import conclude_instances
from judge.rules.dice_throne.verbs.altering import is_theirs
from judge.rules.dice_throne.verbs.legality import DEFENSIVE_WORDS, is_answered

_EXTRA_ATTEMPT = "extra_roll_attempt"


def close_unanswered(game: Game, actions: Sequence[Event]) -> None:
    """Close dice, pauses and isolated damage, unless one of these actions answers them."""
    while game.open is not None and closes_dice(game, actions):
        close_last(game)
    if closes_damage(game, actions):
        conclude_instances(game)


def closes_dice(game: Game, actions: Sequence[Event]) -> bool:
    rollers = {each.by for each in actions if each.dice and each.verb != "roll"}
    return game.open is not None and not any(
        _answers(game, waiting, each, rollers) for waiting in game.opens() for each in actions
    )


def closes_damage(game: Game, actions: Sequence[Event]) -> bool:
    return bool(game.instances) and not any(
        is_answered(game, pool, each) for pool in game.instances for each in actions
    )


def _answers(game: Game, waiting: Open, event: Event, rollers: set[str]) -> bool:
    """Whether the event answers this. A change in an exchange means the dice that are rolled in it."""
    if any(_refers_to(waiting, change) and change.whose not in rollers for change in event.changes):
        return True
    if waiting.of == "defensive" and _rolls_again(game, waiting, event):
        return True
    is_named = event.against is not None and str(event.against) == str(waiting.n)
    return is_named and not event.words & DEFENSIVE_WORDS


def _refers_to(waiting: Open, change: Change) -> bool:
    """Whether a change is of these dice; those of an ability still lie there while its target is rolled."""
    if change.of == "offensive":
        return False
    if change.of == "targeting":
        return waiting.of == "targeting"
    return is_theirs(waiting, change)


def _rolls_again(game: Game, waiting: Open, event: Event) -> bool:
    """Whether the event gives the defence whose dice lie there another attempt, or makes it."""
    roller = waiting.context.by.id
    if event.verb == "defend":
        return event.by == roller and roller in game.extra_defence
    if _EXTRA_ATTEMPT not in event.words:
        return False
    is_defence = any(
        effect.op == _EXTRA_ATTEMPT and effect.status == "defensive-roll" for effect in event.text or ()
    )
    return is_defence and roller in (event.on or (event.by,))
