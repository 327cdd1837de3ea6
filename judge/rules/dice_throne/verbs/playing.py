"""The verbs for cards: play, upgrade, sell; and how any text is checked and carried out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judge.core.messages import Ref
from judge.rules.catalog import Card, Effects
from judge.rules.dice_throne.effects.foresight import in_force
from judge.rules.dice_throne.effects.vocabulary import Trait, words_that
from judge.rules.dice_throne.flow.attack import resolve_text
from judge.rules.dice_throne.state import tokens
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import Game, Open, Player
from judge.rules.dice_throne.state.table import MAIN_PHASES, ROLL_PHASES, Event, Upgrade
from judge.rules.dice_throne.verbs.altering import check_changes, dice_of, index_of
from judge.rules.dice_throne.verbs.legality import (
    DEFENSIVE_WORDS,
    INCREASES,
    REMOVALS,
    Check,
    attacked,
    check_against,
    check_modifier,
    check_own_card,
    check_receivers,
    check_removals,
    check_transfer,
    instance_for,
    is_attacked_by_an_opponent,
    is_in_doubt,
    need_card,
    need_cp,
    need_own_turn,
    need_phase,
    refuse_modifier,
)  # fmt: skip
from judge.rules.dice_throne.verbs.target import redirect
from judge.rules.dice_throne.verbs.texts import check_text

_SALE_PHASES = MAIN_PHASES | {"discard"}


def context_for(game: Game, event: Event, player: Player, kind: str) -> Context:
    context = Context(event.n, player, kind, event.ref)
    if event.dice:
        context.dice = event.rolled()
    context.rerolls = bool(event.rerolls or event.changes)
    if event.choice:
        context.choices = list(event.choice)
    if event.on:
        context.on = context.names = [game.players[name] for name in event.on]
    if game.instances:
        context.pool = instance_for(game, player, event)
        if context.pool is None and context.on:
            context.pool = instance_for(game, context.on[0], event)
    return context


def carry_out(
    game: Game, event: Event, context: Context, effects: Effects | None, of: str = "effect"
) -> None:
    """Carry out a text: dice on the table and a "then" wait for answers; everything else resolves now."""
    if event.differs:
        game.note("effects_differ")
    if event.changes:
        alter(game, event)
    if effects is None:
        if not event.changes:
            game.ask(event.n, "effects", "ask_effects", thing=context.source or "-")
        return
    if event.dice:
        game.lay_open(Open(event.n, context, effects, of))
        return
    for n, effect in enumerate(effects):
        if effect.op == "then" and n > 0:
            resolve_text(game, context, effects[:n])
            game.lay_open(Open(event.n, context, (*effect.parts, *effects[n + 1 :]), of, is_pause=True))
            return
    resolve_text(game, context, effects)


def alter(game: Game, event: Event) -> None:
    for change in event.changes:
        if change.of == "offensive":
            if game.dice is not None:
                game.dice[change.die - 1] = change.to
            game.altered = True
        elif change.of == "targeting":
            redirect(game, change.to)
        else:
            waiting = dice_of(game, change)
            if waiting is None:
                game.fizzled = True  # another action of the exchange took those dice away
                continue
            dice = waiting.context.dice
            dice[index_of(waiting, change)] = change.to
            if waiting.of == "defensive":
                waiting.context.roll = dice
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
        check_upgrade(game, as_upgrade(event, card), player, check)
        return
    effects = event.text
    check_own_card(game, event, player, check)
    _check_card_timing(game, event, player, event.card or (card.kind if card else ""), check)
    if event.n not in game.paid:
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
        check_changes(game, player, event, in_force(game, player, effects, event.dice), check)
    words = event.words
    if event.on and words & DEFENSIVE_WORDS:
        check_receivers(game, player, event, effects, check)
    if words & REMOVALS:
        check_removals(game, player, event, effects, check)
        if "transfer" in words:
            check_transfer(game, event, check)
    check_text(game, event, player, effects, check)
    if event.modifier:
        check_modifier(game, player, event, check)
    elif is_attacked_by_an_opponent(game, player) and taken_words(effects, event.choice) & INCREASES:
        refuse_modifier(game, player, check)


def taken_words(effects: Effects | None, choice: Sequence[Any]) -> set[str]:
    """The words of a text that come to act, given the choices made in it."""
    words: set[str] = set()
    choices = list(choice)
    for effect in effects or ():
        words.add(effect.op)
        parts = [effect.parts, *(inner for _, inner in (*effect.on, *effect.each))]
        if effect.op == "choose":
            wanted = choices.pop(0) if choices else None
            parts = (
                list(effect.options[wanted - 1 : wanted]) if isinstance(wanted, int) and wanted > 0 else []
            )
        elif effect.op == "may" and (not choices or choices.pop(0) in (0, False, "no")):
            continue
        for part in parts:
            words |= taken_words(part, choices)
    return words


_BETWEEN = words_that(Trait.BETWEEN)


def _check_pause(game: Game, event: Event, check: Check) -> None:
    """ "Then" opens a pause; inside a block without one an answer rests on J-07."""
    attack = game.attack
    if game.open is not None and not game.open.is_inside_block:
        check.cite("DT-TXT-04", "DT-TIME-02")
    elif attack is not None and event.against == attack.n and event.words & _BETWEEN:
        is_next = game.open is not None or game.last == attack.n
        if is_next and len(attack.effects) > 1 and not check.faults:
            check.cite("DT-TXT-08")
            check.reading(game, "J-07")


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
    """Pay the card, which leaves the hand first; it is discarded when carried out (DT-CARD-05)."""
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
        do_upgrade(game, as_upgrade(event, card), player)
        return
    if is_in_doubt(game, player, card):
        game.ask(event.n, "card", "ask_own_card", thing=Ref("card", str(event.value)), player=player.id)
    context = context_for(game, event, player, "card")
    carry_out(game, event, context, event.text)
    if game.open is not None and game.open.context is context:
        game.open.card_of = player
    else:
        tokens.lay_on_pile(player, 1)


def as_upgrade(event: Event, card: Card) -> Event:
    return Event(event.n, "upgrade", event.by, card.upgrades, level=card.level, cost=event.cost)


# ------------------------------------------------------------------ upgrades and sales


def upgrade_cost(game: Game, event: Event, player: Player, level: int) -> tuple[int | None, int | None]:
    """The CP to pay and the printed cost. From II to III only the difference is paid (DT-UPG-03)."""
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
