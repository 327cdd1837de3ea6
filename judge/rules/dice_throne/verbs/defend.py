"""The verb `defend`: a Defensive Ability against an Attack (DT-DRP)."""

from __future__ import annotations

from collections.abc import Iterable

from judge.core.messages import Message, Ref
from judge.rules.catalog import Ability, Needs
from judge.rules.dice_throne.effects.words import run
from judge.rules.dice_throne.flow.attack import attack_types, defendable
from judge.rules.dice_throne.flow.board import board_entry, level_entry
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import Attack, Game, Open
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.announce import ask_whose, check_board
from judge.rules.dice_throne.verbs.legality import (
    EFFECTS_DIFFER,
    Check,
    attacked,
    check_own,
    has_damage,
    phase_word,
)  # fmt: skip
from judge.rules.dice_throne.verbs.texts import check_text, note_unused


def check_defend(game: Game, event: Event, player: Player, check: Check) -> None:
    attack = attacked(game, player)
    check.rules += ("DT-DRP-01", "DT-DRP-03", "DT-DRP-04", "DT-ABL-01")
    thing = event.thing
    if isinstance(thing, Ability):
        if thing.kind != "defensive":
            check.fault(("DT-ABL-01",), "not_a_defensive_ability", ability=Ref("ability", thing.id))
        check_board(event, player, thing, check)
        if event.dice:
            _check_defence_dice(game, event, player, check)
    elif event.is_of_another_hero:
        check_own(event, player, check)
    if event.has_details:
        check_text(game, event, player, board_entry(game, player, event)[1], check)
    if attack is None:
        check.fault(_no_attack_on(game, player), "not_attacked", player=player.id)
        return
    if not defendable(game, player):
        _refuse_defence(game, player, check)
    if player.id in attack.defended and player.id not in game.extra_defence:
        check.fault(("DT-DRP-03", "DT-DRP-04"), "already_defended", ability=attack.defended[player.id])
    _check_standing(game, player, attack, check)


def _refuse_defence(game: Game, player: Player, check: Check) -> None:
    types = sorted(attack_types(game, player))
    rules = ("DT-DRP-08", "DT-DRP-03", *(game.edition.types[t].rule for t in types))
    check.fault(rules, "not_defendable", types=[Message("type_" + t) for t in types])


def _no_attack_on(game: Game, player: Player) -> tuple[str, ...]:
    """Why there is nothing to defend against: no Attack at all, or none on this player."""
    attack, always = game.attack, ("DT-DRP-01", "DT-ATK-01")
    if attack is None:
        return always
    if attack.by is player:  # damage of a defence, or returned, is no Attack
        return ("DT-ATK-08", *always)
    if attack.is_attack:
        return ("DT-DRP-03", "DT-ATK-02", *always)
    is_hurt = has_damage(game.pools.get(player.id))
    return ("DT-DRP-08", "DT-DRP-09", *always) if is_hurt else ("DT-DRP-09", *always)


def _check_defence_dice(game: Game, event: Event, player: Player, check: Check) -> None:
    needs, effects, _ = board_entry(game, player, event)
    wanted = needs.dice if needs is not None else 0
    if any(effect.op == "duel" for effect in effects or ()):
        wanted = 2
    most = needs.most_dice if needs is not None else 0
    if wanted and not wanted <= len(event.dice) <= (most or wanted):
        check.fault(("DT-DRP-04",), "wrong_number_of_dice", need=wanted, has=len(event.dice))


def _check_standing(game: Game, player: Player, attack: Attack, check: Check) -> None:
    """Check for what rules out a defence: a skipped phase, the Defender's Shadows, the attacker's Parley."""
    if "defensive-roll" in player.skips:
        check.fault(
            ("DT-DRP-03",), "step_phase_left_out", player=player.id, phase=phase_word("defensive-roll")
        )
    for status_id in player.statuses:
        status = game.statuses.get(status_id)
        if status is not None and not status.spendable and status.when == "damaged-by-offensive-roll":
            check.fault(status.forbids_by, "no_defence_in_shadows", status=Ref("status", status_id))
    if game.edition.no_damage_no_defence:
        for status_id in attack.by.statuses:
            status = game.statuses.get(status_id)
            if status is not None and any(effect.op == "no_damage" for effect in status.effects or ()):
                check.fault(status.forbids_by, "no_defence_without_damage", status=Ref("status", status_id))


def _take_back_defence(game: Game, player: Player) -> None:
    """A new attempt replaces the first: its dice, and the damage, prevention and healing they brought."""
    attack = game.attack
    assert attack is not None
    game.withdraw("defensive", player)
    for n in [n for n, name in attack.defences.items() if name == player.id]:
        del attack.defences[n]
        for pool in game.pools.values():
            pool.forget(n)


def do_defend(game: Game, event: Event, player: Player) -> None:
    attack = game.attack
    assert attack is not None
    if player.id in attack.defended:
        game.extra_defence.discard(player.id)
        _take_back_defence(game, player)
    attack.defended[player.id] = event.ref or Ref("ability", str(event.value))
    attack.defences[event.n] = player.id
    if event.is_of_another_hero:
        ask_whose(game, event, player)
    if game.phase is not None:
        game.phase = "defensive-roll"
    if event.differs:
        game.notes.append(EFFECTS_DIFFER)
    needs, effects, _ = board_entry(game, player, event)
    if effects is None:
        game.ask_text(event.n, Ref("ability", str(event.value)), level_entry(game, player, event))
        return
    if event.choice:
        note_unused(game, event, effects, event.choice)
    context = _defence_context(game, event, player, attack, needs)
    game.cited.append("DT-DRP-05")
    if "deal" in event.words:
        game.cited.append("DT-ATK-08")
    if event.dice:
        game.lay_open(Open(event.n, context, effects, "defensive"))
    else:
        run(game, context, effects)


def _defence_context(
    game: Game, event: Event, player: Player, attack: Attack, needs: Needs | None
) -> Context:
    context = Context(event.n, player, "defence", event.ref)
    if event.dice:
        context.dice = context.roll = event.rolled()
    if event.rerolls:
        context.rerolls = True
    if needs is not None and needs.dice:
        context.dice_needed = needs.dice
    if event.choice:
        context.choices = list(event.choice)
    if event.on:
        context.on = context.names = game.named(event.on)
    context.targets = [attack.by]
    return context


def may_defend(game: Game, player: Player) -> Iterable[str]:
    attack = attacked(game, player)
    if attack is None or not defendable(game, player):
        return ()
    if player.id in attack.defended and player.id not in game.extra_defence:
        return ()
    check = Check()
    _check_standing(game, player, attack, check)
    return () if check.faults else ("defend",)
