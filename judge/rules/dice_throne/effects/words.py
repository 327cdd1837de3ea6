"""Carry out the effects of a text in their order. No function knows a hero, a card or a status by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judge.core.messages import Message, Ref
from judge.rules.catalog import Effect, Status, flat
from judge.rules.dice_throne.effects.conditions import CONDITIONS
from judge.rules.dice_throne.effects.conditions import holds as holds
from judge.rules.dice_throne.effects.numbers import amount_of as amount_of
from judge.rules.dice_throne.effects.numbers import companions_of
from judge.rules.dice_throne.effects.vocabulary import WORDS
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import Fault, Game, Pending
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event, Label

_FIXED = frozenset(("symbol", "roll-attempt-beyond-first"))  # counts that no choice changes


def run(game: Game, context: Context, effects: Sequence[Effect]) -> None:
    """Resolve effects in order. "Instead" replaces the effect listed before it."""
    if len(effects) == 1 and effects[0].up_to is None:
        effect = effects[0]
        WORDS[effect.op].run(game, context, effect)
        return
    last = len(effects) - 1
    for n, effect in enumerate(effects):
        if n < last and effects[n + 1].instead and _is_true(game, context, effects[n + 1]):
            continue
        if (
            effect.up_to is not None
            and not context.choices
            and _waits_for_a_number(game, context, effects[n:])
        ):
            return
        waiting = len(game.pending)
        WORDS[effect.op].run(game, context, effect)
        if len(game.pending) > waiting and _put_off(game.pending[-1], context, effects[n + 1 :]):
            return


def _put_off(choice: Pending, context: Context, effects: Sequence[Effect]) -> bool:
    """Let the rest of a text wait for a choice if it counts what that choice may change."""
    if not choice.is_of_event or not any(_counts(effect) for effect in flat(tuple(effects))):
        return False
    before = choice.rest[1] if choice.rest is not None else ()
    choice.rest = context, (*before, *effects)
    return True


def _counts(effect: Effect) -> bool:
    """Whether an effect counts or asks for tokens, companions, CP or the like."""
    if effect.condition is not None:
        return not CONDITIONS[effect.condition.kind].by_dice
    return effect.amount == "own-cp" or (effect.per is not None and effect.per[0] not in _FIXED)


def go_on(game: Game, choice: Pending) -> None:
    """Run the rest of a text that waited for this choice, if there is any."""
    rest, choice.rest = choice.rest, None
    if rest is not None:
        run(game, *rest)


def _waits_for_a_number(game: Game, context: Context, effects: Sequence[Effect]) -> bool:
    """ "Up to": ask how many if the event does not say; the effects that follow count them."""
    effect = effects[0]
    there = context.by.statuses.get(effect.status, 0) + companions_of(game, context.by, effect.status)
    is_limited = effect.up_to != "any"
    most = min(there, effect.up_to) if is_limited else there
    if effect.source != "self" or not most:
        return False

    def settle(event: Event | None, value: Any) -> Fault | None:
        if not isinstance(value, int) or value < 0 or (is_limited and value > effect.up_to):
            return Message("choice_over_most", n=effect.up_to if is_limited else most), ("DT-ABL-02",)
        context.choices = [value]
        run(game, context, effects)
        return None

    question = Message("ask_how_many", n=most)
    by, options = frozenset((context.by.id,)), tuple(range(most + 1))
    game.pending.append(Pending(context.n, by, settle, question=question, options=options))
    return True


def _is_true(game: Game, context: Context, effect: Effect) -> bool:
    return effect.condition is not None and holds(game, context, effect.condition)


def run_status(game: Game, holder: Player, status: Status, n: Label = 0, dice: tuple[int, ...] = ()) -> None:
    """Let a status act on its holder by itself."""
    if is_spared(holder, status):
        return
    context = Context(n, holder, "upkeep", Ref("status", status.id))
    context.targets, context.dice, context.rules = [holder], list(dice), status.rules
    if status.is_partial:
        game.ask_text(n, Ref("status", status.id), status)
    run(game, context, status.effects or ())


def is_spared(holder: Player, status: Status) -> bool:
    """Whether a status spares its holder: its hero, except from another such hero's tokens (DT-TOK-20)."""
    return status.spares_owner and holder.hero_id in status.owners and not holder.foreign.get(status.id)


def run_explosion(game: Game, holder: Player, status: Status, n: Label) -> None:
    context = Context(n, holder, "upkeep", Ref("status", status.id))
    context.targets, context.rules = [holder], status.rules
    run(game, context, status.explosion)
