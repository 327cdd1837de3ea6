"""Checks what an event says of its text: the options chosen, the dice rolled and the players named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from judge.rules.catalog import Card, Companion, Effect, Effects, Status, flat
from judge.rules.dice_throne.effects.companion_words import COMPANION_CHOICES
from judge.rules.dice_throne.effects.foresight import (
    Foresight,
    dice_wanted,
    in_force,
    numbered,
    takes_choice,
)
from judge.rules.dice_throne.effects.prices import Purse
from judge.rules.dice_throne.effects.triggers import passive_text
from judge.rules.dice_throne.effects.vocabulary import TARGETS, Trait, words_that
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.altering import most_changes
from judge.rules.dice_throne.verbs.legality import Check
from judge.rules.dice_throne.verbs.uses import price_of_use

_OPPONENTS_ONLY = frozenset(word for word in TARGETS if word.endswith(("-opponent", "-opponents")))
_NOBODY_CHOSEN = frozenset(("self", "holder", "attacker", "all-players", "all-opponents", "that-opponent"))
_ONE = frozenset(("chosen-player", "chosen-opponent", "chosen-teammate"))
_NEEDS_TARGET = words_that(Trait.NEEDS_TARGET) | words_that(Trait.DAMAGE)
_DIE_CHANGES = words_that(Trait.DIE_CHANGE)


def check_text(
    game: Game,
    event: Event,
    player: Player,
    effects: Effects | None,
    check: Check,
    choices: Sequence[Any] | None = None,
) -> None:
    """What speaks against the dice and choices that an event gives for its text."""
    if effects is None:
        return
    if event.dice:
        _check_number_of_dice(event, effects, check)
    if event.rerolls:
        _check_rerolls(game, event, player, effects, check)
    wanted = event.choice if choices is None else choices
    if wanted:
        wanted = _without_the_stage(event, numbered(effects, wanted))
    if wanted or event.rerolls or event.changes or not event.words.isdisjoint(COMPANION_CHOICES):
        _check_choices(game, event, player, effects, wanted, check)


def _without_the_stage(event: Event, choices: Sequence[Any]) -> Sequence[Any]:
    """The choices after that of the stage of a companion that acts."""
    is_stage = isinstance(event.thing, Companion) and choices and choices[0] in event.thing.ids
    return choices[1:] if is_stage else choices


def note_unused(game: Game, event: Event, effects: Effects, choices: Sequence[Any]) -> None:
    """Say which dice and choices of an event its text has no use for."""
    words = {effect.op for effect in flat(effects)}
    is_rolling = event.verb == "defend" or "activate_companion" in words or bool(dice_wanted(effects))
    if event.dice and not is_rolling:
        game.note("dice_not_used")
    is_stage = isinstance(event.thing, Companion) and choices and choices[0] in event.thing.ids
    player = game.players[event.by]
    if choices and not is_stage and not takes_choice(game, player, effects, choices[0]):
        game.note("choice_not_used")


def _check_choices(
    game: Game, event: Event, player: Player, effects: Effects, wanted: Sequence[Any], check: Check
) -> None:
    context = _choosing_context(game, event, player, effects)
    ahead = Foresight(game, context, wanted, bool(event.rerolls or event.changes))
    _put_aside(game, event, ahead.purse)
    unmet = ahead.fault(in_force(game, player, effects, event.dice))
    if unmet is not None:
        check.faults.append(unmet)
    elif event.changes and not (ahead.changes_dice or ahead.stopped) and _is_printed(event, effects):
        check.fault(("DT-DICE-01",), "text_changes_no_dice")


def _choosing_context(game: Game, event: Event, player: Player, effects: Effects) -> Context:
    context = Context(event.n, player, event.verb)
    context.on = context.names = game.named(event.on)
    if event.verb == "activate" and not any(effect.op == "roll" for effect in flat(effects)):
        context.roll = list(game.dice) if game.dice else None
    return context


def _is_printed(event: Event, effects: Effects) -> bool:
    """Whether the text says which dice it changes: a printed one does, an entered one may leave it out."""
    return event.effects is None or any(effect.op in _DIE_CHANGES for effect in flat(effects))


def _put_aside(game: Game, event: Event, purse: Purse) -> None:
    """What the event itself takes cannot pay for the choices of its text."""
    if event.use is not None and isinstance(event.thing, Companion | Status):
        for name, count in price_of_use(purse.player, event.thing, event.use).items():
            purse.tokens[name] = purse.tokens.get(name, 0) - count
    elif event.verb == "spend" and event.value in purse.tokens:
        purse.tokens[str(event.value)] -= 1
    elif event.verb == "play" and event.n not in game.paid:
        printed = event.thing.cost if isinstance(event.thing, Card) else None
        purse.cp -= event.cost if event.cost is not None else printed or 0
        purse.cards -= 1


def _check_number_of_dice(event: Event, effects: Effects, check: Check) -> None:
    """ "Roll X" is one roll of X dice (DT-TXT-01)."""
    wanted = dice_wanted(effects)
    if wanted and len(event.dice) not in wanted:
        check.fault(("DT-TXT-01",), "wrong_number_of_dice", need=max(wanted), has=len(event.dice))


def _check_rerolls(game: Game, event: Event, player: Player, effects: Effects, check: Check) -> None:
    """Dice of its own roll that a text lets its player re-roll before they count."""
    check.rules += ("DT-DICE-01",)
    most = most_changes(game, player, effects) + _further_rerolls(game, event, player)
    if not most:
        check.fault(("DT-DICE-01",), "text_changes_no_dice")
    elif len({change.die for change in event.rerolls}) > most:
        check.fault(("DT-DICE-01",), "too_many_dice_changed", n=most)
    if any(change.die > len(event.dice) for change in event.rerolls):
        check.fault(("DT-DICE-01",), "dice_are_gone")


def _further_rerolls(game: Game, event: Event, player: Player) -> int:
    """How many dice of a token being spent the player's passives and own Attack let them re-roll."""
    if event.verb != "spend":
        return 0
    attack, hero = game.attack, player.hero
    texts = [passive_text(game, player, each) for each in hero.passives(player.side)] if hero else []
    if attack is not None and attack.by is player:
        texts.append(attack.effects)
    named = [
        effect
        for text in texts
        for effect in flat(text)
        if effect.condition is not None
        and (effect.condition.kind, effect.condition.value) == ("spent", event.value)
    ]
    return most_changes(game, player, tuple(named))


def check_named(game: Game, player: Player, event: Event, effects: Effects | None, check: Check) -> None:
    """The players named must be such as the text lets its player choose, and no more than it lets choose."""
    chosen = set(_chosen(effects))
    if not chosen or _reaches_the_target(effects):
        return
    _check_sides(game, player, event, chosen, check)
    names = dict.fromkeys(event.on)
    most = _most(effects)
    if most is not None and len(names) > most and event.verb != "does":
        rule = "DT-CARD-05" if event.verb == "play" else "DT-ABL-02"
        check.fault((rule,), "too_many_players_named", n=most, players=list(names))


def _check_sides(game: Game, player: Player, event: Event, chosen: set[str], check: Check) -> None:
    named = game.named(event.on)
    if chosen <= _OPPONENTS_ONLY:
        for other in named:
            if not game.is_opponent(player, other):
                check.fault(("DT-STAT-11", "DT-CARD-05"), "target_is_no_opponent", player=other.id)
    elif chosen == {"chosen-teammate"} and named and not set(event.on) & {p.id for p in game.mates(player)}:
        check.fault(("DT-2V2-01", "DT-CARD-05"), "target_is_no_mate", player=named[0].id)


def _chosen(effects: Effects | None) -> Iterator[str]:
    """The words by which a text lets players be chosen."""
    for effect in flat(effects):
        for word in (effect.to, effect.source):
            if word and word not in _NOBODY_CHOSEN:
                yield word


def _reaches_the_target(effects: Effects | None) -> bool:
    """Whether a part of the text names nobody and so goes to whoever is the target."""
    return any(effect.op in _NEEDS_TARGET and not (effect.to or effect.source) for effect in flat(effects))


def _most(effects: Effects | None) -> int | None:
    """How many players the text lets its player choose at most; None where it may name anybody."""
    words = list(_chosen(effects))
    if any(word not in _ONE and "chosen" not in word for word in words):
        return None
    moved = [word for effect in flat(effects) if effect.op == "transfer" for word in _ends(effect)]
    roles = len(moved) if moved else len(_ONE.intersection(words))
    return roles + sum(_number(word) for word in words if word not in _ONE)


def _ends(effect: Effect) -> Iterator[str]:
    yield from (word for word in (effect.to, effect.source) if word in _ONE)


def _number(word: str) -> int:
    """ "next-chosen" is one more each time; the others say how many."""
    return 1 if word.startswith("next") else next(int(part) for part in word.split("-") if part.isdigit())
