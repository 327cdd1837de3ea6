"""The text of a board space: at the level in play, and by the line that the dice or a choice give."""

from __future__ import annotations

from judge.core.messages import Ref
from judge.rules.catalog import Ability, Card, Companion, Effects, Needs, Status
from judge.rules.dice_throne.state.activation import highest_tier
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event


def board_entry(
    game: Game, player: Player, event: Event
) -> tuple[Needs | None, Effects | None, tuple[Effects, ...]]:
    """Condition, effects and tiers of an ability at the level in play (DT-ABL-02)."""
    thing = event.thing
    if not isinstance(thing, Ability):
        return event.needs, event.effects, ()
    needs, effects, tiers = thing.needs, thing.effects, thing.tier_effects
    upgrade = player.upgrades.get(thing.id)
    if upgrade is not None and upgrade.level > 1:
        card = game.catalog.find_upgrade(player.hero_id, thing.id, upgrade.level)
        if card is None:
            effects, tiers = None, ()
        else:
            effects, tiers = card.effects, card.tier_effects
            needs = card.needs or needs
    return event.needs or needs, event.effects if event.effects is not None else effects, tiers


def level_entry(game: Game, player: Player, event: Event) -> Ability | Card | Companion | Status | None:
    """The entry that holds the text in use: the ability itself, or the upgrade of the level in play."""
    thing = event.thing
    level = player.upgrades.get(thing.id) if isinstance(thing, Ability) else None
    if level is None or level.level < 2:
        return thing
    return game.catalog.find_upgrade(player.hero_id, str(event.value), level.level)


def chosen_effects(game: Game, player: Player, event: Event) -> Effects:
    """What the activated ability does: the file's effects, else the tier used and the printed text."""
    if event.effects is not None:
        return event.effects
    needs, effects, tiers = board_entry(game, player, event)
    if effects is None:
        game.ask_text(event.n, Ref("ability", str(event.value)), level_entry(game, player, event))
        return ()
    if not tiers or needs is None:
        return effects
    tier = used_tier(game, player, event, needs)
    if tier == 0:
        game.ask(event.n, "dice", "ask_tier", thing=Ref("ability", str(event.value)))
        return effects
    return (*tiers[tier - 1], *effects)


def used_tier(game: Game, player: Player, event: Event, needs: Needs) -> int:
    """The tier named by `choice` or `needs`, else the highest the dice satisfy; a lower one rests on J-15."""
    printed = event.thing.needs if isinstance(event.thing, Ability) else None
    if event.needs is not None and printed is not None and printed.tiers:
        needs = printed
        named = printed.tiers.index(event.needs) + 1 if event.needs in printed.tiers else 0
    else:
        named = min(line_of(game, player, event), len(needs.tiers))
    highest = highest_tier(game, player, needs, game.dice) if game.dice and needs.tiers else 0
    if 0 < named < highest:
        return named if game.reading("J-15") == "b" else highest
    return named or highest


def line_of(game: Game, player: Player, event: Event) -> int:
    """The line of an ability that its activation names, as the first of its choices; 0 if it names none."""
    first = event.choice[0] if event.choice and event.effects is None else 0
    if not isinstance(first, int) or isinstance(first, bool) or first < 1:
        return 0
    return first if board_entry(game, player, event)[2] else 0


def text_in_play(game: Game, player: Player, event: Event) -> Effects | None:
    """The text of an ability as the dice and the event's choice stand; None if no source gives it."""
    if event.effects is not None:
        return event.effects
    needs, effects, tiers = board_entry(game, player, event)
    if effects is None or not tiers or needs is None:
        return effects
    highest = highest_tier(game, player, needs, game.dice) if game.dice else 0
    line = line_of(game, player, event) or highest
    return (*tiers[line - 1], *effects) if 0 < line <= len(tiers) else effects
