"""The words that order a text and its choices: if, choose, may, then, additionally."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judge.core.messages import Message
from judge.rules.catalog import Effect, Effects, flat
from judge.rules.dice_throne.effects.conditions import holds, waits_for_damage
from judge.rules.dice_throne.effects.foresight import INCREASES, adds_damage
from judge.rules.dice_throne.effects.prices import closed, unpaid
from judge.rules.dice_throne.effects.vocabulary import Shape, Trait, effect_word, words_that
from judge.rules.dice_throne.effects.words import run
from judge.rules.dice_throne.state.context import Context, receivers
from judge.rules.dice_throne.state.model import Fault, Game, Pending
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.legality import Check, check_modifier, refuse_modifier

_DIE_CHANGES = words_that(Trait.DIE_CHANGE)
_NO = (0, False, "no")
_CARDS_AND_TOKENS = frozenset(("card", "status"))
_MODIFIERS = _CARDS_AND_TOKENS | {"passive", "does"}


@effect_word("if", Shape.CONDITION, options=("instead",), traits=(Trait.OPTIONAL,))
def when_true(game: Game, context: Context, effect: Effect) -> None:
    condition = effect.condition
    if condition is None:
        return
    if waits_for_damage(condition):
        if game.attack is not None:
            game.attack.later += ((context, effect),)
    elif holds(game, context, condition):
        run(game, context, effect.parts)


@effect_word(
    "choose",
    Shape.OPTIONS,
    options=("who",),
    targets=("target", "attacker", "holder", "chosen-opponent"),
    traits=(Trait.OPTIONAL,),
    rules=("DT-TXT-05",),
)
def choose(game: Game, context: Context, effect: Effect) -> None:
    """ "Or": only one of the options (DT-TXT-05)."""
    wanted = context.next_choice()
    chooser = _chooser(game, context, effect)

    def settle(event: Event | None, value: Any) -> Fault | None:
        if not isinstance(value, int) or not 1 <= value <= len(effect.options):
            return Message("choice_out_of_range", n=len(effect.options)), ("DT-TXT-05",)
        option = effect.options[value - 1]
        if closed(game, context, option):
            return Message("option_is_closed", n=value), ("DT-TXT-05",)
        return _refused_modifier(game, context, option) or _run_if_paid(game, context, chooser, option)

    if isinstance(wanted, int) and 1 <= wanted <= len(effect.options):
        _refuse(game, settle(None, wanted))
        return

    numbers = tuple(range(1, len(effect.options) + 1))
    by = frozenset((chooser.id,))

    def implied() -> int | None:
        open_ones = [n for n in numbers if _is_open(game, context, chooser, effect.options[n - 1])]
        return open_ones[0] if len(open_ones) == 1 else None

    game.pending.append(
        Pending(context.n, by, settle, options=numbers, texts=effect.options, implied=implied)
    )


def _is_open(game: Game, context: Context, chooser: Player, option: Effects) -> bool:
    if closed(game, context, option) or unpaid(game, chooser, option) is not None:
        return False
    return not _checked_modifier(game, context, option).faults


def _refused_modifier(game: Game, context: Context, option: Effects) -> Fault | None:
    """Why an option that adds damage to an Attack cannot be taken; the open points it met are recorded."""
    check = _checked_modifier(game, context, option)
    for point in check.points:
        game.rest_on(point)
    return next(iter((*check.faults, *check.doubts)), None)


def _checked_modifier(game: Game, context: Context, option: Effects) -> Check:
    """What speaks against adding damage with a text that is neither the Attack's nor a defence's own."""
    check = Check()
    if context.kind in _MODIFIERS and adds_damage(option, context.choices):
        attack = game.attack
        if context.kind in _CARDS_AND_TOKENS:
            check_modifier(game, context.by, Event(context.n, "play", words=frozenset(INCREASES)), check)
        elif attack is not None and game.is_opponent(context.by, attack.by):
            refuse_modifier(game, context.by, check)
    return check


def _chooser(game: Game, context: Context, effect: Effect) -> Player:
    """Who decides: the player of the text, unless it leaves that to another."""
    if not effect.who:
        return context.by
    whom = receivers(game, context, Effect(effect.op, to=effect.who), effect.who)
    if not whom:
        game.ask(context.n, "on", "ask_whom")
        return context.by
    return whom[0]


@effect_word(
    "may",
    Shape.EFFECTS,
    options=("who",),
    targets=("target", "attacker", "holder", "chosen-opponent"),
    traits=(Trait.OPTIONAL,),
)
def may(game: Game, context: Context, effect: Effect) -> None:
    """Optional: done if the event's choice or a later `choose` says so."""
    wanted = context.next_choice()
    chooser = _chooser(game, context, effect)
    passes_on = any(part.op == "transfer" for part in effect.parts)
    if wanted is None and _is_implied(context, effect, passes_on):
        wanted = 1

    def settle(event: Event | None, value: Any) -> Fault | None:
        if value in _NO:
            return None
        refusal = _refused_modifier(game, context, effect.parts)
        if refusal is not None:
            return refusal
        named = [value] if passes_on and value in game.players else []
        if event is not None and not context.on:
            context.on = [game.players[p] for p in (*event.on, *named)]
        context.choices = [value, *context.choices]
        waiting = len(context.choices)
        fault = _run_if_paid(game, context, chooser, effect.parts)
        if len(context.choices) == waiting:
            context.next_choice()  # a plain "yes": no nested effect used the choice
        return fault

    if wanted is not None:
        _refuse(game, settle(None, wanted))
    else:
        by, texts = frozenset((chooser.id,)), (effect.parts, ())
        implied = (lambda: 1) if context.is_one_may and chooser is context.by else None
        game.pending.append(
            Pending(context.n, by, settle, optional=True, options=(1, 0), texts=texts, implied=implied)
        )


def _is_implied(context: Context, effect: Effect, passes_on: bool) -> bool:
    """Whether the event says yes by what it names: the receiver of a token, or the dice to change."""
    if passes_on and context.on:
        return True
    return context.rerolls and any(part.op in _DIE_CHANGES for part in flat(effect.parts))


def _run_if_paid(game: Game, context: Context, payer: Player, effects: Sequence[Effect]) -> Fault | None:
    """Run the effects if the player who decides can pay what they cost."""
    fault = unpaid(game, payer, effects)
    if fault is None:
        run(game, context, effects)
    return fault


def _refuse(game: Game, fault: Fault | None) -> None:
    if fault is not None:
        game.refuse(fault)


@effect_word("additionally", Shape.EFFECTS, traits=(Trait.SEQUEL,), rules=("DT-TXT-07",))
@effect_word("then", Shape.EFFECTS, traits=(Trait.SEQUEL,), rules=("DT-TXT-04",))
def then(game: Game, context: Context, effect: Effect) -> None:
    run(game, context, effect.parts)
