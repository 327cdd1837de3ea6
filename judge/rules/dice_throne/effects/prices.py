"""What a choice costs: "you may discard X to do Y" gives Y only for X, whatever X is.

A price is what the text takes from the player who decides: CP, cards, tokens, companions or their health.
A removal of "up to" some tokens is none, for it may be nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.core.messages import Message, Ref
from judge.rules.catalog import Condition, Effect
from judge.rules.dice_throne.effects.conditions import CONDITIONS, holds, waits_for_damage
from judge.rules.dice_throne.effects.numbers import companions_of
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import Fault, Game
from judge.rules.dice_throne.state.player import Player

_ABILITIES = frozenset(("activate", "ability"))  # an Offensive Ability, read ahead or carried out


class Purse:
    """What a player could pay with, while a text is read ahead."""

    def __init__(self, game: Game, player: Player) -> None:
        self.game, self.player = game, player
        self.cp, self.cards = player.cp, player.hand
        self.tokens = dict(player.statuses)
        self.spent_companions: dict[str, int] = {}

    def has(self, thing: str) -> int:
        if thing in self.tokens:
            return self.tokens[thing]
        there = companions_of(self.game, self.player, thing)
        return there - self.spent_companions.get(thing, 0)

    def lack(self, price: Effect) -> Fault | None:
        """Why this price cannot be paid; None if it can, and then it is."""
        count = price_count(price)
        if price.op == "pay_cp":
            if count > self.cp:
                return Message("not_enough_cp", need=count, has=self.cp), ("DT-CP-01", "DT-CP-03")
            self.cp -= count
        elif price.op == "discard":
            if count > self.cards:
                return Message("not_enough_cards", need=count, has=self.cards), ("DT-TXT-04",)
            self.cards -= count
        elif count > self.has(price.status):
            thing = Ref("status", price.status)
            return Message("price_not_there", thing=thing, need=count, has=self.has(price.status)), (
                "DT-STAT-05",
            )
        elif price.status in self.tokens:
            self.tokens[price.status] -= count
        else:
            self.spent_companions[price.status] = self.spent_companions.get(price.status, 0) + count
        return None


def price_count(price: Effect) -> int:
    number = price.amount if price.op in ("pay_cp", "discard") else price.count
    return number if isinstance(number, int) else 0


def prices_in(effects: Sequence[Effect]) -> Iterator[Effect]:
    """The parts of a choice that its player must be able to pay."""
    for effect in effects:
        if (
            effect.op == "pay_cp"
            or (effect.op == "discard" and effect.to in ("self", "holder"))
            or effect.op == "damage_companion"
            or (
                effect.op == "remove"
                and effect.source in ("self", "holder")
                and effect.up_to is None
                and effect.status not in ("any", "all")
            )
        ):
            yield effect


def unpaid(game: Game, payer: Player, effects: Sequence[Effect]) -> Fault | None:
    """Why the player cannot pay for these effects; None if they can."""
    purse = Purse(game, payer)
    return next((fault for price in prices_in(effects) if (fault := purse.lack(price)) is not None), None)


def closed(game: Game, context: Context, option: Sequence[Effect]) -> bool:
    """Whether an option does nothing because its condition does not hold; dice may still decide it, or the
    damage of an Attack."""
    return bool(option) and not any(
        effect.condition is None
        or CONDITIONS[effect.condition.kind].by_dice
        or _may_yet_hold(game, context, effect.condition)
        for effect in option
    )


def _may_yet_hold(game: Game, context: Context, condition: Condition) -> bool:
    if waits_for_damage(condition):
        return game.attack is not None or context.kind in _ABILITIES
    return holds(game, context, condition)
