"""How the text of a card, status, passive or companion is checked and carried out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judge.rules.catalog import Effects
from judge.rules.dice_throne.effects.foresight import adds_damage, in_force, numbered, taken_words
from judge.rules.dice_throne.effects.vocabulary import Trait, words_that
from judge.rules.dice_throne.flow.attack import resolve_text
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import Game, Open
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.altering import check_changes, dice_of, index_of
from judge.rules.dice_throne.verbs.legality import (
    EFFECTS_DIFFER,
    INCREASES,
    REMOVALS,
    Check,
    check_against,
    check_modifier,
    check_receivers,
    check_removals,
    check_transfer,
    instance_for,
    is_attacked_by_an_opponent,
    refuse_modifier,
)  # fmt: skip
from judge.rules.dice_throne.verbs.target import redirect
from judge.rules.dice_throne.verbs.texts import check_named, check_text, note_unused

_DIE_CHANGES = words_that(Trait.DIE_CHANGE)
_BETWEEN = words_that(Trait.BETWEEN)


def context_for(game: Game, event: Event, player: Player, kind: str) -> Context:
    context = Context(event.n, player, kind, event.ref)
    if event.is_plain and not game.instances:
        return context
    if event.dice:
        context.dice = event.rolled()
    if event.rerolls or event.changes:
        context.rerolls = True
    if event.choice:
        context.choices = list(event.choice)
    if event.on:
        context.on = context.names = game.named(event.on)
    if game.instances:
        named = instance_for(game, context.on[0], event) if context.on else None
        context.pool = named or instance_for(game, player, event)
    return context


def carry_out(
    game: Game, event: Event, context: Context, effects: Effects | None, of: str = "effect"
) -> None:
    """Carry out a text: dice on the table and a "then" wait for answers; everything else resolves now."""
    if event.is_plain and effects is not None:
        resolve_text(game, context, effects)
        return
    if event.differs:
        game.notes.append(EFFECTS_DIFFER)
    if event.changes:
        alter(game, event)
    if effects is not None:
        _carry_out_text(game, event, context, effects, of)
    elif not event.changes:
        assert context.source is not None
        game.ask_text(event.n, context.source, event.thing)


def _carry_out_text(game: Game, event: Event, context: Context, effects: Effects, of: str) -> None:
    if event.dice or event.choice:
        note_unused(game, event, effects, context.choices)
    if not (event.changes or event.rerolls) and not event.words.isdisjoint(_DIE_CHANGES):
        _ask_for_dice(game, event, effects)
    if len(effects) == 1 and effects[0].op == "may":
        context.is_one_may = True
    if context.choices:
        context.choices = list(numbered(effects, context.choices))
    if event.dice:
        game.lay_open(Open(event.n, context, effects, of))
    elif len(effects) > 1:
        _pause_at_then(game, event, context, effects, of)
    else:
        resolve_text(game, context, effects)


def _pause_at_then(game: Game, event: Event, context: Context, effects: Effects, of: str) -> None:
    for n, effect in enumerate(effects):
        if effect.op == "then" and n > 0:
            resolve_text(game, context, effects[:n])
            game.lay_open(Open(event.n, context, (*effect.parts, *effects[n + 1 :]), of, is_pause=True))
            return
    resolve_text(game, context, effects)


def _ask_for_dice(game: Game, event: Event, effects: Effects) -> None:
    """A text that changes dice is used, as far as its own dice let it: the file does not say which."""
    shown = in_force(game, game.players[event.by], effects, event.dice) or ()
    text = tuple(effect for effect in shown if effect.op != "roll")
    if not _DIE_CHANGES.isdisjoint(taken_words(text, event.choice)):
        game.ask(event.n, "changes", "ask_changes", thing=event.ref)


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
            assert waiting is not None
            waiting.context.dice[index_of(waiting, change)] = change.to
        game.step(
            "step_altered",
            ("DT-DICE-01",),
            (event.n,),
            change.to,
            player=change.whose,
            die=change.die,
            n=change.to,
        )


def check_used_effects(
    game: Game, event: Event, player: Player, effects: Effects | None, check: Check
) -> None:
    if game.phase == "defensive-roll":
        check.rules += ("DT-DRP-06",)
    if event.is_plain:
        return
    if event.against is not None:
        check_against(game, player, event, check)
        _check_pause(game, event, check)
    if event.changes:
        check_changes(game, player, event, in_force(game, player, effects, event.dice), check)
    words = event.words
    if event.on:
        check_named(game, player, event, effects, check)
        check_receivers(game, player, event, effects, check)
    if not words.isdisjoint(REMOVALS):
        check_removals(game, player, event, effects, check)
    if "transfer" in words:
        check_transfer(game, event, check)
    if event.has_details:
        check_text(game, event, player, effects, check)
    if event.modifier:
        check_modifier(game, player, event, check)
    elif not words.isdisjoint(INCREASES) and adds_as_a_defender(game, player, effects, event.choice):
        refuse_modifier(game, player, check)


def adds_as_a_defender(game: Game, player: Player, effects: Effects | None, choice: Sequence[Any]) -> bool:
    """Whether a text by somebody who is Attacked would add damage to that Attack (DT-ATK-06)."""
    if not is_attacked_by_an_opponent(game, player):
        return False
    return adds_damage(effects, choice)


def _check_pause(game: Game, event: Event, check: Check) -> None:
    """ "Then" opens a pause; inside a block without one an answer rests on J-07."""
    attack = game.attack
    if game.open is not None and not game.open.is_inside_block:
        pause = ("DT-TXT-04",) if game.open.is_pause else ()
        check.rules += (*pause, "DT-TIME-02" if game.edition.priority == "clockwise" else "DT-TIME-15")
    elif attack is not None and event.against == attack.n and event.words & _BETWEEN:
        is_next = game.open is not None or game.last == attack.n
        if is_next and len(attack.effects) > 1 and not check.faults:
            check.rules += ("DT-TXT-08",)
            check.reading(game, "J-07")
