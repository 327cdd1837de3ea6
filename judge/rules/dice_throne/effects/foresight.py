"""Reads a text ahead without carrying it out: how many dice it rolls, what speaks against its choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from judge.core.messages import Message, Ref
from judge.rules.catalog import Effect, Effects, flat
from judge.rules.dice_throne.effects.companion_words import COMPANION_CHOICES, companion_fault
from judge.rules.dice_throne.effects.conditions import CONDITIONS, holds
from judge.rules.dice_throne.effects.dice_words import faces_shown
from judge.rules.dice_throne.effects.prices import Purse, closed, prices_in
from judge.rules.dice_throne.effects.token_words import may_refuse
from judge.rules.dice_throne.effects.vocabulary import WORDS, Shape, Trait, words_that
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import Fault, Game
from judge.rules.dice_throne.state.player import Player

NO = (0, False, "no")
_CHOICES = frozenset(("choose", "may"))
_CHOOSING = _CHOICES | {
    "transfer", "prevent_status", "steal_gained_cp", "split_damage", "redirect_damage", "grow",
}  # fmt: skip
_GIVEN = frozenset(("gain", "inflict"))
_DIE_CHANGES = words_that(Trait.DIE_CHANGE)
_ONE_DIE = words_that(Trait.ONE_DIE)
INCREASES = words_that(Trait.INCREASE)
_NOT_FOLLOWED = frozenset(("bring", "flip"))  # conditions after these may find another table
_OWN = frozenset(("", "self", "holder"))


# ------------------------------------------------------------------ dice


def dice_wanted(effects: Effects | None) -> set[int]:
    """How many dice a text may roll in all, and after each of its rolls: 0 if it rolls none."""
    sums, stops = {0}, {0}
    for effect in effects or ():
        rolls = _rolls(effect)
        sums = {before + more for before in sums for more in rolls}
        stops |= sums
    return stops if stops != {0} else set()


def _rolls(effect: Effect) -> set[int]:
    word = WORDS[effect.op]
    if effect.op == "roll":
        nested = set().union({0}, *map(_total, _texts_of_faces(effect)))
        return {int(effect.amount) + more for more in nested}
    if word.shape is Shape.DUEL:
        return {2}
    if effect.op in _ONE_DIE:
        return {effect.best_of or _whole(effect.amount)}
    if word.shape is Shape.OPTIONS:
        return set().union(*map(_total, effect.options))
    if word.shape is Shape.CONDITION or effect.op == "may":
        return {0, *_total(effect.parts)}
    return _total(effect.parts)


def _texts_of_faces(effect: Effect) -> list[Effects]:
    return [inner for _, inner in (*effect.on, *effect.each)]


def _whole(amount: Any) -> int:
    return amount if isinstance(amount, int) else 1


def _total(effects: Effects) -> set[int]:
    sums = {0}
    for effect in effects:
        sums = {before + more for before in sums for more in _rolls(effect)}
    return sums


def in_force(game: Game, player: Player, effects: Effects | None, dice: Sequence[int]) -> Effects | None:
    """The text without the results that the dice of its event do not show."""
    if not dice or effects is None:
        return effects
    return tuple(_shown(game, player, effects, list(dice)))


def _shown(game: Game, player: Player, effects: Effects, dice: list[int]) -> Iterator[Effect]:
    for effect in effects:
        if effect.op != "roll":
            yield effect
            continue
        rolled, dice = dice[: effect.amount], dice[effect.amount :]
        shown = game.symbols(player, rolled)
        for face, inner in (*effect.on, *effect.each):
            if faces_shown(face, rolled, shown):
                yield from inner


# ------------------------------------------------------------------ choices


def numbered(effects: Effects | None, choices: Sequence[Any]) -> Sequence[Any]:
    """The choices, where a text is a list of things one may do and a single number names one of them."""
    if len(choices) != 1 or effects is None or len(effects) < 2:
        return choices
    n = choices[0]
    is_list = all(effect.op == "may" for effect in effects)
    if not is_list or not isinstance(n, int) or not 1 <= n <= len(effects):
        return choices
    return [*(0 for _ in range(1, n)), 1]


def takes_choice(game: Game, player: Player, effects: Effects, choice: Any) -> bool:
    """Whether some word of a text can use this choice; some tokens may be refused by their hero."""
    return any(
        effect.op in _CHOOSING
        or effect.op in COMPANION_CHOICES
        or effect.up_to is not None
        or "any" in (effect.amount, effect.count, effect.status)
        or (effect.op == "remove" and isinstance(choice, str))
        or (effect.op in _GIVEN and may_refuse(game, player, effect.status))
        for effect in flat(effects)
    )


def taken_words(effects: Effects | None, choice: Sequence[Any]) -> set[str]:
    """The words of a text that come to act, given the choices made in it; what is not chosen yet does not.

    Whoever uses a text that is one "may" and says nothing takes it.
    """
    if not choice and effects is not None and len(effects) == 1 and effects[0].op == "may":
        choice = (1,)
    return set(_taken(effects or (), list(numbered(effects, choice))))


def adds_damage(effects: Effects | None, choice: Sequence[Any]) -> bool:
    """Whether a text adds damage to an Attack, as far as its choices are made."""
    return not INCREASES.isdisjoint(taken_words(effects, choice))


def _taken(effects: Effects, choices: list[Any]) -> Iterator[str]:
    """The words that act; the choices are used up from the front."""
    for effect in effects:
        yield effect.op
        if effect.op == "choose":
            wanted = choices.pop(0) if choices else None
            if isinstance(wanted, int) and 1 <= wanted <= len(effect.options):
                yield from _taken(effect.options[wanted - 1], choices)
        elif effect.op == "may":
            if choices and choices[0] not in NO:
                yield from _taken_if_wanted(effect.parts, choices)
            else:
                del choices[:1]
        else:
            for part in (effect.parts, *_texts_of_faces(effect)):
                yield from _taken(part, choices)


def _taken_if_wanted(parts: Effects, choices: list[Any]) -> Iterator[str]:
    """What is had for a "yes"; a number given for it may also be how many."""
    waiting = len(choices)
    yield from _taken(parts, choices)
    if len(choices) == waiting:
        del choices[:1]


class Foresight:
    """Follows a text with the choices an event makes, to see what speaks against them.

    It stops where dice decide how the text goes on; from there on the text itself refuses.
    """

    def __init__(self, game: Game, context: Context, choices: Sequence[Any], rerolls: bool) -> None:
        self.game, self.context = game, context
        self.choices, self.rerolls = list(choices), rerolls
        self.purse = Purse(game, context.by)
        self.changes_dice = False  # a part that changes dice was taken
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
        if effect.op in COMPANION_CHOICES:
            return self._companion(effect)
        if self._is_met(effect):
            return self.fault(effect.parts)
        return self._plain(effect)

    def _plain(self, effect: Effect) -> Fault | None:
        if effect.op in _DIE_CHANGES:
            self.changes_dice = True
        elif any(part.op in _CHOICES or part.op in _DIE_CHANGES for part in flat((effect,))):
            self.stopped = True
        elif effect.up_to is not None and effect.source == "self":
            return self._at_most(effect.up_to, ())
        elif effect.op == "steal_gained_cp":
            return self._at_most(effect.amount, ("DT-TXT-06",))
        else:
            self._receive(effect)
        return None

    def _is_met(self, effect: Effect) -> bool:
        """Whether this is a condition that the dice of the activation meet."""
        condition = effect.condition
        if condition is None or self.context.roll is None or not CONDITIONS[condition.kind].by_dice:
            return False
        return holds(self.game, self.context, condition)

    def _at_most(self, most: Any, rules: tuple[str, ...]) -> Fault | None:
        """ "Up to": a higher number cannot be chosen."""
        wanted = self._next()
        if isinstance(wanted, int) and isinstance(most, int) and wanted > most:
            return Message("choice_over_most", n=most), rules or ("DT-ABL-02",)
        return None

    def _companion(self, effect: Effect) -> Fault | None:
        """Words that act on a companion of choice."""
        named = self._names(effect.up_to if isinstance(effect.up_to, int) else 1)
        wanted = named or [self.choices[0] if self.choices else None]
        faults = (companion_fault(self.game, self.context.by, effect, each) for each in wanted)
        fault = next((each for each in faults if each is not None), None)
        if fault is None and effect.op == "activate_companion" and len(set(named)) < len(named):
            return Message("companion_twice", companion=Ref("status", named[-1])), ("DT-COMP-01",)
        return fault

    def _names(self, most: int) -> list[Any]:
        """The names among the next choices, at most so many."""
        named: list[Any] = []
        while len(named) < most and self.choices and isinstance(self.choices[0], str):
            named.append(self._next())
        return named

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
        fault = self._paid(effect, option)
        self.stopped = self.stopped or any(part.op in _NOT_FOLLOWED for part in flat(option))
        return fault

    def _taken(self, effect: Effect) -> Fault | None:
        wanted = self._next()
        if wanted is None and self.rerolls and any(part.op in _DIE_CHANGES for part in flat(effect.parts)):
            wanted = 1  # naming the dice is the choice
        if wanted is None or wanted in NO:
            return None
        waiting = len(self.choices)
        self.choices.insert(0, wanted)
        fault = self._paid(effect, effect.parts)
        if len(self.choices) > waiting:
            self._next()
        return fault

    def _paid(self, effect: Effect, parts: Effects) -> Fault | None:
        """The price comes first, then what is had for it."""
        prices = tuple(prices_in(parts))
        if not effect.who:
            for price in prices:
                lack = self.purse.lack(price)
                if lack is not None:
                    return lack
        return self.fault(tuple(part for part in parts if part not in prices))
