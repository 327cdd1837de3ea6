"""Checks and pays the use of a token or companion that is used in several ways or for a price."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from judge.core.messages import Message, Ref
from judge.rules.catalog import Companion, Stage, Status, Use
from judge.rules.dice_throne.effects.companion_words import count_use, is_active, times_used
from judge.rules.dice_throne.effects.conditions import holds
from judge.rules.dice_throne.effects.foresight import INCREASES, adds_damage
from judge.rules.dice_throne.flow.windows import window_is_open
from judge.rules.dice_throne.state import tokens
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.legality import Check, check_modifier, need_cp
from judge.rules.printed import text_rules


def price_of_use(player: Player, thing: Companion | Status, use: Use) -> Mapping[str, int]:
    return use.price(player.companions.get(thing.id, 0) if isinstance(thing, Companion) else 1)


def check_use(game: Game, event: Event, player: Player, check: Check) -> None:
    """What speaks against this use, apart from its window and its text."""
    thing, use = event.thing, event.use
    if not isinstance(thing, Companion | Status) or not thing.uses:
        return
    if use is None:
        if event.use_n:
            check.fault(("DT-TXT-05",), "choice_out_of_range", n=len(thing.uses))
        return
    name = Ref("status", thing.id)
    _check_price(player, price_of_use(player, thing, use), use.aged, check)
    if use.per_turn is not None and times_used(game, player, thing.id, event.use_n) >= use.per_turn:
        check.fault(("DT-STAT-08",), "used_this_turn", thing=name, n=use.per_turn)
    if not condition_holds(game, player, use):
        check.fault(("DT-STAT-08",), "use_is_closed", thing=name, n=event.use_n)
    attack = game.attack
    if "replace_defence" in use.words and attack is not None and player.id in attack.defended:
        ability = attack.defended[player.id]
        check.fault(("DT-DRP-03", "DT-DRP-04"), "already_defended", ability=ability)


def as_meant(game: Game, event: Event) -> Event:
    """The event with the use it means: one that names none of several means the open one, if there is only
    one. The event itself stays as it was entered."""
    if not event.names_no_use:
        return event
    thing = event.thing
    assert isinstance(thing, Companion | Status)
    open_ones = open_uses(game, game.players[event.by], thing)
    if len(open_ones) != 1:
        return event
    use = thing.uses[open_ones[0] - 1]
    return replace(
        event,
        use_n=open_ones[0],
        use=use,
        names_no_use=False,
        has_details=True,
        text=use.effects,
        words=use.words,
        text_rules=text_rules(use.effects),
        modifier=event.modifier or _modifies(use, event.choice),
    )


def _modifies(use: Use, choice: Sequence[Any]) -> bool:
    """Whether a use is an Attack Modifier, as far as its choices are made."""
    return use.modifier or (not use.words.isdisjoint(INCREASES) and adds_damage(use.effects, choice))


def open_uses(game: Game, player: Player, thing: Companion | Status) -> list[int]:
    """The numbers of the uses of a status or companion that are open now."""
    return [n for n, use in enumerate(thing.uses, start=1) if _is_open_use(game, player, thing, n, use)]


def _is_open_use(game: Game, player: Player, thing: Companion | Status, n: int, use: Use) -> bool:
    if use.per_turn is not None and times_used(game, player, thing.id, n) >= use.per_turn:
        return False
    return (
        window_is_open(game, player, use)
        and can_pay(player, thing, use)
        and condition_holds(game, player, use)
        and (not _modifies(use, ()) or may_modify(game, player, use.words))
    )


def may_modify(game: Game, player: Player, words: frozenset[str]) -> bool:
    """Whether an Attack Modifier with these words is open to the player: some damage cannot be increased."""
    check = Check()
    check_modifier(game, player, Event(0, "spend", player.id, words=words), check)
    return not check.faults


def condition_holds(game: Game, player: Player, use: Use) -> bool:
    return use.condition is None or holds(game, Context(0, player, "status"), use.condition)


def _check_price(player: Player, price: Mapping[str, int], is_aged: bool, check: Check) -> None:
    for thing, need in price.items():
        if thing == "cp":
            need_cp(player, need, check, "DT-CP-01", "DT-CP-03")
            continue
        has = player.hand if thing == "cards" else player.statuses.get(thing, 0)
        if has < need:
            name = Message("cards_in_hand") if thing == "cards" else Ref("status", thing)
            check.fault(("DT-STAT-05",), "price_not_there", thing=name, need=need, has=has)
        elif is_aged and has - player.fresh.get(thing, 0) < need:
            check.fault(("DT-STAT-08",), "token_came_this_turn", status=Ref("status", thing))


def can_pay(player: Player, thing: Companion | Status, use: Use) -> bool:
    check = Check()
    _check_price(player, price_of_use(player, thing, use), use.aged, check)
    return not check.faults


def pay_use(game: Game, event: Event, player: Player) -> bool:
    """Pay the whole price at once; False if another action of the exchange took part of it."""
    thing, use = event.thing, event.use
    assert isinstance(thing, Companion | Status)
    assert use is not None
    if not can_pay(player, thing, use):
        return False
    for name, count in price_of_use(player, thing, use).items():
        if name == "cp":
            player.cp -= count
        elif name == "cards":
            tokens.discard(player, count)
        else:
            tokens.take(player, name, count)
    count_use(game, player, thing.id, event.use_n)
    return True


# ------------------------------------------------------------------ companions


def check_companion(game: Game, event: Event, player: Player, thing: Companion, check: Check) -> None:
    """Whether the companion is there to act, and not downed."""
    name = str(event.value)
    rules = ("DT-COMP-01", *thing.rules)
    if not sum(player.companions.get(each, 0) for each in thing.ids):
        check.fault(rules, "token_not_held", player=player.id, status=Ref("status", name))
    elif thing.health and not is_active(player, thing.id):
        check.fault(rules, "companion_is_downed", companion=Ref("status", thing.id))


def check_stage(game: Game, player: Player, companion: Companion, stage: Stage, check: Check) -> None:
    """Whether a companion of this stage is there, and has a use left in this turn."""
    are_told_apart = any(each.id in player.companions for each in companion.stages)
    if are_told_apart and not player.companions.get(stage.id):
        check.fault(("DT-COMP-01",), "token_not_held", player=player.id, status=Ref("status", stage.id))
    if stage.per_turn is not None and times_used(game, player, stage.id, 0) >= stage.per_turn:
        check.fault(("DT-COMP-01",), "used_this_turn", thing=Ref("status", stage.id), n=stage.per_turn)


def use_stage(game: Game, player: Player, companion: Companion, stage: Stage) -> None:
    """Count the use of a stage; a companion that is used up goes."""
    count_use(game, player, stage.id, 0)
    name = stage.id if player.companions.get(stage.id) else companion.id
    if stage.is_used_up and player.companions.get(name):
        player.companions[name] -= 1
