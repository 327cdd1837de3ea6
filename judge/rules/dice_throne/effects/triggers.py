"""What acts by itself in a window: passives, companions, and statuses that are held."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from judge.core.messages import Ref
from judge.rules.catalog import Ability, Effect, Effects, Status, flat
from judge.rules.dice_throne.effects.words import run
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import Game, Label, Player
from judge.rules.dice_throne.state.tokens import held


class Trigger(NamedTuple):
    source: Ref
    rules: tuple[str, ...]
    effects: Effects


def _window_of(effect: Effect) -> str:
    if effect.op == "if" and effect.condition is not None and effect.condition.kind == "when":
        return str(effect.condition.value)
    return ""


def in_window(effects: Effects | None, window: str) -> Effects:
    """The part of a text that its window triggers."""
    return tuple(part for effect in effects or () if _window_of(effect) == window for part in effect.parts)


def at_any_time(effects: Effects | None) -> Effects:
    """The part of a text that no window triggers: its player may use it."""
    return tuple(effect for effect in effects or () if not _window_of(effect))


def passive_text(game: Game, player: Player, ability: Ability) -> Effects | None:
    """A passive's text at the level in play; None if no source gives it."""
    upgrade = player.upgrades.get(ability.id)
    if upgrade is None or upgrade.level == 1:
        return ability.effects
    card = game.catalog.find_upgrade(player.hero_id, ability.id, upgrade.level)
    return card.effects if card is not None else None


def triggers(game: Game, player: Player, window: str) -> Iterator[Trigger]:
    """What acts in a window without a die: passives, companions that are there, and texts on the hero's own
    tokens, which hold even while none of them is held."""
    if player.hero is None or player.dead:
        return
    for ability in list(player.hero.passives(player.side)):
        effects = in_window(passive_text(game, player, ability), window)
        if effects and not _rolls(effects):
            yield Trigger(Ref("ability", ability.id), ability.rules, effects)
    for status in _statuses_of(game, player.hero.id):
        effects = in_window(status.effects, window)
        if effects and not _rolls(effects):
            yield Trigger(Ref("status", status.id), status.rules, effects)
    for companion in player.hero.companions.values():
        effects = in_window(companion.effects, window)
        if companion.id in player.companions and effects and not _rolls(effects):
            yield Trigger(Ref("status", companion.id), companion.rules, effects)


def _statuses_of(game: Game, hero_id: str) -> list[Status]:
    """The hero's statuses whose sheet lets something happen in a window, whether or not one is held."""
    if hero_id not in game.hero_statuses:
        game.hero_statuses[hero_id] = [
            status
            for status in game.statuses.values()
            if hero_id in status.owners and any(_window_of(effect) for effect in status.effects or ())
        ]
    return game.hero_statuses[hero_id]


def _rolls(effects: Effects) -> bool:
    return any(effect.op == "roll" for effect in flat(effects))


def run_triggers(game: Game, player: Player, window: str, n: Label) -> None:
    """Let everything act that this window triggers; what an event resolved in the Upkeep does not."""
    for source, rules, effects in list(triggers(game, player, window)):
        if window != "upkeep" or not game.resolved.get(source.id):
            _act(game, player, source, rules, effects, n)


def run_held(game: Game, player: Player, window: str, n: Label) -> None:
    """Let the statuses act that are held and that this window concerns."""
    for status in held(game, player, window):
        if not status.spendable and status.effects:
            _act(game, player, Ref("status", status.id), status.rules, status.effects, n)


def _act(game: Game, player: Player, source: Ref, rules: tuple[str, ...], effects: Effects, n: Label) -> None:
    context = Context(n, player, "passive", source)
    context.rules = rules
    game.cited.extend(rules)
    run(game, context, effects)
