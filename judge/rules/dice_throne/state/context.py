"""The context of one event's effects: who acts, on whom, with which dice and which choices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from judge.core.messages import Ref
from judge.rules.catalog import Effect
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.pools import Pool
from judge.rules.dice_throne.state.table import Label

_NONE: list[Any] = []  # means "no dice, no choices"; never changed
_NOTHING: Mapping[str, int] = {}


class _Untouched:
    """What most texts never set stands here, once for all of them."""

    friends: Sequence[Player] = ()  # players of the own side that an ability names
    names: Sequence[Player] = ()  # every player the event names, for separate choices
    roll: list[int] | None = None
    dice_needed = 1  # how many dice the text looks at, for the question if the file does not give them
    cursor = 0
    shown: list[int] = _NONE  # the dice of the last roll of this text
    gained_cp = 0  # by this text
    dealt: int | None = None  # by the Attack, once its damage is computed
    named = 0  # how many of the names separate choices have used
    rerolls = False  # the event changes dice of its own roll
    is_one_may = False  # the whole text is one "may": using it is to take it
    added = 0
    total: int | None = None


class Context(_Untouched):
    """`kind` is ability, defence, card, status, upkeep, passive or does. `dice` are those rolled by the text,
    `roll` those that activated the ability. `pool` is set where the event answers one isolated source."""

    __slots__ = (
        "by", "choices", "cp", "dice", "holder", "kind", "n", "on", "pool", "removed", "rules", "source",
        "targets",
    )  # fmt: skip

    def __init__(self, n: Label, by: Player, kind: str, source: Ref | None = None) -> None:
        self.n, self.kind, self.source = n, kind, source
        self.by = self.holder = by
        self.cp = by.cp  # at the activation; what the text itself gains or pays changes it
        self.on: Sequence[Player] = ()
        self.targets: Sequence[Player] | None = None
        self.dice: list[int] = _NONE
        self.choices = _NONE
        self.pool: Pool | None = None
        self.rules: tuple[str, ...] = ()
        self.removed = _NOTHING

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


def receivers(game: Game, context: Context, effect: Effect, word: str) -> Sequence[Player] | None:
    """The players an effect reaches; None if the file does not say."""
    to = effect.to or word
    if to == "target" and context.targets is not None:
        return context.targets
    if to == "chosen-player" and word in ("target", to):
        return _named_victim(context)
    reach = RECEIVERS.get(to)
    if reach is not None:
        return reach(game, context, effect)
    named = game.players.get(to)
    return [named] if named is not None else None


def reached(game: Game, context: Context, effect: Effect, word: str) -> Sequence[Player]:
    """The players an effect reaches; if the file does not say, it is asked."""
    if word == "self" and not effect.to:
        return (context.by,)
    whom = receivers(game, context, effect, word)
    if whom is None:
        game.ask(context.n, "on", "ask_whom")
    return whom or ()


def _named_victim(context: Context) -> Sequence[Player] | None:
    """The player whom a text that hurts was said to mean; nobody hurts themselves unasked."""
    names = context.names or context.on
    return ([player for player in names if not player.dead] or names)[:1] if names else None


def _target(game: Game, context: Context, effect: Effect) -> Sequence[Player] | None:
    """Of an effect that names nobody: the Attack's target, the attacker, or the only opponent."""
    if context.targets is not None:
        return context.targets
    if context.on:
        return context.on
    attack = game.attack
    if attack is not None:
        if context.by is attack.by or not game.is_opponent(context.by, attack.by):
            return attack.targets or None
        return [attack.by]
    return _only_opponent(game, context)


def _only_opponent(game: Game, context: Context) -> Sequence[Player] | None:
    opponents = game.opponents(context.by)
    return opponents if len(opponents) == 1 else None


def _self(game: Game, context: Context, effect: Effect) -> Sequence[Player]:
    return [context.by]


def _holder(game: Game, context: Context, effect: Effect) -> Sequence[Player]:
    return [context.holder]


def _attacker(game: Game, context: Context, effect: Effect) -> Sequence[Player] | None:
    return [game.attack.by] if game.attack is not None else (context.on or None)


def _that_opponent(game: Game, context: Context, effect: Effect) -> Sequence[Player] | None:
    return [game.active] if game.active is not None else None


def _all_opponents(game: Game, context: Context, effect: Effect) -> Sequence[Player]:
    return game.opponents(context.by)


def _all_players(game: Game, context: Context, effect: Effect) -> Sequence[Player]:
    return [player for player in game.seats if not player.dead]


def _chosen_player(game: Game, context: Context, effect: Effect) -> Sequence[Player]:
    if context.kind in ("ability", "defence"):
        return context.friends or [context.by]  # an effect that helps does not mean the Attack's target
    return context.on or [context.by]


def _chosen_opponent(game: Game, context: Context, effect: Effect) -> Sequence[Player] | None:
    """One opponent: of several that an ability names, the first one who is not its target."""
    attack = game.attack
    if context.on:
        targets = attack.targets if attack is not None and context.kind == "ability" else ()
        return [other for other in context.on if other not in targets][:1] or context.on
    if attack is not None and attack.by is context.by and attack.targets:
        return attack.targets
    return _only_opponent(game, context)


def _chosen_teammate(game: Game, context: Context, effect: Effect) -> Sequence[Player] | None:
    mates = game.mates(context.by)
    named = [player for player in (*context.on, *context.friends) if player in mates]
    return named or (mates if len(mates) < 2 else None)


def _next_chosen_player(game: Game, context: Context, effect: Effect) -> Sequence[Player]:
    return _next_of(context, context.names) or [context.by]


def _next_chosen_opponent(game: Game, context: Context, effect: Effect) -> Sequence[Player] | None:
    opponents = game.opponents(context.by)
    named = [player for player in context.names or context.on if player in opponents]
    return _next_of(context, named or (opponents if len(opponents) == 1 else []))


def _next_of(context: Context, named: Sequence[Player]) -> Sequence[Player] | None:
    """The player of the next separate choice. One name, or the only opponent, serves all of them."""
    if not named:
        return None
    place = min(context.named, len(named) - 1)
    context.named += 1
    return [named[place]]


def _opponents_named(game: Game, context: Context, names: Iterable[Player], most: int) -> list[Player] | None:
    """The opponents named; if none is, all of them where there are no more than that."""
    opponents = game.opponents(context.by)
    named = [player for player in names if player in opponents]
    return named[:most] or (opponents if len(opponents) <= most else None) or None


def _two_opponents(game: Game, context: Context, effect: Effect) -> Sequence[Player] | None:
    return _opponents_named(game, context, dict.fromkeys(context.names or context.on), 2)


def _up_to_two_opponents(game: Game, context: Context, effect: Effect) -> Sequence[Player] | None:
    """One of them may be named twice."""
    return _opponents_named(game, context, context.names or context.on, 2)


def _up_to_three_opponents(game: Game, context: Context, effect: Effect) -> Sequence[Player] | None:
    return _opponents_named(game, context, dict.fromkeys(context.names or context.on), 3)


def _up_to_two_players(game: Game, context: Context, effect: Effect) -> Sequence[Player]:
    named = [player for player in dict.fromkeys(context.names) if not player.dead]
    return named[:2] or [context.by]


# The values of `to` and `from` besides a player's id, and whom each means. "chosen" is one choice for the
# whole text, "next-chosen" a choice of its own each time.
RECEIVERS: dict[str, Callable[[Game, Context, Effect], Sequence[Player] | None]] = {
    "target": _target,
    "self": _self,
    "holder": _holder,
    "attacker": _attacker,
    "that-opponent": _that_opponent,
    "all-opponents": _all_opponents,
    "all-players": _all_players,
    "chosen-player": _chosen_player,
    "chosen-opponent": _chosen_opponent,
    "chosen-teammate": _chosen_teammate,
    "next-chosen-player": _next_chosen_player,
    "next-chosen-opponent": _next_chosen_opponent,
    "2-chosen-opponents": _two_opponents,
    "up-to-2-chosen-opponents": _up_to_two_opponents,
    "up-to-3-chosen-opponents": _up_to_three_opponents,
    "up-to-2-chosen-players": _up_to_two_players,
}
