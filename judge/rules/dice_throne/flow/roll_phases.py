"""The Roll Phases: how the Offensive Roll Phase begins, what concludes with it, and extra ones."""

from __future__ import annotations

from judge.rules.catalog import LOCKED
from judge.rules.dice_throne.effects.phase_words import skips
from judge.rules.dice_throne.effects.triggers import in_window, passive_text, run_triggers
from judge.rules.dice_throne.state import tokens
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Label
from judge.rules.dice_throne.sum.damage import conclude
from judge.rules.dice_throne.sum.instances import conclude_instances


def start_offensive_roll(game: Game, n: Label) -> None:
    player = game.active
    assert player is not None
    if "offensive-roll" in game.skipped or skips(game, player, "offensive-roll", n):
        _punish_skipping(game, player, n)
        game.phase = "main-2"
        return
    fresh_roll(game)


def _punish_skipping(game: Game, player: Player, n: Label) -> None:
    """A skipped phase led to no Attack either; whether that counts is open (J-20)."""
    window = "opponent-did-not-attack"
    waiting = [other for other in game.opponents(player) if _has_passive(game, other, window)]
    if waiting and game.reading("J-20") == "b":
        for opponent in waiting:
            run_triggers(game, opponent, window, n)
        conclude_instances(game)


def _has_passive(game: Game, player: Player, window: str) -> bool:
    passives = player.hero.passives(player.side) if player.hero is not None else ()
    return any(in_window(passive_text(game, player, ability), window) for ability in passives)


def fresh_roll(game: Game) -> None:
    game.attempts = game.extra_attempts = 0
    game.dice, game.announced, game.altered, game.attack = None, None, False, None
    game.extra_defence.clear()


def finish_roll_phase(game: Game, n: Label) -> None:
    """Conclude the Roll Phase (DT-TURN-03): damage and healing together, then whatever ends with it. Dice
    and isolated damage have been closed before."""
    if not game.over:
        conclude(game, list(game.pools.values()), "roll-phase")
        game.cited.extend(("DT-TURN-03", "DT-DRP-07"))
    game.pools.clear()
    active, attack = game.active, game.attack
    if active is not None and active.statuses:
        _expire(game, active, "conclusion", n)
    if attack is not None:
        _end_stun(game, n)
    if active is not None and (attack is None or not attack.is_attack):
        _punish_no_attack(game, active, n)
    if game.plays_again:
        play_again(game, n)
    else:
        game.is_extra_due, game.again_against = False, None
    _clear_the_phase(game)


def _clear_the_phase(game: Game) -> None:
    """Forget what lasts no longer than a Roll Phase."""
    for player in game.attack.targets if game.attack is not None else ():
        if player.skips:
            player.skips.pop("defensive-roll", None)
    game.attack, game.extra_target = None, None
    game.locked.clear()
    if game.active is not None:
        game.active.handicaps.clear()
    if game.pending:
        game.pending = [p for p in game.pending if not p.optional]


def _punish_no_attack(game: Game, player: Player, n: Label) -> None:
    if not game.over:
        for opponent in game.opponents(player):
            run_triggers(game, opponent, "opponent-did-not-attack", n)
        conclude_instances(game)


def _expire(game: Game, player: Player, when: str, n: Label) -> None:
    """Remove tokens that last for one Roll Phase; one that came after the activation is for the next."""
    attack = game.attack
    for status in tokens.expiring(game, player, when):
        if attack is not None and attack.by is player and status.id not in attack.brought:
            continue
        tokens.remove(game, player, status.id, player.statuses[status.id], n)


def stunned_opponent(game: Game) -> Player | None:
    attack = game.attack
    if attack is None:
        return None
    for player in game.opponents(attack.by):
        for status in tokens.held(game, player, LOCKED):
            if "extra_phase" in status.words:
                return player
    return None


def _end_stun(game: Game, n: Label) -> None:
    """Remove a Stun token after the Attack; the attacker rolls again against the same living opponent."""
    attack = game.attack
    assert attack is not None
    for player in game.seats:
        if game.locks.isdisjoint(player.statuses):
            continue
        for status in tokens.held(game, player, LOCKED):
            tokens.remove(game, player, status.id, player.statuses[status.id], n)
            if player.dead or attack.by.dead or not game.is_opponent(player, attack.by):
                continue
            if attack.is_attack or game.letter("J-28") == "a":
                game.extra_due = player
                game.step("step_extra_phase", status.rules, (n,), None, player=attack.by.id, target=player.id)


def play_again(game: Game, n: Label) -> None:
    """Another Offensive Roll Phase that a text gave: against one opponent it is lost with them."""
    target, active = game.again_against, game.active
    is_lost = active is None or active.dead or (target is not None and target.dead)
    game.is_extra_due = not is_lost
    if game.is_extra_due:
        assert active is not None
        game.extra_due = target or game.extra_due
        game.step("step_plays_again", (), (n,), None, player=active.id)
    game.plays_again, game.again_against = False, None


def enter_extra_phase(game: Game, n: Label) -> None:
    """Begin the extra phase; like any Offensive Roll Phase it is skipped by whoever is knocked down."""
    target, game.extra_due = game.extra_due, None
    game.phase = "offensive-roll"
    game.skipped.pop(game.phase, None)
    start_offensive_roll(game, n)
    if game.phase == "offensive-roll":
        game.extra_target = target


def awaits_extra_phase(game: Game, player: Player) -> bool:
    """Whether another Offensive Roll Phase of this player will follow the one under way."""
    return game.active is player and (game.plays_again or stunned_opponent(game) is not None)
