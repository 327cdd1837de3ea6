"""What a choice costs: "you may discard X to do Y" gives Y only for X, whatever X is.

A price is what the text takes from the player who decides: CP, cards, tokens, companions or their health.
A removal of "up to" some tokens is none, for it may be nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from judge.core.messages import Message, Ref
from judge.rules.catalog import Effect, Effects, flat
from judge.rules.dice_throne.effects.conditions import CONDITIONS, holds
from judge.rules.dice_throne.effects.numbers import companions_of
from judge.rules.dice_throne.effects.vocabulary import WORDS, Shape, Trait, words_that
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import Fault, Game, Player

_NO = (0, False, "no")
_CHOICES = frozenset(("choose", "may"))
_DIE_CHANGES = words_that(Trait.DIE_CHANGE)
_OWN = frozenset(("", "self", "holder"))


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
    """Whether an option does nothing because its condition does not hold; dice may still decide it."""
    if not option or any(effect.op != "if" for effect in option):
        return False
    return not any(
        effect.condition is None
        or CONDITIONS[effect.condition.kind].by_dice
        or holds(game, context, effect.condition)
        for effect in option
    )


# ------------------------------------------------------------------ reading a text ahead


class Foresight:
    """Reads a text ahead with the choices an event gives, to see what speaks against them.

    It stops where dice decide how the text goes on; from there on the text itself refuses.
    """

    def __init__(self, game: Game, context: Context, choices: Sequence[Any], rerolls: bool = False) -> None:
        self.game, self.context = game, context
        self.choices, self.rerolls = list(choices), rerolls
        self.purse = Purse(game, context.by)
        self.rerolled = False  # a part that changes dice was taken
        self.stopped = False

    def fault(self, effects: Effects | None) -> Fault | None:
        for effect in effects or ():
            found = self._fault(effect)
            if found is not None or self.stopped:
                return found
        return None

    def _next(self) -> Any:
        return self.choices.pop(0) if self.choices else None

    def _fault(self, effect: Effect) -> Fault | None:
        if effect.op == "choose":
            return self._chosen(effect)
        if effect.op == "may":
            return self._taken(effect)
        if WORDS[effect.op].shape is Shape.EFFECTS:
            return self.fault(effect.parts)
        if effect.op in _DIE_CHANGES:
            self.rerolled = True
        elif any(part.op in _CHOICES for part in flat((effect,))):
            self.stopped = True
        elif effect.up_to is not None and effect.source == "self":
            self._next()
        else:
            self._receive(effect)
        return None

    def _receive(self, effect: Effect) -> None:
        """What the text itself gives can pay for what follows."""
        if effect.to not in _OWN or effect.per is not None:
            return
        if effect.op == "gain" and isinstance(effect.count, int):
            self.purse.tokens[effect.status] = self.purse.tokens.get(effect.status, 0) + effect.count
        elif effect.op == "gain_cp" and isinstance(effect.amount, int):
            self.purse.cp += effect.amount
        elif effect.op == "draw" and isinstance(effect.amount, int):
            self.purse.cards += effect.amount

    def _chosen(self, effect: Effect) -> Fault | None:
        wanted = self._next()
        if wanted is None:
            self.stopped = True
            return None
        if not isinstance(wanted, int) or not 1 <= wanted <= len(effect.options):
            return Message("choice_out_of_range", n=len(effect.options)), ("DT-TXT-05",)
        option = effect.options[wanted - 1]
        if closed(self.game, self.context, option):
            return Message("option_is_closed", n=wanted), ("DT-TXT-05",)
        return self._paid(effect, option)

    def _taken(self, effect: Effect) -> Fault | None:
        wanted = self._next()
        changes = any(part.op in _DIE_CHANGES for part in flat(effect.parts))
        if wanted is None and changes and self.rerolls:
            wanted = 1
        if wanted is None or wanted in _NO:
            return None
        waiting = len(self.choices)
        self.choices.insert(0, wanted)
        fault = self._paid(effect, effect.parts)
        if len(self.choices) > waiting:
            self._next()
        return fault

    def _paid(self, effect: Effect, parts: Effects) -> Fault | None:
        if not effect.who:
            for price in prices_in(parts):
                lack = None if price.source not in _OWN and price.op == "pay_cp" else self.purse.lack(price)
                if lack is not None:
                    return lack
        return self.fault(tuple(part for part in parts if part not in tuple(prices_in(parts))))


def choices_fault(
    game: Game, context: Context, effects: Effects | None, choices: Sequence[Any], rerolls: bool = False
) -> Fault | None:
    """What speaks against the choices of an event; None if nothing does as far as can be seen."""
    return Foresight(game, context, choices, rerolls).fault(effects)
