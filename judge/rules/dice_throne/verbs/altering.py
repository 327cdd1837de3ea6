"""Alters dice: checks that they are still on the table and that the text allows it (DT-DICE-01 to 03)."""

from __future__ import annotations

from judge.core.messages import Ref
from judge.rules.catalog import Effect, Effects, flat
from judge.rules.dice_throne.effects.vocabulary import Trait, words_that
from judge.rules.dice_throne.effects.words import holds
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import Game, Open
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Change, Event
from judge.rules.dice_throne.verbs.legality import Check

_DIE_CHANGES = words_that(Trait.DIE_CHANGE)
_NO_LIMIT = 9999


def check_changes(game: Game, player: Player, event: Event, effects: Effects | None, check: Check) -> None:
    """Check that the dice are still on the table and that the text allows this (DT-DICE-01 to 03)."""
    if not event.changes:
        return
    check.rules += ("DT-DICE-01",)
    allowed = next((effect for effect in flat(effects) if effect.op in _DIE_CHANGES), None)
    if allowed is None and event.effects is None and event.thing is not None:
        check.fault(("DT-DICE-01",), "text_changes_no_dice")
        return
    if allowed is not None and len(event.changes) > most_changes(game, player, effects):
        check.fault(("DT-DICE-01",), "too_many_dice_changed", n=most_changes(game, player, effects))
    for change in event.changes:
        _check_change(game, player, change, allowed, check)


def _times(effect: Effect) -> int:
    return _NO_LIMIT if effect.count == "any" else int(effect.count)


def most_changes(game: Game, player: Player, effects: Effects | None) -> int:
    """How many dice a text lets its player change."""
    return max((_changes_of(game, player, effect) for effect in effects or ()), default=0)


def _changes_of(game: Game, player: Player, effect: Effect) -> int:
    condition = effect.condition
    if effect.op == "if" and condition is not None and condition.kind == "holds":
        inner = next((part for part in effect.parts if part.op in _DIE_CHANGES), None)
        is_held = inner is not None and holds(game, Context(0, player, "card"), condition)
        return _times(inner) if inner is not None and is_held else 0
    return max((_times(part) for part in flat((effect,)) if part.op in _DIE_CHANGES), default=0)


def _check_change(game: Game, player: Player, change: Change, allowed: Effect | None, check: Check) -> None:
    dice = dice_on_table(game, change, check)
    if allowed is None:
        return
    whose = game.players[change.whose]
    is_own = whose is player
    fits = {
        "any": True,
        "own": is_own,
        "opponent": game.is_opponent(player, whose),
        "own-or-teammate": not game.is_opponent(player, whose),
    }[allowed.whose]
    if not fits:
        check.fault(("DT-DICE-01",), "not_those_dice", player=whose.id)
    if not is_own and not game.is_opponent(player, whose):
        check.rules += ("DT-2V2-07",)
    if allowed.op != "reroll" and allowed.amount != "any":
        _check_value(game, change, allowed, dice, check)


def _check_value(game: Game, change: Change, allowed: Effect, dice: list[int] | None, check: Check) -> None:
    """Check the number that the die becomes: the printed one, one more or less, or that of another die."""
    now = _value_now(game, change, dice)
    if isinstance(allowed.amount, int):
        if change.to != allowed.amount:
            check.fault(("DT-DICE-01",), "die_must_become", n=allowed.amount)
    elif allowed.amount == "plus-or-minus-1":
        if now is not None and abs(change.to - now) != 1:
            check.fault(("DT-DICE-01",), "die_moves_by_one", now=now)
    elif dice is not None:
        others = [value for n, value in enumerate(dice, start=1) if n != change.die]
        check.rules += ("DT-DICE-03",)
        if change.to not in others:
            check.fault(("DT-DICE-03",), "no_die_to_copy", n=change.to)


def dice_of(game: Game, change: Change) -> Open | None:
    """The roll for an effect, a defence or an Upkeep status that a change refers to, if it lies there."""
    rolls = [each for each in (*game.shown, *game.opens()) if each.context.dice and is_theirs(each, change)]
    same = [each for each in rolls if each.of == change.of]
    return next((each for each in same or rolls if index_of(each, change) < len(each.context.dice)), None)


def is_theirs(waiting: Open, change: Change) -> bool:
    return waiting.context.by.id == change.whose or _is_duel(waiting)


def _is_duel(waiting: Open) -> bool:
    return any(effect.op == "duel" for effect in flat(waiting.effects))


def index_of(waiting: Open, change: Change) -> int:
    """The index of the die in its roll; a duel shows [own, other's]."""
    if _is_duel(waiting):
        return 0 if change.whose == waiting.context.by.id else 1
    return change.die - 1


def _value_now(game: Game, change: Change, dice: list[int] | None) -> int | None:
    waiting = None if change.of in ("offensive", "targeting") else dice_of(game, change)
    if waiting is not None:
        return int(waiting.context.dice[index_of(waiting, change)])
    place = 0 if change.of == "targeting" else change.die - 1
    return dice[place] if dice else None


def _targeting_die(game: Game, check: Check) -> list[int] | None:
    attack = game.attack
    check.rules += ("DT-TGT-06",)
    if attack is not None and attack.ultimate:
        check.fault(("DT-TGT-06",), "ultimate_targeting_die")
    elif attack is None or attack.die is None or attack.is_resolved:
        check.fault(("DT-TGT-06", "DT-DICE-01"), "dice_are_gone")
    return [attack.die] if attack is not None and attack.die is not None else None


def dice_on_table(game: Game, change: Change, check: Check) -> list[int] | None:
    """The dice that a change refers to; a fault if they are gone."""
    attack = game.attack
    if change.of == "offensive":
        if attack is not None:
            rules = ("DT-ORP-03", "DT-ULT-01") if attack.ultimate else ("DT-ORP-03", "DT-ACT-01")
            check.fault(rules, "already_activated", ability=Ref("ability", attack.ability))
        if game.active is not None and change.whose != game.active.id:
            check.fault(("DT-DICE-01",), "dice_are_gone")
        check.rules += ("DT-ORP-03", "DT-ORP-04")
        return game.dice
    if change.of == "targeting":
        return _targeting_die(game, check)
    waiting = dice_of(game, change)
    if waiting is None:
        check.fault(("DT-DICE-01", "DT-STAT-06"), "dice_are_gone")
        return None
    check.rules += ("DT-DICE-02",)
    dice: list[int] = waiting.context.dice
    return dice
