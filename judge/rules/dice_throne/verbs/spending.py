"""The verbs for tokens and the rest: spend, pay, resolve, does, choose."""

from __future__ import annotations

from judge.core.messages import Message, Ref
from judge.rules.catalog import Ability, Companion, Effects, Status, Use
from judge.rules.dice_throne.effects.triggers import at_any_time, in_window, passive_text
from judge.rules.dice_throne.effects.words import is_spared
from judge.rules.dice_throne.flow.attack import finish as finish_attack
from judge.rules.dice_throne.flow.attack import release
from judge.rules.dice_throne.state import tokens
from judge.rules.dice_throne.state.model import Attack, Game, Player
from judge.rules.dice_throne.state.table import BEFORE_ROLLING, MAIN_PHASES, ROLL_PHASES, Event
from judge.rules.dice_throne.verbs.legality import (
    Check,
    attacked,
    awaits_backlash,
    awaits_return,
    check_own_ability,
    has_damage,
    instance_for,
    is_own_turn,
    need_cp,
    need_own_turn,
    need_phase,
)  # fmt: skip
from judge.rules.dice_throne.verbs.target import settle_target
from judge.rules.dice_throne.verbs.uses import check_companion, check_stage, check_use, pay_use, use_stage
from judge.rules.dice_throne.verbs.using import carry_out, check_used_effects, context_for

_ANY_NUMBER = 9999


def check_spend(game: Game, event: Event, player: Player, check: Check) -> None:
    status = event.thing if isinstance(event.thing, Status) else None
    effects = event.text
    rules = ("DT-STAT-05", *(status.rules if status else ()))
    check.cite("DT-STAT-05", "DT-STAT-06", *(status.rules if status else ()))
    if player.statuses.get(str(event.value), 0) < 1:
        check.fault(
            ("DT-STAT-05",), "token_not_held", player=player.id, status=Ref("status", str(event.value))
        )
    if status is not None and status.spendable is False:
        check.fault(rules, "token_not_spendable", status=Ref("status", status.id))
    elif status is not None and not (status.uses and event.effects is None):
        check_window(game, event, player, status, check)
    elif status is not None:
        check_use(game, event, player, check)
        if event.use is not None:
            check_window(game, event, player, event.use, check)
    check_used_effects(game, event, player, effects, check)


def check_window(game: Game, event: Event, player: Player, status: Status | Use, check: Check) -> None:
    """Check that this status, or this use of it, may be spent now."""
    if window_is_open(game, player, status, event):
        return
    key = "window_" + status.when.replace("-", "_")
    rules = event.thing.rules if event.thing is not None else ()
    name = Ref("status", str(event.value))
    closed = Message(key, status=name, player=player.id), ("DT-STAT-05", *rules)
    if status.when != "damaged" or not awaits_backlash(game, player):
        check.faults.append(closed)
    elif check.reading(game, "J-26") == "b":
        check.doubts.append(closed)


# The windows that are phases, and whether they are the player's own.
_PHASES: dict[str, tuple[frozenset[str], bool]] = {
    "main": (MAIN_PHASES, True),
    "upkeep": (frozenset(("upkeep",)), True),
    "offensive-roll": (frozenset(("offensive-roll",)), True),
    "roll": (ROLL_PHASES, False),
}


def window_is_open(game: Game, player: Player, status: Status | Use, event: Event | None = None) -> bool:
    attack, when = game.attack, status.when
    if when in _PHASES:
        phases, is_own = _PHASES[when]
        is_time = game.phase is None or game.phase in phases
        return is_time and (not is_own or is_own_turn(game, player))
    if when in ("after-attacking", "end-of-offensive-roll"):
        is_mine = attack is not None and attack.by is player and attack.is_attack
        if when == "end-of-offensive-roll":
            return is_mine and attack is not None and not attack.defended
        return is_mine and _attack_damage(game) >= status.attack_at_least
    if when == "attacked":
        return attacked(game, player) is not None and _attack_damage(game) >= status.attack_at_least
    if when == "damaged":
        instance = instance_for(game, player, event) if event is not None else None
        is_named = instance is not None or (
            event is None and any(pool.player is player for pool in game.instances)
        )
        return is_named or has_damage(game.pools.get(player.id)) or awaits_return(game, player)
    if when == "damaged-by-offensive-roll":
        is_theirs = attack is not None and game.is_opponent(player, attack.by)
        return is_theirs and has_damage(game.pools.get(player.id))
    return True


def _attack_damage(game: Game) -> int:
    attack = game.attack
    if attack is None:
        return 0
    if not attack.is_resolved:
        return _printed_damage(attack)
    return max((sum(d.amount for d in game.pool(t).deals if d.attack) for t in attack.targets), default=0)


def _printed_damage(attack: Attack) -> int:
    """What the text of an ability that still waits deals; dice or a choice may make it any number."""
    numbers = [
        effect.amount for effect in attack.effects if effect.op in ("deal", "add") and effect.per is None
    ]
    is_plain = len(numbers) == len(attack.effects) and all(isinstance(each, int) for each in numbers)
    return sum(numbers) if is_plain else _ANY_NUMBER


def do_spend(game: Game, event: Event, player: Player) -> None:
    status_id, status = str(event.value), event.thing
    if isinstance(status, Status) and status.uses and event.effects is None and event.use is None:
        game.ask(event.n, "choice", "ask_which_use", thing=Ref("status", status_id))
        return
    is_paid = pay_use(game, event, player) if event.use else bool(tokens.take(player, status_id, 1))
    if not is_paid:
        game.fizzled = True
        return
    if game.attack is not None:
        game.attack.spent.add(status_id)
    context = context_for(game, event, player, "status")
    if isinstance(event.thing, Status):
        context.rules = event.thing.rules
    carry_out(game, event, context, event.text)


def price_of(event: Event) -> int | None:
    """The CP that removes a status: the file's cost, or the price in the status's text."""
    if event.cost is not None:
        return event.cost
    status = event.thing
    if not isinstance(status, Status):
        return None
    return status_price(status)


def status_price(status: Status) -> int | None:
    for effect in status.effects or ():
        for option in effect.options:
            price = next((part.amount for part in option if part.op == "pay_cp"), None)
            if isinstance(price, int):
                return price
    return None


def check_pay(game: Game, event: Event, player: Player, check: Check) -> None:
    status = event.thing if isinstance(event.thing, Status) else None
    rules = status.rules if status is not None else ()
    check.cite("DT-CP-01", *rules)
    price = price_of(event)
    if player.statuses.get(str(event.value), 0) < 1:
        check.fault(
            ("DT-CP-01", *rules), "token_not_held", player=player.id, status=Ref("status", str(event.value))
        )
    if price is None:
        check.fault(("DT-CP-01", *rules), "token_not_payable", status=Ref("status", str(event.value)))
    else:
        need_cp(player, price, check, "DT-CP-03", "DT-CP-01", *rules)
    if status is None or status.when != "offensive-roll":
        return
    if is_own_turn(game, player):
        need_phase(game, check, BEFORE_ROLLING, *rules)
    elif not check.faults and check.reading(game, "J-16") == "a":
        assert game.active is not None
        check.doubt(rules, "not_your_turn", player=player.id, active=game.active.id)


def do_pay(game: Game, event: Event, player: Player) -> None:
    if not player.statuses.get(str(event.value)):
        game.fizzled = True  # another action of the same exchange took it
        return
    player.cp -= price_of(event) or 0
    tokens.remove(game, player, str(event.value), 1, event.n)


# ------------------------------------------------------------------ resolve, does, choose


def check_resolve(game: Game, event: Event, player: Player, check: Check) -> None:
    thing = event.thing
    rules = thing.rules if thing is not None else ()
    check.cite("DT-UPK-01", "DT-UPK-02", *rules)
    when = thing.when if isinstance(thing, Status) else "upkeep"
    if isinstance(thing, Companion):
        check.cite("DT-COMP-01")
        when = "any"
    if isinstance(thing, Ability) and is_used_at_any_time(game, event, player, thing):
        when = "any"
    if when == "upkeep":
        need_own_turn(game, player, check, "DT-UPK-01", *rules)
    if isinstance(thing, Status):
        held = player.statuses.get(thing.id, 0)
        if not held:
            check.fault(
                ("DT-UPK-01", *rules), "token_not_held", player=player.id, status=Ref("status", thing.id)
            )
        if when == "end-of-offensive-roll" and not _is_awaited(game, player, thing):
            name = Ref("status", thing.id)
            check.fault(rules, "window_end_of_offensive_roll", status=name, player=player.id)
        if when == "upkeep":
            need_phase(game, check, frozenset(("upkeep",)), "DT-UPK-01", *rules)
            rolls = any(effect.op == "roll" for effect in thing.effects or ())
            most = game.at_upkeep.get(thing.id, held) if rolls else 1
            if held and game.resolved.get(thing.id, 0) >= most:
                check.fault(("DT-UPK-01", *rules), "already_resolved", status=Ref("status", thing.id))
            elif len(event.dice) > most - game.resolved.get(thing.id, 0) and event.effects is None:
                check.fault(("DT-TXT-01",), "wrong_number_of_dice", need=1, has=len(event.dice))
    elif isinstance(thing, Companion):
        _check_companion(game, event, player, thing, check)
    elif isinstance(thing, Ability):
        check_own_ability(game, player, thing, check)
        if thing.kind != "passive":
            check.fault(("DT-ABL-01",), "not_a_passive_ability", ability=Ref("ability", thing.id))
        if game.resolved.get(thing.id, 0) and when == "upkeep":
            check.fault(("DT-UPK-01",), "already_resolved", status=Ref("ability", thing.id))
    # The dice of a status are counted above, one for each token.
    text = None if isinstance(thing, Status) and "roll" in thing.words else resolved_text(game, event, player)
    check_used_effects(game, event, player, text, check)


def _is_awaited(game: Game, player: Player, status: Status) -> bool:
    """Whether the player's ability waits for the roll of this status."""
    return game.attack is not None and game.attack.by is player and status.id in game.attack.awaits


def _check_companion(game: Game, event: Event, player: Player, thing: Companion, check: Check) -> None:
    check_companion(game, event, player, thing, check)
    stage = next((each for each in thing.stages if each.id == _stage_of(event, player, thing)), None)
    if stage is not None:
        check_stage(game, player, thing, stage, check)
    check_use(game, event, player, check)
    if event.use is not None:
        check_window(game, event, player, event.use, check)


def is_used_at_any_time(game: Game, event: Event, player: Player, ability: Ability) -> bool:
    """Whether a passive is used, not triggered: it has no Upkeep part, or this is not the moment for that."""
    text = passive_text(game, player, ability)
    if not in_window(text, "upkeep"):
        return True
    if not at_any_time(text):
        return False
    is_upkeep = game.phase in (None, "upkeep") and is_own_turn(game, player)
    return bool(event.choice or event.changes) or not is_upkeep or bool(game.resolved.get(ability.id))


def do_resolve(game: Game, event: Event, player: Player) -> None:
    thing, name = event.thing, str(event.value)
    is_any_time = isinstance(thing, Companion) or (
        isinstance(thing, Ability) and is_used_at_any_time(game, event, player, thing)
    )
    if isinstance(thing, Companion) and thing.uses and not _use_companion(game, event, player):
        return
    if not is_any_time:
        if game.phase is None and game.attack is None:
            game.phase = "upkeep"
        game.active = game.active or player
    effects = resolved_text(game, event, player)
    rolls = len(event.dice) if isinstance(thing, Status) and event.effects is None else 1
    game.at_upkeep.setdefault(name, player.statuses.get(name, 0))
    if not is_any_time:
        game.resolved[name] = game.resolved.get(name, 0) + max(rolls, 1)
    kind = "upkeep" if not isinstance(thing, Ability) else "passive"
    context = context_for(game, event, player, kind)
    if isinstance(thing, Status):
        context.targets = [player]
        if is_spared(player, thing) and event.effects is None:
            return
    if thing is not None:
        context.rules = thing.rules
    if isinstance(thing, Companion) and thing.stages and event.effects is None:
        stage = next((each for each in thing.stages if each.id == _stage_of(event, player, thing)), None)
        if context.choices[:1] == [stage.id if stage is not None else None]:
            context.choices.pop(0)
        if stage is not None:
            use_stage(game, player, thing, stage)
    if effects is not None and rolls > 1:
        effects = effects * rolls  # one die for each token
    is_upkeep = not isinstance(thing, Status) or thing.when == "upkeep"
    carry_out(game, event, context, effects, "upkeep" if is_upkeep else "effect")
    if not event.dice:
        release(game, context)


def _use_companion(game: Game, event: Event, player: Player) -> bool:
    """Pay for the use of a companion; False if it cannot be carried out."""
    if event.effects is not None:
        return True
    if event.use is None:
        game.ask(event.n, "choice", "ask_which_use", thing=Ref("status", str(event.value)))
        return False
    game.fizzled = not pay_use(game, event, player)
    return not game.fizzled


def resolved_text(game: Game, event: Event, player: Player) -> Effects | None:
    """What a status, passive or companion does when it is resolved."""
    thing = event.thing
    if event.effects is not None or thing is None:
        return event.effects
    if event.use is not None:
        return event.use.effects
    if isinstance(thing, Companion):
        named = _stage_of(event, player, thing)
        return next((stage.effects for stage in thing.stages if stage.id == named), None)
    if isinstance(thing, Ability):
        text = passive_text(game, player, thing)
        if text is None or is_used_at_any_time(game, event, player, thing):
            return text if text is None else at_any_time(text)
        return in_window(text, "upkeep")
    return thing.effects


def _stage_of(event: Event, player: Player, companion: Companion) -> str | None:
    """The stage named by the event, by its choice or by the board."""
    stages = {stage.id: stage for stage in companion.stages}
    there = [name for name in stages if player.companions.get(name)]
    named = (event.value, *event.choice[:1], *there[: len(there) == 1])
    return next((each for each in named if each in stages), None)


def check_does(game: Game, event: Event, player: Player, check: Check) -> None:
    check_used_effects(game, event, player, event.effects, check)


def do_does(game: Game, event: Event, player: Player) -> None:
    context = context_for(game, event, player, "does")
    context.source = None
    if event.effects is not None or event.changes:
        carry_out(game, event, context, event.effects or ())


def check_choose(game: Game, event: Event, player: Player, check: Check) -> None:
    attack = game.attack
    if attack is not None and attack.chooser:
        check.cite("DT-TGT-03")
        target = game.players.get(str(event.value))
        is_chooser = (
            player is attack.by if attack.chooser == "roller" else game.is_opponent(player, attack.by)
        )
        if not is_chooser:
            check.fault(("DT-TGT-03",), "others_choose_" + attack.chooser)
        if target is None or target.dead or not game.is_opponent(attack.by, target):
            names = [p.id for p in game.opponents(attack.by)]
            check.fault(("DT-TGT-03",), "choice_not_offered", options=names)
        return
    if not any(player.id in waiting.by for waiting in game.pending):
        check.fault(("DT-TXT-05",), "nothing_to_choose", player=player.id)


def do_choose(game: Game, event: Event, player: Player) -> None:
    attack = game.attack
    if attack is not None and attack.chooser:
        settle_target(game, game.players[str(event.value)])
        return
    waiting = next(p for p in game.pending if player.id in p.by)
    game.cited.append("DT-TXT-05")
    fault = waiting.settle(event, event.value)
    if fault is None:
        game.pending.remove(waiting)
        if attack is not None and attack.is_resolved and waiting.n == attack.n:
            finish_attack(game, attack)  # only now is it known whether it deals damage
    else:
        game.refuse(fault)
