"""The verbs for cards, tokens and the rest: play, upgrade, sell, spend, pay, resolve, does, choose."""

from __future__ import annotations

from judge.core.messages import Ref
from judge.rules.catalog import Ability, Card, Companion, Effects, Status
from judge.rules.dice_throne import tokens
from judge.rules.dice_throne.altering import check_changes, index_of
from judge.rules.dice_throne.attack import finish as finish_attack
from judge.rules.dice_throne.context import Context
from judge.rules.dice_throne.effects import is_spared, run
from judge.rules.dice_throne.legality import (
    DEFENSIVE_WORDS,
    REMOVALS,
    Check,
    attacked,
    check_against,
    check_modifier,
    check_receivers,
    check_removals,
    has_damage,
    instance_for,
    need_card,
    need_cp,
    need_own_turn,
    need_phase,
)  # fmt: skip
from judge.rules.dice_throne.rolling import redirect, settle_target
from judge.rules.dice_throne.state import Game, Open, Player
from judge.rules.dice_throne.table import MAIN_PHASES, ROLL_PHASES, Event, Upgrade

_SALE_PHASES = MAIN_PHASES | {"discard"}
_BEFORE_ROLLING = frozenset(("upkeep", "income", "main-1"))


def context_for(game: Game, event: Event, player: Player, kind: str) -> Context:
    context = Context(event.n, player, kind, event.ref)
    if event.dice:
        context.dice = list(event.dice)
    if event.choice:
        context.choices = list(event.choice)
    if event.on:
        context.on = [game.players[name] for name in event.on]
    if event.against is not None:
        context.pool = instance_for(game, player, event)
        if context.pool is None and context.on:
            context.pool = instance_for(game, context.on[0], event)
    return context


def carry_out(
    game: Game, event: Event, context: Context, effects: Effects | None, of: str = "effect"
) -> None:
    """Dice on the table and a "then" wait for answers; everything else resolves now."""
    if event.differs:
        game.note("effects_differ")
    if event.changes:
        alter(game, event)
    if effects is None:
        if not event.changes:
            game.ask(event.n, "effects", "ask_effects", thing=context.source or "-")
        return
    if event.dice:
        if game.open is None:
            game.open = Open(event.n, context, effects, of)
            return
    else:
        for n, one in enumerate(effects):
            if one.op == "then" and n > 0 and game.open is None:
                run(game, context, effects[:n])
                game.open = Open(event.n, context, (*one.parts, *effects[n + 1 :]), of)
                return
    run(game, context, effects)


def alter(game: Game, event: Event) -> None:
    for change in event.changes:
        if change.of == "offensive":
            if game.dice is not None:
                game.dice[change.die - 1] = change.to
            game.altered = True
        elif change.of == "targeting":
            redirect(game, change.to)
        elif game.open is not None:
            game.open.context.dice[index_of(game, change)] = change.to
            if game.open.of == "defensive":
                game.open.context.roll = game.open.context.dice
        game.step(
            "step_altered",
            ("DT-DICE-01",),
            (event.n,),
            change.to,
            player=change.whose,
            die=change.die,
            n=change.to,
        )


# ------------------------------------------------------------------ cards


def check_play(game: Game, event: Event, player: Player, check: Check) -> None:
    card = event.thing if isinstance(event.thing, Card) else None
    if card is not None and card.kind == "upgrade":
        check_upgrade(game, _as_upgrade(event, card), player, check)
        return
    effects = event.text
    _check_card_timing(game, event, player, event.card or (card.kind if card else ""), check)
    need_card(player, check)
    need_cp(player, cost_of(event) or 0, check)
    check.cite("DT-CARD-05", "DT-CP-03", *(card.rules if card else ()))
    if (event.when_attacked or (card is not None and card.when_attacked)) and attacked(game, player) is None:
        check.fault(("DT-ATK-02",), "only_after_being_attacked", player=player.id)
    check_used_effects(game, event, player, effects, check)


def check_used_effects(
    game: Game, event: Event, player: Player, effects: Effects | None, check: Check
) -> None:
    if game.phase == "defensive-roll":
        check.cite("DT-DRP-06")
    if event.against is not None:
        check_against(game, player, event, check)
        _check_pause(game, event, check)
    if event.changes:
        check_changes(game, player, event, effects, check)
    words = event.words
    if event.on and words & DEFENSIVE_WORDS:
        check_receivers(game, player, event, effects, check)
    if words & REMOVALS:
        check_removals(game, player, event, effects, check)
    if event.choice and "pay_cp" in words:
        need_cp(player, _chosen_price(event) + (cost_of(event) or 0), check, "DT-CP-01", "DT-CP-03")
    if event.modifier:
        check_modifier(game, player, event, check)


def _chosen_price(event: Event) -> int:
    """CP asked for by the options that the event's choices take."""
    price, choices = 0, list(event.choice)
    for one in event.text or ():
        if one.op not in ("may", "choose") or not choices:
            continue
        wanted = choices.pop(0)
        taken = one.parts if wanted not in (0, False, "no") else ()
        if one.op == "choose":
            is_option = isinstance(wanted, int) and 1 <= wanted <= len(one.options)
            taken = one.options[wanted - 1] if is_option else ()
        price += sum(part.amount for part in taken if part.op == "pay_cp" and isinstance(part.amount, int))
    return price


_BETWEEN = frozenset(("remove", "transfer", "gain"))


def _check_pause(game: Game, event: Event, check: Check) -> None:
    """ "Then" opens a pause; inside a block without one an answer rests on J-07."""
    attack = game.attack
    if game.open is not None and not game.open.is_inside_block:
        check.cite("DT-TXT-04", "DT-TIME-02")
    elif attack is not None and event.against == attack.n and event.words & _BETWEEN:
        is_next = game.open is not None or (game.events and game.events[-1].n == attack.n)
        if is_next and len(attack.effects) > 1 and not check.faults:
            check.cite("DT-TXT-08")
            game.reading("J-07")


def _check_card_timing(game: Game, event: Event, player: Player, kind: str, check: Check) -> None:
    if kind == "main":
        check.cite("DT-CARD-02", "DT-MAIN-02" if game.phase == "main-2" else "DT-MAIN-01")
        need_own_turn(game, player, check, "DT-CARD-02")
        need_phase(game, check, MAIN_PHASES, "DT-CARD-02")
    elif kind == "roll":
        check.cite("DT-CARD-03", "DT-ORP-07")
        outside = event.changes and game.phase is not None and game.phase not in ROLL_PHASES
        rules = ("DT-CARD-03", "DT-CARD-06") if outside else ("DT-CARD-03",)
        need_phase(game, check, ROLL_PHASES, *rules)
    elif kind == "instant":
        check.cite("DT-CARD-04")
        if event.changes and game.phase is not None and game.phase not in ROLL_PHASES:
            check.cite("DT-CARD-06")


def cost_of(event: Event) -> int | None:
    if event.cost is not None:
        return event.cost
    return event.thing.cost if isinstance(event.thing, Card) else None


def pay_card(game: Game, event: Event, player: Player) -> None:
    """The card is paid and leaves the hand first; it reaches the pile when carried out (DT-CARD-05)."""
    if isinstance(event.thing, Card) and event.thing.kind == "upgrade":
        return
    cost = cost_of(event)
    if cost is None:
        game.ask(event.n, "cost", "ask_cost", thing=Ref("card", str(event.value)))
    player.cp -= cost or 0
    player.hand -= 1


def do_play(game: Game, event: Event, player: Player) -> None:
    card = event.thing if isinstance(event.thing, Card) else None
    if card is not None and card.kind == "upgrade":
        do_upgrade(game, _as_upgrade(event, card), player)
        return
    context = context_for(game, event, player, "card")
    carry_out(game, event, context, event.text)
    if game.open is not None and game.open.context is context:
        game.open.card_of = player
    else:
        tokens.lay_on_pile(player, 1)


def _as_upgrade(event: Event, card: Card) -> Event:
    return Event(event.n, "upgrade", event.by, card.upgrades, level=card.level, cost=event.cost)


# ------------------------------------------------------------------ upgrades and sales


def upgrade_cost(game: Game, event: Event, player: Player, level: int) -> tuple[int | None, int | None]:
    """What is paid and what is printed. From II to III only the difference is paid (DT-UPG-03)."""
    card = game.catalog.find_upgrade(player.hero_id, str(event.value), level)
    printed = event.cost if event.cost is not None else (card.cost if card is not None else None)
    held = player.upgrades.get(str(event.value))
    if printed is None or held is None or held.level < 2:
        return printed, printed
    old = held.cost
    if old is None:
        below = game.catalog.find_upgrade(player.hero_id, str(event.value), held.level)
        old = below.cost if below is not None else None
    return (None if old is None else max(printed - old, 0)), printed


def level_of(event: Event, player: Player) -> int:
    held = player.upgrades.get(str(event.value))
    return event.level or (held.level if held is not None else 1) + 1


def check_upgrade(game: Game, event: Event, player: Player, check: Check) -> None:
    level = level_of(event, player)
    held = player.upgrades.get(str(event.value))
    now = held.level if held is not None else 1
    check.cite("DT-UPG-01", "DT-CARD-01")
    need_own_turn(game, player, check, "DT-UPG-01")
    need_phase(game, check, MAIN_PHASES, "DT-UPG-01")
    if level <= now or level > 3:
        check.fault(("DT-UPG-01", "DT-UPG-03"), "level_already_reached", level=now)
    elif now == 1 and level == 3:
        check.cite("DT-UPG-02")
    elif now == 2:
        check.cite("DT-UPG-03")
    need_card(player, check)
    cost, _ = upgrade_cost(game, event, player, level)
    need_cp(player, cost or 0, check)


def do_upgrade(game: Game, event: Event, player: Player) -> None:
    level = level_of(event, player)
    cost, printed = upgrade_cost(game, event, player, level)
    if cost is None:
        game.ask(event.n, "cost", "ask_cost", thing=Ref("ability", str(event.value)))
    player.cp -= cost or 0
    player.hand -= 1  # it stays on the board, so it never reaches the discard pile (DT-DECK-01)
    player.upgrades[str(event.value)] = Upgrade(level, printed)


def check_sell(game: Game, event: Event, player: Player, check: Check) -> None:
    check.cite("DT-SELL-01", "DT-SELL-02")
    need_own_turn(game, player, check, "DT-SELL-02")
    need_phase(game, check, _SALE_PHASES, "DT-SELL-02")
    if event.source == "board":
        check.fault(("DT-UPG-04",), "upgrades_are_not_sold")
    elif player.hand < event.value:
        check.fault(("DT-SELL-01",), "not_enough_cards", need=event.value, has=player.hand)
    if player.cp + event.value * game.numbers.sale > game.numbers.cp_cap:
        check.cite("DT-SELL-03", "DT-CP-02")
    if game.phase == "discard":
        check.cite("DT-DIS-01")


def do_sell(game: Game, event: Event, player: Player) -> None:
    sold = tokens.discard(player, event.value)
    tokens.gain_cp(game, player, sold * game.numbers.sale)


# ------------------------------------------------------------------ tokens


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
    elif status is not None:
        check_window(game, event, player, status, check)
    check_used_effects(game, event, player, effects, check)


def check_window(game: Game, event: Event, player: Player, status: Status, check: Check) -> None:
    """Has the moment come at which this status may be spent?"""
    if not window_is_open(game, player, status, event):
        check.fault(
            ("DT-STAT-05", *status.rules),
            "window_" + status.when.replace("-", "_"),
            status=Ref("status", status.id),
            player=player.id,
        )


def window_is_open(game: Game, player: Player, status: Status, event: Event | None = None) -> bool:
    attack, when = game.attack, status.when
    if when == "main":
        return (game.active is None or game.active is player) and (
            game.phase is None or game.phase in MAIN_PHASES
        )
    if when in ("after-attacking", "end-of-offensive-roll"):
        is_mine = attack is not None and attack.by is player and attack.is_attack
        if when == "end-of-offensive-roll":
            return is_mine and attack is not None and not attack.defended
        return is_mine and _attack_damage(game) >= status.attack_at_least
    if when == "attacked":
        return attacked(game, player) is not None
    if when == "damaged":
        instance = instance_for(game, player, event) if event is not None else None
        is_named = instance is not None or (
            event is None and any(pool.player is player for pool in game.instances)
        )
        return is_named or has_damage(game.pools.get(player.id)) or _awaits_return(game, player)
    if when == "damaged-by-offensive-roll":
        is_theirs = attack is not None and game.is_opponent(player, attack.by)
        return is_theirs and has_damage(game.pools.get(player.id))
    return True


def _awaits_return(game: Game, player: Player) -> bool:
    """Part of the Attack will come back to its attacker (DT-ATK-08: that may be prevented or avoided)."""
    attack = game.attack
    return attack is not None and attack.by is player and any(pool.returns for pool in game.pools.values())


def _attack_damage(game: Game) -> int:
    attack = game.attack
    if attack is None:
        return 0
    if not attack.done:
        return 9999
    return max((sum(d.amount for d in game.pool(t).deals if d.attack) for t in attack.targets), default=0)


def do_spend(game: Game, event: Event, player: Player) -> None:
    status_id = str(event.value)
    if not tokens.take(player, status_id, 1):
        game.fizzled = True
        return
    if game.attack is not None:
        game.attack.spent.add(status_id)
    context = context_for(game, event, player, "status")
    if isinstance(event.thing, Status):
        context.rules = event.thing.rules
    carry_out(game, event, context, event.text)


def price_of(event: Event) -> int | None:
    """What CP removes a status for: the file's cost, or the option of its text that pays."""
    if event.cost is not None:
        return event.cost
    status = event.thing
    if not isinstance(status, Status):
        return None
    return status_price(status)


def status_price(status: Status) -> int | None:
    for one in status.effects or ():
        for option in one.options:
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
    if status is not None and status.when == "offensive-roll":
        need_own_turn(game, player, check, *rules)
        need_phase(game, check, _BEFORE_ROLLING, *rules)


def do_pay(game: Game, event: Event, player: Player) -> None:
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
    if isinstance(thing, Ability) and not upkeep_effects(thing):
        when = "any"  # a passive that is available at any time
    if when == "upkeep":
        need_own_turn(game, player, check, "DT-UPK-01", *rules)
    if isinstance(thing, Status):
        held = player.statuses.get(thing.id, 0)
        if not held:
            check.fault(
                ("DT-UPK-01", *rules), "token_not_held", player=player.id, status=Ref("status", thing.id)
            )
        if when == "upkeep":
            need_phase(game, check, frozenset(("upkeep",)), "DT-UPK-01", *rules)
            most = held if any(one.op == "roll" for one in thing.effects or ()) else 1
            if held and game.resolved.get(thing.id, 0) >= most:
                check.fault(("DT-UPK-01", *rules), "already_resolved", status=Ref("status", thing.id))
        if event.dice and len(event.dice) > 1 and event.effects is None:
            check.fault(("DT-TXT-01",), "wrong_number_of_dice", need=1, has=len(event.dice))
    elif isinstance(thing, Companion):
        if not sum(player.companions.get(name, 0) for name in thing.ids):
            check.fault(
                ("DT-COMP-01",), "token_not_held", player=player.id, status=Ref("status", str(event.value))
            )
    elif isinstance(thing, Ability):
        if thing.kind != "passive":
            check.fault(("DT-ABL-01",), "not_a_passive_ability", ability=Ref("ability", thing.id))
        if game.resolved.get(thing.id, 0) and upkeep_effects(thing):
            check.fault(("DT-UPK-01",), "already_resolved", status=Ref("ability", thing.id))
    check_used_effects(game, event, player, event.effects, check)


def upkeep_effects(ability: Ability, window: str = "upkeep") -> Effects:
    """The part of a passive that its window starts."""
    return tuple(
        part
        for one in ability.effects or ()
        if one.op == "if" and one.condition is not None
        if one.condition.kind == "when" and one.condition.value == window
        for part in one.parts
    )


def do_resolve(game: Game, event: Event, player: Player) -> None:
    thing, name = event.thing, str(event.value)
    is_any_time = isinstance(thing, Companion) or (isinstance(thing, Ability) and not upkeep_effects(thing))
    if not is_any_time:
        if game.phase is None and game.attack is None:
            game.phase = "upkeep"
        game.active = game.active or player
    game.resolved[name] = game.resolved.get(name, 0) + 1
    kind = "upkeep" if not isinstance(thing, Ability) else "passive"
    context = context_for(game, event, player, kind)
    if isinstance(thing, Status):
        context.targets = [player]
        if is_spared(player, thing) and event.effects is None:
            return
    if thing is not None:
        context.rules = thing.rules
    effects = event.effects
    if effects is None and isinstance(thing, Companion):
        effects = _stage_effects(game, event, player, thing, context)
    elif effects is None and isinstance(thing, Ability):
        effects = level_effects(game, player, thing)
    elif effects is None:
        effects = thing.effects if thing is not None else None
    carry_out(game, event, context, effects, "upkeep")


def level_effects(game: Game, player: Player, ability: Ability) -> Effects | None:
    """What a passive says at the level in play: the part its window starts, or all of it."""
    upgrade = player.upgrades.get(ability.id)
    effects = ability.effects
    if upgrade is not None and upgrade.level > 1:
        card = game.catalog.find_upgrade(player.hero_id, ability.id, upgrade.level)
        effects = card.effects if card is not None else None
    return upkeep_effects(Ability(ability.id, effects=effects)) or effects


def _stage_effects(
    game: Game, event: Event, player: Player, companion: Companion, context: Context
) -> Effects | None:
    """What the stage named by the event, by its choice or by the board does."""
    stages = {stage.id: stage for stage in companion.stages}
    there = [name for name in stages if player.companions.get(name)]
    named = next(
        (c for c in (event.value, *event.choice[:1], *there[: len(there) == 1]) if c in stages), None
    )
    if context.choices and context.choices[0] == named:
        context.choices.pop(0)
    return stages[named].effects if named is not None else None


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
    found = waiting.settle(event, event.value)
    if found is None:
        game.pending.remove(waiting)
        if attack is not None and attack.done and waiting.n == attack.n:
            finish_attack(game, attack)  # only now it is known whether it deals damage
    else:
        game.refuse(found)
