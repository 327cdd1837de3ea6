"""The context of one event's effects: who acts, on whom, with which dice and which choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judge.core.messages import Ref
from judge.rules.catalog import Effect
from judge.rules.dice_throne.state.model import Game, Label, Player, Pool

_NONE: list[Any] = []  # means "no dice, no choices"; never changed


class Context:
    """`kind` is ability, defence, card, status, upkeep, passive or does. `dice` are those rolled by the text,
    `roll` those that activated the ability. `pool` is set where the event answers one isolated source."""

    # What most texts never set stands here, once for all of them.
    on: Sequence[Player] = ()
    friends: Sequence[Player] = ()  # players of the own side that an ability names
    names: Sequence[Player] = ()  # every player the event names, for separate choices
    targets: Sequence[Player] | None = None
    dice: list[int] = _NONE
    roll: list[int] | None = None
    dice_needed = 1  # how many dice the text looks at, for the question if the file does not give them
    cursor = 0
    shown: list[int] = _NONE  # the dice of the last roll of this text
    choices: list[Any] = _NONE
    gained_cp = 0  # by this text
    dealt: int | None = None  # by the Attack, once its damage is computed
    named = 0  # how many of the names separate choices have used
    rerolls = False  # the event changes dice of its own roll
    added = 0
    total: int | None = None
    pool: Pool | None = None
    rules: tuple[str, ...] = ()

    def __init__(self, n: Label, by: Player, kind: str, source: Ref | None = None) -> None:
        self.n, self.by, self.kind, self.source = n, by, kind, source
        self.holder = by
        self.cp = by.cp  # at the activation; what the text itself gains or pays changes it
        self.removed: dict[str, int] = {}

    def next_choice(self) -> Any:
        return self.choices.pop(0) if self.choices else None

    def take_dice(self, count: int) -> list[int] | None:
        """The next dice of the text's roll; None if the file does not give them."""
        dice = self.dice[self.cursor : self.cursor + count]
        if len(dice) < count:
            return None
        self.cursor += count
        self.shown = dice
        return dice


def is_own_attack(game: Game, context: Context) -> bool:
    return context.kind == "ability" and game.attack is not None and game.attack.by is context.by


def default_targets(game: Game, context: Context) -> Sequence[Player] | None:
    """The targets of an effect that names nobody: the Attack's target, the attacker, or the only opponent."""
    if context.targets is not None:
        return context.targets
    if context.on:
        return context.on
    attack = game.attack
    if attack is not None:
        if context.by is attack.by or not game.is_opponent(context.by, attack.by):
            return attack.targets or None
        return [attack.by]
    opponents = game.opponents(context.by)
    return opponents if len(opponents) == 1 else None


def receivers(game: Game, context: Context, effect: Effect, word: str) -> Sequence[Player] | None:
    """The players an effect reaches; None if the file does not say."""
    to = effect.to or word
    if to == "target":
        return default_targets(game, context)
    if to in ("self", "holder"):
        return [context.holder if to == "holder" else context.by]
    if to == "attacker":
        return [game.attack.by] if game.attack is not None else (context.on or None)
    if to == "all-opponents":
        return game.opponents(context.by)
    if to == "all-players":
        return [player for player in game.seats if not player.dead]
    if to in _SEVERAL:
        return _several(game, context, *_SEVERAL[to])
    if to.startswith("next-chosen"):
        return _next_chosen(game, context, to == "next-chosen-opponent")
    if to == "chosen-player" and effect.op == "inflict" and context.names:
        return [player for player in context.names if not player.dead][:1]
    return _chosen(game, context, to)


# Several players: how many at most, whether they are opponents, and whether one may be named twice.
_SEVERAL = {
    "2-chosen-opponents": (2, True, False),
    "up-to-2-chosen-opponents": (2, True, True),
    "up-to-3-chosen-opponents": (3, True, False),
    "up-to-2-chosen-players": (2, False, False),
}


def _several(
    game: Game, context: Context, most: int, are_opponents: bool, may_repeat: bool
) -> Sequence[Player] | None:
    """The players named; if none is, all opponents where there are no more than that."""
    names = context.names or context.on
    named = [p for p in (names if may_repeat else dict.fromkeys(names)) if not p.dead]
    if are_opponents:
        opponents = game.opponents(context.by)
        named = [p for p in named if p in opponents] or (opponents if len(opponents) <= most else [])
    return named[:most] or (None if are_opponents else [context.by])


def _next_chosen(game: Game, context: Context, is_opponent: bool) -> Sequence[Player] | None:
    """The player of the next separate choice. One name, or the only opponent, serves all of them."""
    named = list(context.names or context.on)
    if is_opponent:
        opponents = game.opponents(context.by)
        named = [p for p in named if p in opponents] or (opponents if len(opponents) == 1 else [])
    if not named:
        return None if is_opponent else [context.by]
    place = min(context.named, len(named) - 1)
    context.named += 1
    return [named[place]]


def _chosen(game: Game, context: Context, to: str) -> Sequence[Player] | None:
    if to == "that-opponent":
        return [game.active] if game.active is not None else None
    if to == "chosen-teammate":
        mates = game.mates(context.by)
        return [p for p in (*context.on, *context.friends) if p in mates] or (
            mates if len(mates) < 2 else None
        )
    if to == "chosen-player" and context.kind in ("ability", "defence"):
        return context.friends or [context.by]  # an effect that helps does not mean the Attack's target
    if context.on:
        return context.on
    opponents = game.opponents(context.by)
    if to == "chosen-opponent":
        attack = game.attack
        if attack is not None and attack.by is context.by and attack.targets:
            return attack.targets
        return opponents if len(opponents) == 1 else None
    if to == "chosen-player":
        return [context.by]
    named = game.players.get(to)
    return [named] if named is not None else None
