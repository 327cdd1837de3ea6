"""The verb `play`: Action cards (DT-CARD)."""

from __future__ import annotations

from collections.abc import Iterable

from judge.core.messages import Ref
from judge.rules.catalog import Card
from judge.rules.dice_throne.state import tokens
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import MAIN_PHASES, ROLL_PHASES, Event
from judge.rules.dice_throne.verbs.legality import (
    Check,
    attacked,
    check_own,
    is_in_doubt,
    is_main,
    is_own_turn,
    is_rolling,
    need_card,
    need_cp,
    need_own_turn,
    need_phase,
)  # fmt: skip
from judge.rules.dice_throne.verbs.upgrade import as_upgrade, check_upgrade, do_upgrade
from judge.rules.dice_throne.verbs.using import carry_out, check_used_effects, context_for

_BY_ROLL_CARDS = ("DT-CARD-03", "DT-CARD-06")


def check_play(game: Game, event: Event, player: Player, check: Check) -> None:
    card = event.thing if isinstance(event.thing, Card) else None
    check_own(event, player, check)
    if card is not None and card.kind == "upgrade":
        check_upgrade(game, as_upgrade(event, card), player, check)
        return
    _check_card_timing(game, event, player, event.card or (card.kind if card else ""), check)
    check.rules += ("DT-CARD-05", "DT-CP-03")
    cost = cost_of(event) or 0
    if player.hand < 1 or player.cp < cost:
        _refuse_price(game, event, player, cost, check)
    if card is not None:
        check.rules += card.rules
    if event.when_attacked and attacked(game, player) is None:
        check.fault(("DT-ATK-02",), "only_after_being_attacked", player=player.id)
    check_used_effects(game, event, player, event.text, check)


def _refuse_price(game: Game, event: Event, player: Player, cost: int, check: Check) -> None:
    if event.n not in game.paid:
        need_card(player, check)
        need_cp(player, cost, check)


def _check_card_timing(game: Game, event: Event, player: Player, kind: str, check: Check) -> None:
    if kind == "main":
        check.rules += ("DT-CARD-02", "DT-MAIN-02" if game.phase == "main-2" else "DT-MAIN-01")
        need_own_turn(game, player, check, "DT-CARD-02")
        need_phase(game, check, MAIN_PHASES, "DT-CARD-02")
    elif kind == "roll":
        check.rules += ("DT-CARD-03", "DT-ORP-07")
        if game.phase is not None and game.phase not in ROLL_PHASES:
            need_phase(game, check, ROLL_PHASES, *_BY_ROLL_CARDS[: 2 if event.changes else 1])
    elif kind == "instant":
        check.rules += ("DT-CARD-04",)
        if event.changes and game.phase is not None and game.phase not in ROLL_PHASES:
            check.rules += ("DT-CARD-06",)


def cost_of(event: Event) -> int | None:
    if event.cost is not None:
        return event.cost
    return event.thing.cost if isinstance(event.thing, Card) else None


def pay_card(game: Game, event: Event, player: Player) -> None:
    """Pay the card, which leaves the hand first; it is discarded when carried out (DT-CARD-05)."""
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
    if event.n not in game.paid:  # else that was done when it was declared
        pay_card(game, event, player)
    if event.is_of_another_hero and is_in_doubt(event, player):
        game.ask(event.n, "card", "ask_own_card", thing=Ref("card", str(event.value)), player=player.id)
    context = context_for(game, event, player, "card")
    carry_out(game, event, context, event.text)
    if game.open is not None and game.open.context is context:
        game.open.card_of = player
    elif player.discard is not None:
        tokens.lay_on_pile(player, 1)


def may_play(game: Game, player: Player) -> Iterable[str]:
    if player.hand < 1:
        return
    if is_own_turn(game, player) and is_main(game):
        yield "play-main"
    if is_rolling(game):
        yield "play-roll"
    yield "play-instant"
