"""The table of conditions: what an `if` can ask, how its value is written, and the answer.

A new condition is one registration:

    @condition("hand_at_most", Wants.NUMBER)
    def hand_at_most(game: Game, context: Context, value: int) -> bool: ...

The translations hold its words under `fx_if_<name>`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from judge.rules.catalog import Condition, Needs
from judge.rules.dice_throne.effects.numbers import rolled, sum_of_dice, target_of, upgrades_of
from judge.rules.dice_throne.state.activation import is_met

if TYPE_CHECKING:
    from judge.rules.dice_throne.state.context import Context
    from judge.rules.dice_throne.state.model import Attack, Game
    from judge.rules.dice_throne.state.player import Player

    Answer = Callable[[Game, Context, Any], bool]


class Wants(Enum):
    """The kind of value a condition has in a file."""

    NUMBER = "number"  # nothing where no source gives it
    TRUTH = "truth"
    NAME = "name"  # of a status, a companion, a side
    SYMBOL = "symbol"
    SYMBOLS = "symbols"  # how many of each symbol
    COUNTS = "counts"  # how many of each status or companion
    STRAIGHT = "straight"
    WINDOW = "window"
    PHASES = "phases"  # one, or a list
    CONDITION = "condition"  # one that must not hold


class Question(NamedTuple):
    """One condition: how it is written, its answer, and whether dice decide it."""

    name: str
    wants: Wants
    answer: Answer
    by_dice: bool


CONDITIONS: dict[str, Question] = {}


def condition(name: str, wants: Wants, by_dice: bool = False) -> Callable[[Answer], Answer]:
    """Decorator: register the function that answers a condition."""

    def register(answer: Answer) -> Answer:
        CONDITIONS[name] = Question(name, wants, answer, by_dice)
        return answer

    return register


def waits_for_damage(asked: Condition) -> bool:
    """Whether only the damage that the Attack deals decides it."""
    if asked.kind == "not":
        return waits_for_damage(asked.value)
    return asked.kind == "dealt_at_least"


def holds(game: Game, context: Context, asked: Condition) -> bool:
    """Whether a condition is met; a number that no source gives is asked for."""
    question = CONDITIONS[asked.kind]
    if asked.value is None and question.wants is Wants.NUMBER:
        game.ask(context.n, "effects", "ask_threshold")
        return False
    answer = question.answer(game, context, asked.value)
    return not answer if question.wants is Wants.TRUTH and asked.value is False else answer


# ------------------------------------------------------------------ dice


@condition("symbols", Wants.SYMBOLS, by_dice=True)
def _symbols(game: Game, context: Context, value: Mapping[str, int]) -> bool:
    dice = rolled(game, context)
    if dice is None:
        return False
    shown = game.symbols(context.by, dice)
    return all(shown.get(symbol, 0) >= times for symbol, times in value.items())


@condition("kind", Wants.NUMBER, by_dice=True)
def _kind(game: Game, context: Context, value: int) -> bool:
    dice = rolled(game, context)
    return dice is not None and is_met(game, context.by, Needs(kind=value), dice)


@condition("straight", Wants.STRAIGHT, by_dice=True)
def _straight(game: Game, context: Context, value: str) -> bool:
    dice = rolled(game, context)
    return dice is not None and is_met(game, context.by, Needs(straight=value), dice)


@condition("sum_at_least", Wants.NUMBER, by_dice=True)
def _sum_at_least(game: Game, context: Context, value: int) -> bool:
    total = sum_of_dice(game, context)
    return total is not None and total >= value


@condition("sum_at_most", Wants.NUMBER, by_dice=True)
def _sum_at_most(game: Game, context: Context, value: int) -> bool:
    total = sum_of_dice(game, context)
    return total is not None and total <= value


# ------------------------------------------------------------------ what the text did so far


@condition("added_at_least", Wants.NUMBER)
def _added_at_least(game: Game, context: Context, value: int) -> bool:
    return context.added >= value


@condition("dealt_at_least", Wants.NUMBER)
def _dealt_at_least(game: Game, context: Context, value: int) -> bool:
    return False  # known only once the damage is computed: the `if` itself waits for that


@condition("none_removed", Wants.TRUTH)
def _none_removed(game: Game, context: Context, value: bool) -> bool:
    return not any(context.removed.values())


@condition("removed_at_least", Wants.NUMBER)
def _removed_at_least(game: Game, context: Context, value: int) -> bool:
    return sum(context.removed.values()) >= value


# ------------------------------------------------------------------ tokens, companions and the board


@condition("holds", Wants.NAME)
def _holds(game: Game, context: Context, value: str) -> bool:
    return context.by.statuses.get(value, 0) > 0


@condition("has", Wants.COUNTS)
def _has(game: Game, context: Context, value: Mapping[str, int]) -> bool:
    return _holds_all(context.by, value)


@condition("target_has", Wants.COUNTS)
def _target_has(game: Game, context: Context, value: Mapping[str, int]) -> bool:
    return any(_holds_all(player, value) for player in target_of(game, context))


def _holds_all(player: Player, wanted: Mapping[str, int]) -> bool:
    return all(player.statuses.get(status_id, 0) >= least for status_id, least in wanted.items())


@condition("active", Wants.NAME)
def _active(game: Game, context: Context, value: str) -> bool:
    return bool(context.by.companions.get(value)) and value not in context.by.downed


@condition("downed", Wants.NAME)
def _downed(game: Game, context: Context, value: str) -> bool:
    return value in context.by.downed


@condition("companion_at_least", Wants.COUNTS)
def _companion_at_least(game: Game, context: Context, value: Mapping[str, int]) -> bool:
    return all(context.by.companions.get(name, 0) >= least for name, least in value.items())


@condition("upgrades_at_least", Wants.NUMBER)
def _upgrades_at_least(game: Game, context: Context, value: int) -> bool:
    return upgrades_of(context.by) >= value


@condition("side", Wants.NAME)
def _side(game: Game, context: Context, value: str) -> bool:
    return context.by.side == value


# ------------------------------------------------------------------ the Attack and the turn


@condition("inflicted", Wants.TRUTH)
def _inflicted(game: Game, context: Context, value: bool) -> bool:
    attack = game.attack
    return attack is not None and any(player is context.by for player, _ in attack.inflicted)


@condition("spent", Wants.NAME)
def _spent(game: Game, context: Context, value: str) -> bool:
    return game.attack is not None and value in game.attack.spent


@condition("own_attack", Wants.TRUTH)
def _own_attack(game: Game, context: Context, value: bool) -> bool:
    attack = game.attack
    return attack is not None and attack.is_attack and attack.by is context.by


@condition("attacked", Wants.TRUTH)
def _attacked(game: Game, context: Context, value: bool) -> bool:
    attack = game.attack
    return attack is not None and attack.is_attack and context.by in attack.targets


@condition("chosen_opponent", Wants.TRUTH)
def _chosen_opponent(game: Game, context: Context, value: bool) -> bool:
    """Whether the event names an opponent; while it names nobody, either answer is still possible."""
    names = context.names
    return game.is_opponent(context.by, names[0]) if names else value


@condition("before_defence", Wants.TRUTH)
def _before_defence(game: Game, context: Context, value: bool) -> bool:
    return game.attack is not None and not game.attack.defended


@condition("attack_at_least", Wants.NUMBER)
def _attack_at_least(game: Game, context: Context, value: int) -> bool:
    return game.attack is not None and attack_damage(game, game.attack) >= value


def attack_damage(game: Game, attack: Attack) -> int:
    """The damage of the Attack that waits for its target."""
    return sum(deal.amount for each in attack.targets for deal in game.pool(each).deals if deal.attack)


@condition("damaged_holder_of", Wants.COUNTS)
def _damaged_holder_of(game: Game, context: Context, value: Mapping[str, int]) -> bool:
    mine = [(then, before) for attacker, then, before in game.damaged if attacker is context.by]
    if any(_holds_enough(before, value) for _, before in mine):
        return True
    return any(_holds_enough(then, value) for then, _ in mine) and game.reading("J-30") == "a"


def _holds_enough(held: Mapping[str, int], value: Mapping[str, int]) -> bool:
    return all(held.get(status_id, 0) >= least for status_id, least in value.items())


@condition("would_defeat", Wants.TRUTH)
def _would_defeat(game: Game, context: Context, value: bool) -> bool:
    pool = context.pool or game.pools.get(context.by.id)
    waiting = sum(deal.amount for deal in pool.deals) if pool is not None else 0
    return waiting >= game.health_of(context.by)


@condition("roll_attempts_at_most", Wants.NUMBER)
def _roll_attempts_at_most(game: Game, context: Context, value: int) -> bool:
    if "offensive-roll" in game.skipped and game.reading("J-33") == "b":
        return False
    return game.attempts <= value


@condition("phase", Wants.PHASES)
def _phase(game: Game, context: Context, value: tuple[str, ...]) -> bool:
    return game.phase is None or game.phase in value


@condition("ability_uses", Wants.SYMBOL)
def _ability_uses(game: Game, context: Context, value: str) -> bool:
    return game.attack is not None and value in _symbols_of(game, game.attack)


def _symbols_of(game: Game, attack: Attack) -> set[str]:
    """The symbols that the activated ability's condition names, at the level in play."""
    ability = game.catalog.find_ability(attack.by.hero_id, attack.ability)
    upgrade = attack.by.upgrades.get(attack.ability)
    level = upgrade.level if upgrade is not None else 1
    card = game.catalog.find_upgrade(attack.by.hero_id, attack.ability, level)
    needs = ability.needs if ability is not None else None
    if card is not None and card.needs is not None:
        needs = card.needs
    if needs is None:
        return set()
    return {symbol for line in (needs, *needs.tiers) for symbol in line.symbols}


@condition("when", Wants.WINDOW)
def _when(game: Game, context: Context, value: str) -> bool:
    return False  # the window itself starts what stands in it


@condition("not", Wants.CONDITION)
def _not(game: Game, context: Context, value: Condition) -> bool:
    return not holds(game, context, value)
