"""Carries out an Offensive Ability: activation, target and effects (phases 4 to 6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judge.core.messages import Ref
from judge.rules.catalog import HERO_DICE, LOCKED, Ability, Effect, Effects, Status, flat
from judge.rules.dice_throne.effects.triggers import run_held, run_triggers
from judge.rules.dice_throne.effects.vocabulary import Trait, words_that
from judge.rules.dice_throne.effects.words import go_on, run
from judge.rules.dice_throne.flow.aiming import aims, hits_a_target, needs_target, spreads
from judge.rules.dice_throne.flow.board import board_entry, chosen_effects, line_of
from judge.rules.dice_throne.state import tokens
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import (
    ACTIVATED,
    ANSWERED,
    RESOLVED,
    Attack,
    Fault,
    Game,
    Open,
    Pending,
)
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.state.tokens import held
from judge.rules.ruling import Verdict

_INCREASES = words_that(Trait.INCREASE)
_DAMAGE = words_that(Trait.DAMAGE)


_SOME_DAMAGE: Effects = (Effect("deal"),)


def _untold(game: Game, player: Player, event: Event) -> Effects:
    """The possible effects of an ability while its line or text is unknown: answers to it are judged by
    these (DT-DRP-03). A text that no source gives is assumed to deal damage."""
    if event.effects is not None:
        return ()
    _, effects, tiers = board_entry(game, player, event)
    return _SOME_DAMAGE if effects is None else tuple(effect for tier in tiers for effect in tier)


# ------------------------------------------------------------------ activation


def activate(game: Game, event: Event, player: Player) -> None:
    game.phase = game.phase or "offensive-roll"
    game.active = game.active or player
    attack = game.attack = _begun(game, event, player)
    game.announced = None
    targets = _named_targets(game, event, attack)
    run_triggers(game, player, "activated", event.n)
    if targets:
        aim(game, attack, targets)
    if player.statuses and not attack.ultimate:
        attack.awaits = _forced_rolls(game, player)
        attack.is_held_back = bool(attack.awaits)
    if not attack.is_held_back:
        begin(game, attack)


def _begun(game: Game, event: Event, player: Player) -> Attack:
    """The ability as it is activated: its text, and what kind of Attack that makes it."""
    effects = event.effects if event.effects is not None else chosen_effects(game, player, event)
    context = _ability_context(game, event, player)
    kind = event.kind or (event.thing.kind if isinstance(event.thing, Ability) else "")
    attack = Attack(event.n, player, str(event.value), effects, context)
    for effect in flat((*effects, *_untold(game, player, event)) if event.n in game.asked else effects):
        if effect.op in _DAMAGE:
            attack.types.add(effect.type)
            attack.is_attack = attack.is_attack or hits_a_target(game, effect)
    attack.ultimate = kind == "ultimate" or "ultimate" in attack.types
    return attack


def begin(game: Game, attack: Attack) -> None:
    """Resolve the ability, or lay its dice on the table first."""
    if attack.targets and not attack.context.dice:
        launch(game, attack, False)
    elif attack.context.dice:
        game.lay_open(Open(attack.n, attack.context, attack.effects, "effect"))
    else:
        proceed(game, attack)


def _forced_rolls(game: Game, attacker: Player) -> frozenset[str]:
    """The attacker's statuses that roll a die before the ability takes effect; an Ultimate ignores them."""
    there = tokens.standing(game, attacker, "end-of-offensive-roll")
    return frozenset(each.id for each in there if "roll" in each.words)


def release(game: Game, context: Context) -> None:
    """Go on with an ability that was held back, once the text that ran was the last roll it waited for."""
    attack = game.attack
    if attack is None or not attack.is_held_back:
        return
    if context.by is attack.by and context.source is not None:
        attack.awaits -= {context.source.id}
    if not attack.awaits:
        attack.is_held_back = False
        if not attack.is_cancelled:
            begin(game, attack)


def go_on_unrolled(game: Game) -> None:
    """Ask for forced rolls that nobody made, and go on as if they had done nothing."""
    attack = game.attack
    assert attack is not None
    for status_id in sorted(attack.awaits):
        name = Ref("status", status_id)
        game.ask(attack.n, "dice", "ask_forced_die", status=name, player=attack.by.id)
    attack.awaits = frozenset()
    release(game, attack.context)
    close_open(game)


def _ability_context(game: Game, event: Event, player: Player) -> Context:
    context = Context(event.n, player, "ability", event.ref)
    if event.dice:
        context.dice, context.rerolls = event.rolled(), bool(event.rerolls)
    if event.choice:
        context.choices = list(event.choice[1:] if line_of(game, player, event) else event.choice)
    context.roll = list(game.dice) if game.dice else None
    context.dice_needed = HERO_DICE
    return context


def _named_targets(game: Game, event: Event, attack: Attack) -> list[Player]:
    """The target if it is known at the activation; an ability on all opponents may have several (J-29)."""
    targets = _known_targets(game, event, attack)
    if len(game.seats) > 2 and spreads(game, attack) and game.reading("J-29") == "b":
        return game.opponents(attack.by)
    return targets


def _known_targets(game: Game, event: Event, attack: Attack) -> list[Player]:
    """The target if it is named, the only opponent, or that of an extra phase."""
    player, context = attack.by, attack.context
    opponents: list[Player] = []
    if event.on:
        context.names, context.friends = [], []
        for name in event.on:
            other = game.players[name]
            context.names.append(other)
            (opponents if game.is_opponent(player, other) else context.friends).append(other)
    if game.extra_target is not None:
        return [game.extra_target]
    if opponents:
        return opponents if len(opponents) == 1 else _of_several(game, attack, opponents)
    living = game.opponents(player)
    return living if len(living) == 1 else []


def _of_several(game: Game, attack: Attack, opponents: list[Player]) -> list[Player]:
    """One Attack has one target (DT-ATK-02); an ability that needs none may name several."""
    if any(needs_target(game, effect) for effect in attack.effects):
        return opponents[:1]
    return opponents


def proceed(game: Game, attack: Attack) -> None:
    """Resolve an ability as far as its target is known; the rest waits for the target (DT-ORP-05)."""
    if attack.targets:
        launch(game, attack, False)
        return
    waiting = tuple(effect for effect in attack.effects if aims(game, attack, effect))
    if not waiting:
        attack.is_attack = False
        launch(game, attack, False)
        return
    now = tuple(effect for effect in attack.effects if effect not in waiting)
    attack.effects = waiting
    run(game, attack.context, now)


def aim(game: Game, attack: Attack, targets: list[Player]) -> None:
    """Set the targets; a player who attacks a Leader draws at once (DT-KOTH-03)."""
    attack.targets, attack.chooser = targets, ""
    attack.context.targets = targets
    context = attack.context
    context.on = targets
    if context.names and context.names != targets:
        context.on = _opponents_among(game, attack.by, context.names) or targets
    for target in targets:
        attack.held[target.id] = {**target.statuses}
    if game.mode == "king-of-the-hill" and attack.is_attack:
        _leader_bonus(game, attack, targets)


def _opponents_among(game: Game, player: Player, names: Sequence[Player]) -> list[Player]:
    return [other for other in names if game.is_opponent(player, other)]


def _leader_bonus(game: Game, attack: Attack, targets: list[Player]) -> None:
    ahead = leaders(game)
    if targets[0].id in ahead:  # an Attack has one target (DT-ATK-02)
        attack.drawn = drawn = tokens.draw(game, attack.by, 1)
        game.cited.append("DT-KOTH-03")
        if attack.by.id in ahead:
            game.cited.append("DT-KOTH-04")
        game.step(
            "step_leader_bonus",
            ("DT-KOTH-02", "DT-KOTH-03"),
            (attack.n,),
            drawn,
            player=attack.by.id,
            leader=targets[0].id,
            n=drawn,
        )
    else:
        game.cited.append("DT-KOTH-05" if attack.by.id in ahead else "DT-KOTH-02")


def _settle_leader_bonus(game: Game, attack: Attack) -> None:
    """The ability that drew the Leader's card deals no damage after all."""
    if game.reading("J-17") == "a":
        return
    attack.by.hand -= attack.drawn
    if attack.by.deck is not None:
        attack.by.deck += attack.drawn


def leaders(game: Game) -> list[str]:
    """The players with the most health left, including ties (DT-KOTH-02)."""
    most = max(p.health for p in game.seats)
    return [p.id for p in game.seats if p.health == most and not p.dead]


def launch(game: Game, attack: Attack, dice_on_table: bool) -> None:
    """Resolve effects as far as possible: dice on the table and a "then" pause for answers (DT-TXT-04)."""
    context, effects = attack.context, attack.effects
    if dice_on_table:
        game.lay_open(Open(attack.n, context, effects, "effect"))
        return
    for n, effect in enumerate(effects) if len(effects) > 1 else ():
        if effect.op == "then" and n > 0:
            run(game, context, effects[:n])
            game.lay_open(
                Open(attack.n, context, (*effect.parts, *effects[n + 1 :]), "effect", is_pause=True)
            )
            return
    if game.rulings.get("J-07") == "b" and len(effects) > 1:
        split = max(1, next((n for n, effect in enumerate(effects) if effect.op == "deal"), 1))
        run(game, context, effects[:split])
        rest = Open(attack.n, context, effects[split:], "effect", is_inside_block=True, is_pause=True)
        game.lay_open(rest)
        return
    run(game, context, effects)
    finish(game, attack)


def finish(game: Game, attack: Attack, is_chosen: bool = False) -> None:
    """Finish an ability once all its effects are known: was it an Attack, and does that trigger anything?
    A choice in its text may still be made by the next event, unless `is_chosen`."""
    if attack.stage is ACTIVATED:
        attack.stage = RESOLVED
    if not _deals_damage(game, attack):
        attack.is_attack = attack.is_attack and _is_unknown(game, attack)
        if attack.drawn and not attack.is_attack:
            _settle_leader_bonus(game, attack)
        return
    attack.is_attack = True
    texts, attack.waiting = attack.waiting, ()
    for context, effects in texts:
        run(game, context, effects)
    if attack.stage is ANSWERED or (not is_chosen and game.pending and _awaits_a_choice(game, attack)):
        return
    attack.stage = ANSWERED
    _let_statuses_answer(game, attack)


def _let_statuses_answer(game: Game, attack: Attack) -> None:
    """What the attacker and the targets hold acts on an Attack by itself."""
    if attack.by.statuses:
        run_held(game, attack.by, "attacking", attack.n)
    run_triggers(game, attack.by, "attacking", attack.n)
    for target in attack.targets:
        for status in tokens.standing(game, target, "attacked") if target.statuses else ():
            if status.effects:
                _provoke(game, attack, target, status)


def go_on_unchosen(game: Game) -> None:
    """Make every choice that can only go one way. Go on with every other text whose choice was not made
    directly; made later, it changes nothing counted."""
    for choice in list(game.pending):
        answer = choice.implied() if choice.implied is not None else None
        if answer is None or make_choice(game, choice, None, answer) is not None:
            go_on(game, choice)
    attack = game.attack
    if game.pending and attack is not None and attack.is_resolved:
        finish(game, attack, is_chosen=True)


def make_choice(game: Game, choice: Pending, event: Event | None, value: Any) -> Fault | None:
    """Settle a choice and go on with its text; or why this answer is not possible."""
    fault = choice.settle(event, value)
    if fault is None:
        game.pending.remove(choice)
        go_on(game, choice)
        _finish_choice(game, choice)
    return fault


def _finish_choice(game: Game, choice: Pending) -> None:
    """Only now is it known whether the ability deals damage."""
    attack = game.attack
    if attack is not None and attack.is_resolved and choice.n == attack.n:
        finish(game, attack)


def _deals_damage(game: Game, attack: Attack) -> bool:
    for target in attack.targets:
        for deal in game.pool(target).deals:
            if deal.attack and deal.amount:
                return True
    return False


def _awaits_a_choice(game: Game, attack: Attack) -> bool:
    return any(choice.n == attack.n for choice in game.pending)


def _is_unknown(game: Game, attack: Attack) -> bool:
    """Whether its damage still depends on a choice or on a fact that was asked for."""
    return attack.n in game.asked or _awaits_a_choice(game, attack)


def _provoke(game: Game, attack: Attack, target: Player, status: Status) -> None:
    """Apply a status that rewards whoever Attacks its holder (Bounty)."""
    if not game.is_opponent(target, attack.by):
        return
    if status.id not in attack.held.get(target.id, ()) and game.reading("J-04") == "b":
        return
    can_grow = any(
        game.edition.types[d.type].increased for d in game.pool(target).deals if d.attack and d.amount
    )
    if not can_grow and status.is_modifier(game.edition) and game.reading("J-05") == "b":
        return
    name = Ref("status", status.id)
    context = Context(attack.n, attack.by, "provoked", name)
    context.targets, context.holder, context.rules = [target], target, status.rules
    game.step("step_provoked", status.acts_by, (attack.n,), None, player=target.id, status=name)
    run(game, context, status.effects or ())


def close_open(game: Game) -> None:
    """End every pause for answers: all dice count as they are."""
    while game.open is not None:
        close_last(game)


def close_last(game: Game) -> None:
    """End the last pause for answers."""
    waiting, so_far = game.open, game.verdict
    assert waiting is not None
    game.open, game.verdict = waiting.beneath, "legal"
    _resume(game, waiting)
    _note_doubt(game, waiting, so_far)


def _note_doubt(game: Game, waiting: Open, so_far: Verdict) -> None:
    """An open point met only when the pause ends concerns the event that paused."""
    if game.verdict == "discretion":
        for ruling in game.events:
            if ruling.n == waiting.n and ruling.verdict == "legal":
                ruling.verdict = "discretion"
    game.verdict = so_far


def _resume(game: Game, waiting: Open) -> None:
    attack = game.attack
    if attack is None or waiting.context is not attack.context:
        resolve_text(game, waiting.context, waiting.effects)
        if waiting.card_of is not None:
            tokens.lay_on_pile(waiting.card_of, 1)
        release(game, waiting.context)
    elif waiting.of == "targeting":
        launch(game, attack, bool(waiting.context.dice))
    elif waiting.is_pause or attack.targets:
        _resume_effects(game, attack, waiting)
        finish(game, attack)
    else:
        proceed(game, attack)


def _resume_effects(game: Game, attack: Attack, waiting: Open) -> None:
    """Run the rest of the ability's text; whom a "then" locks after the damage may perhaps defend (J-24)."""
    free = [target for target in attack.targets if not held(game, target, LOCKED)]
    run(game, waiting.context, waiting.effects)
    if waiting.is_pause and _deals_damage(game, attack):
        attack.locked_late += tuple(target for target in free if held(game, target, LOCKED))


def resolve_text(game: Game, context: Context, effects: Effects) -> None:
    """Resolve a text. What acts on an Attack without a target acts once its target is known (DT-ATK-04)."""
    attack = game.attack
    if attack is None or attack.targets or not attack.lacks_target or game.is_opponent(context.by, attack.by):
        run(game, context, effects)
        return
    first = _first_that_waits(game, context, effects)
    run(game, context, effects[:first])
    if effects[first:]:
        attack.waiting += ((context, effects[first:]),)


def _first_that_waits(game: Game, context: Context, effects: Effects) -> int:
    return next((n for n, effect in enumerate(effects) if _waits(game, context, effect)), len(effects))


def _waits(game: Game, context: Context, effect: Effect) -> bool:
    is_named = context.on and effect.op not in _INCREASES
    return not is_named and needs_target(game, effect)


def defendable(game: Game, player: Player) -> bool:
    """Whether a Defensive Ability may be used against some of the Attack's damage (DT-DRP-03). While its
    dice are unknown, the damage types in its text decide."""
    if game.attack is not None and player.id in game.attack.open_to:
        return True
    types = game.edition.types
    for name in attack_types(game, player):
        if types[name].defendable:
            break
    else:
        return False
    return True


def attack_types(game: Game, player: Player) -> set[str]:
    """The types of the Attack's damage pending for this player."""
    pool, attack = game.pools.get(player.id), game.attack
    types: set[str] = set()
    amount = 0
    for deal in pool.deals if pool is not None else ():
        amount += deal.amount
        if deal.attack:
            types.add(deal.type)
    if not types and attack is not None and attack.is_attack and player in attack.targets:
        return attack.types
    return types if amount else set()
