"""When a status, or one of its uses, may be spent: one test for each window."""

from __future__ import annotations

from collections.abc import Callable

from judge.core.messages import Message, Ref
from judge.rules.catalog import Status, Use, flat
from judge.rules.dice_throne.effects.conditions import attack_damage
from judge.rules.dice_throne.effects.vocabulary import Trait, words_that
from judge.rules.dice_throne.state.model import Attack, Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import MAIN_PHASES, ROLL_PHASES, Event
from judge.rules.dice_throne.verbs.legality import (
    CLOSED_WINDOW,
    Check,
    attacked,
    awaits_backlash,
    awaits_return,
    has_damage,
    instance_for,
    is_own_turn,
    surely_due,
)  # fmt: skip

_ANY_NUMBER = 9999
_DAMAGING = frozenset(words_that(Trait.DAMAGE) | words_that(Trait.INCREASE))
# The windows that are phases, and whether they are the player's own.
_PHASES: dict[str, tuple[frozenset[str], bool]] = {
    "main": (MAIN_PHASES, True),
    "upkeep": (frozenset(("upkeep",)), True),
    "offensive-roll": (frozenset(("offensive-roll",)), True),
    "roll": (ROLL_PHASES, False),
}


def check_window(game: Game, event: Event, player: Player, status: Status | Use, check: Check) -> None:
    """Check that this status, or this use of it, may be spent now."""
    if window_is_open(game, player, status, event):
        return
    key = CLOSED_WINDOW + status.when.replace("-", "_")
    rules = event.thing.rules if event.thing is not None else ()
    name = Ref("status", str(event.value))
    closed = Message(key, status=name, player=player.id), (*rules, "DT-STAT-05")
    if status.when != "damaged" or not awaits_backlash(game, player):
        check.faults.append(closed)
    elif check.reading(game, "J-26") == "b":
        check.doubts += (closed,)


def window_is_open(game: Game, player: Player, status: Status | Use, event: Event | None = None) -> bool:
    """Whether the status, or this use of it, may be spent now; `event` is the spending, if there is one."""
    if status.when in _PHASES:
        phases, is_own = _PHASES[status.when]
        is_time = game.phase is None or game.phase in phases
        return is_time and (not is_own or is_own_turn(game, player))
    is_open = _WINDOWS.get(status.when)
    return is_open is None or is_open(game, player, status, event)


def _is_own_attack(game: Game, player: Player) -> bool:
    return game.attack is not None and game.attack.by is player and game.attack.is_attack


def _has_attacked(game: Game, player: Player, status: Status | Use, event: Event | None) -> bool:
    return _is_own_attack(game, player) and _is_large_enough(game, status)


def _ends_offensive_roll(game: Game, player: Player, status: Status | Use, event: Event | None) -> bool:
    return _is_own_attack(game, player) and game.attack is not None and not game.attack.defended


def _is_attacked(game: Game, player: Player, status: Status | Use, event: Event | None) -> bool:
    return attacked(game, player) is not None and _is_large_enough(game, status)


def _is_damaged(game: Game, player: Player, status: Status | Use, event: Event | None) -> bool:
    if event is not None and instance_for(game, player, event) is not None:
        return True
    if event is None and any(pool.player is player for pool in game.instances):
        return True
    if has_damage(game.pools.get(player.id)) or awaits_return(game, player):
        return True
    return bool(surely_due(game, player))


def _is_damaged_by_a_roll(game: Game, player: Player, status: Status | Use, event: Event | None) -> bool:
    is_theirs = game.attack is not None and game.is_opponent(player, game.attack.by)
    return is_theirs and has_damage(game.pools.get(player.id))


_WINDOWS: dict[str, Callable[[Game, Player, Status | Use, Event | None], bool]] = {
    "after-attacking": _has_attacked,
    "end-of-offensive-roll": _ends_offensive_roll,
    "attacked": _is_attacked,
    "damaged": _is_damaged,
    "damaged-by-offensive-roll": _is_damaged_by_a_roll,
}
WINDOWS = frozenset((*_PHASES, *_WINDOWS))  # anything else may be spent at any time


def _is_large_enough(game: Game, status: Status | Use) -> bool:
    return not status.attack_at_least or _attack_damage(game) >= status.attack_at_least


def _attack_damage(game: Game) -> int:
    attack = game.attack
    assert attack is not None
    return attack_damage(game, attack) if attack.is_resolved else _printed_damage(attack)


def _printed_damage(attack: Attack) -> int:
    """What the text of an ability that still waits deals; dice or a choice may make it any number."""
    total = 0
    for effect in attack.effects:
        if effect.op == "deal" and effect.per is None and isinstance(effect.amount, int):
            total += effect.amount
        elif not _DAMAGING.isdisjoint(part.op for part in flat((effect,))):
            return _ANY_NUMBER
    return total
