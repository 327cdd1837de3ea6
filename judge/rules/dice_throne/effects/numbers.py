"""The numbers of effects: their amounts, what they are counted by, and the dice they look at."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from judge.rules.catalog import Effect

if TYPE_CHECKING:
    from judge.rules.dice_throne.state.context import Context
    from judge.rules.dice_throne.state.model import Game
    from judge.rules.dice_throne.state.player import Player

    Counter = Callable[[Game, Context, str], int | None]


class Count(NamedTuple):
    """What `per` can count: its name, the function that counts, and what kind of thing it names."""

    name: str
    run: Counter
    names: str  # status | symbol | nothing


COUNTS: dict[str, Count] = {}


def count(name: str, names: str = "status") -> Callable[[Counter], Counter]:
    """Decorator: register what `per: {name: thing}` counts."""

    def register(run: Counter) -> Counter:
        COUNTS[name] = Count(name, run, names)
        return run

    return register


def count_of(game: Game, context: Context, per: tuple[str, str]) -> int | None:
    """How many of the counted thing there are; None if the file does not say."""
    kind, thing = per
    return COUNTS[kind].run(game, context, thing)


@count("status")
def _own_tokens(game: Game, context: Context, thing: str) -> int:
    held = context.holder.statuses.get(thing, 0)
    return min(held, context.holder.foreign.get(thing, held)) if context.kind == "upkeep" else held


@count("target_status")
def _tokens_of_the_target(game: Game, context: Context, thing: str) -> int:
    return sum(player.statuses.get(thing, 0) for player in target_of(game, context))


@count("symbol", names="symbol")
def _symbols(game: Game, context: Context, thing: str) -> int | None:
    dice = rolled(game, context)
    return None if dice is None else game.symbols(context.by, dice).get(thing, 0)


@count("companion")
def _companions(game: Game, context: Context, thing: str) -> int:
    return companions_of(game, context.holder, thing)


@count("built", names="nothing")
def _companions_built(game: Game, context: Context, thing: str) -> int:
    return sum(1 for there in context.holder.companions.values() if there)


@count("removed")
def _removed(game: Game, context: Context, thing: str) -> int:
    return context.removed.get(thing, 0)


@count("cp", names="nothing")
def _cp_paid(game: Game, context: Context, thing: str) -> int:
    return context.removed.get("cp", 0)


@count("upgrades", names="nothing")
def _upgrades(game: Game, context: Context, thing: str) -> int:
    return upgrades_of(context.by)


def upgrades_of(player: Player) -> int:
    """How many Hero Upgrades the player has in play."""
    return sum(upgrade.level > 1 for upgrade in player.upgrades.values())


@count("roll-attempt-beyond-first", names="nothing")
def _further_attempts(game: Game, context: Context, thing: str) -> int:
    return max(game.attempts - 1, 0)


def target_of(game: Game, context: Context) -> list[Player]:
    """The players attacked: of the Attack if there is one, else those the event names."""
    if game.attack is not None and game.attack.targets:
        return list(game.attack.targets)
    return list(context.targets or context.on)


def companions_of(game: Game, player: Player, name: str) -> int:
    """All companions of that name, at whatever stage."""
    companion = game.catalog.companion(name)
    ids = companion.ids if companion is not None and companion.id == name else (name,)
    return sum(player.companions.get(each, 0) for each in ids)


# ------------------------------------------------------------------ amounts


def amount_of(game: Game, context: Context, effect: Effect) -> int | None:
    """The number of an effect, times what it counts; if unknown, None and a question."""
    value: int | None = effect.amount
    if not isinstance(value, int):
        value = _named_amount(game, context, effect)
        if value is None:
            return None
    if effect.per is not None:
        times = count_of(game, context, effect.per)
        if times is None:
            return None
        value *= times
    if effect.fraction is not None:
        value = ceil(value * effect.fraction)
    return value if effect.limit is None else min(value, effect.limit)


def _named_amount(game: Game, context: Context, effect: Effect) -> int | None:
    if effect.amount is None:
        game.ask(context.n, "amount", "ask_amount", thing=context.source or "-")
    elif effect.amount == "sum-of-dice":
        return sum_of_dice(game, context)
    elif effect.amount == "own-cp":
        return context.cp  # as it was at the activation, with what the text gained since
    elif effect.amount == "damage-dealt":
        return context.dealt
    return None


# ------------------------------------------------------------------ dice


def sum_of_dice(game: Game, context: Context) -> int | None:
    if context.total is not None:
        return context.total
    if not context.dice:
        game.ask(context.n, "dice", "ask_dice", n=1)
        return None
    return sum(context.dice)


def rolled(game: Game, context: Context) -> list[int] | None:
    """The dice an effect looks at: those of the text's own roll, else those that activated it."""
    dice = context.shown or context.roll or (context.dice if context.kind != "ability" else None)
    if not dice:
        game.ask(context.n, "dice", "ask_dice", n=context.dice_needed)
        return None
    return dice


def take(game: Game, context: Context, how_many: int) -> list[int] | None:
    """The next dice of the text's roll; None and a question if the file does not give them."""
    dice = context.take_dice(how_many)
    if dice is None:
        game.ask(context.n, "dice", "ask_dice", n=how_many)
    return dice


def one_die(game: Game, context: Context) -> int | None:
    dice = take(game, context, 1)
    return dice[0] if dice is not None else None
