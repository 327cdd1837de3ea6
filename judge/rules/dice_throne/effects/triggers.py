"""What acts by itself in a window: passives, companions, and statuses that are held."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from judge.core.messages import Ref
from judge.rules.catalog import Ability, Effects, Status, flat, window_of
from judge.rules.dice_throne.effects.words import run
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Label
from judge.rules.dice_throne.state.tokens import standing

_NOTHING: Mapping[str, tuple[Status, ...]] = {}


class Trigger(NamedTuple):
    source: Ref
    rules: tuple[str, ...]
    effects: Effects


def in_window(effects: Effects | None, window: str) -> Effects:
    """The part of a text that its window triggers."""
    return tuple(part for effect in effects or () if window_of(effect) == window for part in effect.parts)


def at_any_time(effects: Effects | None) -> Effects:
    """The part of a text that no window triggers: its player may use it."""
    return tuple(effect for effect in effects or () if not window_of(effect))


def passive_text(game: Game, player: Player, ability: Ability) -> Effects | None:
    """A passive's text at the level in play; None if no source gives it."""
    upgrade = player.upgrades.get(ability.id)
    if upgrade is None or upgrade.level == 1:
        return ability.effects
    card = game.catalog.find_upgrade(player.hero_id, ability.id, upgrade.level)
    return card.effects if card is not None else None


def triggers(game: Game, player: Player, window: str) -> Iterator[Trigger]:
    """What acts in a window without a die."""
    for source, rules, text in _texts(game, player, window):
        effects = in_window(text, window)
        if effects and not _rolls(effects):
            yield Trigger(source, rules, effects)


def _texts(game: Game, player: Player, window: str) -> Iterator[Trigger]:
    """The texts that may act in a window: of passives, of companions that are there, and of the hero's own
    tokens, which hold even while none of them is held."""
    hero = player.hero
    if hero is None or player.dead:
        return
    acts = window in hero.windows
    for ability in hero.passives(player.side) if acts else ():
        yield Trigger(Ref("ability", ability.id), ability.rules, passive_text(game, player, ability) or ())
    for status in game.statuses.acting.get(hero.id, _NOTHING).get(window, ()):
        yield Trigger(Ref("status", status.id), status.rules, status.effects or ())
    for companion in hero.companions.values() if acts else ():
        if companion.id in player.companions:
            yield Trigger(Ref("status", companion.id), companion.rules, companion.effects or ())


def _rolls(effects: Effects) -> bool:
    return any(effect.op == "roll" for effect in flat(effects))


def run_triggers(game: Game, player: Player, window: str, n: Label) -> None:
    """Let everything act that this window triggers; what an event resolved in the Upkeep does not."""
    hero = player.hero
    if hero is None or (window not in hero.windows and hero.id not in game.statuses.acting):
        return
    for source, rules, effects in list(triggers(game, player, window)):
        if window != "upkeep" or not game.resolved.get(source.id):
            _act(game, player, source, rules, effects, n)


def run_held(game: Game, player: Player, window: str, n: Label) -> None:
    """Let the statuses act that are held and that this window concerns."""
    for status in standing(game, player, window):
        if status.effects:
            _act(game, player, Ref("status", status.id), status.rules, status.effects, n)


def _act(game: Game, player: Player, source: Ref, rules: tuple[str, ...], effects: Effects, n: Label) -> None:
    context = Context(n, player, "passive", source)
    context.rules = rules
    game.cited.extend(rules)
    run(game, context, effects)
