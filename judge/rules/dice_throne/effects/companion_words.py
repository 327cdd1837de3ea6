"""The words for companions: their growth, health and levels, the damage they take, and what they do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judge.core.messages import Message, Ref
from judge.rules.catalog import Companion, Effect
from judge.rules.dice_throne.effects.numbers import amount_of, count_of
from judge.rules.dice_throne.effects.vocabulary import Shape, Trait, effect_word
from judge.rules.dice_throne.effects.words import run
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import Fault, Game, Pending
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event

COMPANION_CHOICES = frozenset(("build", "improve", "activate_companion"))


def is_active(player: Player, name: str) -> bool:
    """Whether a companion is there and not downed."""
    return bool(player.companions.get(name)) and name not in player.downed


# ------------------------------------------------------------------ growth


@effect_word("grow", Shape.NUMBER, options=("per", "max"), amounts={"each": "fx_amount_each"})
def grow(game: Game, context: Context, effect: Effect) -> None:
    """Grow companions step by step, up to their last stage; `each` grows those that are there, once each."""
    hero = context.by.hero
    if hero is None:
        return
    staged = [companion for companion in hero.companions.values() if companion.stages]
    if effect.amount == "each":
        for companion in staged:
            _grow_each(game, context, companion)
        return
    amount = amount_of(game, context, effect)
    if amount:
        for companion in staged:
            _grow(game, context, companion, amount)


def _grow(game: Game, context: Context, companion: Companion, amount: int) -> None:
    mine = context.by.companions
    if any(mine.get(stage.id) for stage in companion.stages) or _names_stage(context, companion):
        for _ in range(amount):
            _grow_stage(game, context, companion)
        return
    there = mine.get(companion.id, 0)
    now = there + amount if companion.limit is None else min(there + amount, companion.limit)
    mine[companion.id] = now
    _tell_growth(game, context, companion, now - there)


def _grow_each(game: Game, context: Context, companion: Companion) -> None:
    """From the last stage down, so that none grows twice; a full stage takes no more."""
    mine, steps = context.by.companions, 0
    stages = companion.stages
    for lower, upper in zip(stages[-2::-1], stages[:0:-1], strict=True):
        there = mine.get(lower.id, 0)
        room = there if upper.limit is None else max(upper.limit - mine.get(upper.id, 0), 0)
        moved = min(there, room)
        if moved:
            mine[lower.id], mine[upper.id] = there - moved, mine.get(upper.id, 0) + moved
            steps += moved
    _tell_growth(game, context, companion, steps)


def _names_stage(context: Context, companion: Companion) -> bool:
    return bool(context.choices) and context.choices[0] in companion.ids


def _grow_stage(game: Game, context: Context, companion: Companion) -> None:
    """Grow one step: a new companion of the first stage, or one that moves on to the stage named."""
    mine = context.by.companions
    stages = list(companion.stages)
    wanted = context.next_choice() if _names_stage(context, companion) else stages[0].id
    place = next((n for n, stage in enumerate(stages) if stage.id == wanted), 0)
    stage = stages[place]
    is_full = stage.limit is not None and mine.get(stage.id, 0) >= stage.limit
    if is_full or (place and not mine.get(stages[place - 1].id)):
        game.ask(context.n, "choice", "ask_which_stage", stages=[Ref("status", s.id) for s in stages])
        return
    if place:
        mine[stages[place - 1].id] -= 1
    mine[stage.id] = mine.get(stage.id, 0) + 1
    _tell_growth(game, context, companion, 1)


def _tell_growth(game: Game, context: Context, companion: Companion, steps: int) -> None:
    game.step(
        "step_grew", ("DT-COMP-01",), (context.n,), steps,
        player=context.by.id, companion=Ref("status", companion.id), n=steps,
    )  # fmt: skip


# ------------------------------------------------------------------ health


def _count(game: Game, context: Context, effect: Effect) -> int:
    times = 1 if effect.per is None else count_of(game, context, effect.per) or 0
    return int(effect.count) * times if isinstance(effect.count, int) else 0


@effect_word("heal_companion", Shape.STATUS, options=("count", "per"), traits=(Trait.COMPANION,))
def heal_companion(game: Game, context: Context, effect: Effect) -> None:
    companion = game.catalog.companion(effect.status)
    most = companion.health if companion is not None else 0
    there = context.by.companions.get(effect.status, 0)
    now = there + _count(game, context, effect)
    _set_health(game, context, effect.status, min(now, max(most, there)) if most else now)


@effect_word("damage_companion", Shape.STATUS, options=("count", "per"), traits=(Trait.COMPANION,))
def damage_companion(game: Game, context: Context, effect: Effect) -> None:
    hurt(game, context.by, effect.status, _count(game, context, effect), context.n)


def hurt(game: Game, player: Player, name: str, amount: int, n: Any) -> None:
    """Damage to a companion; without health left it is downed."""
    now = max(player.companions.get(name, 0) - amount, 0)
    player.companions[name] = now
    if not now:
        player.downed.add(name)
    thing = Ref("status", name)
    game.step("step_companion_health", ("DT-COMP-01",), (n,), now, player=player.id, companion=thing, n=now)


def _set_health(game: Game, context: Context, name: str, now: int) -> None:
    context.by.companions[name] = now
    game.step(
        "step_companion_health", ("DT-COMP-01",), (context.n,), now,
        player=context.by.id, companion=Ref("status", name), n=now,
    )  # fmt: skip


@effect_word("revive", Shape.STATUS, traits=(Trait.COMPANION,))
def revive(game: Game, context: Context, effect: Effect) -> None:
    """A downed companion becomes active again with the health it has."""
    if context.by.companions.get(effect.status):
        context.by.downed.discard(effect.status)


@effect_word("redirect_damage", Shape.STATUS, traits=(Trait.DEFENSIVE, Trait.COMPANION))
def redirect_damage(game: Game, context: Context, effect: Effect) -> None:
    """The companion takes all damage of this Roll Phase in its player's place."""
    game.pool(context.by).passed_on = (effect.status, None)


@effect_word("split_damage", Shape.STATUS, traits=(Trait.DEFENSIVE, Trait.COMPANION))
def split_damage(game: Game, context: Context, effect: Effect) -> None:
    """The damage of this Roll Phase is shared as the player likes; the choice is what the companion takes."""
    pool = game.pool(context.by)

    def settle(event: Event | None, value: Any) -> Fault | None:
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            return Message("expected_integer"), ("DT-COMP-01",)
        pool.passed_on = (effect.status, value)
        return None

    wanted = context.next_choice()
    if wanted is not None:
        fault = settle(None, wanted)
        if fault is not None:
            game.refuse(fault)
        return
    question = Message("ask_how_much_to_companion", companion=Ref("status", effect.status))
    by, most = frozenset((context.by.id,)), context.by.companions.get(effect.status, 0)
    options = tuple(range(most + 1))
    game.pending.append(Pending(context.n, by, settle, question=question, options=options))


# ------------------------------------------------------------------ levels and uses


@effect_word("build", Shape.STATUS, options=("count",), traits=(Trait.COMPANION,))
def build(game: Game, context: Context, effect: Effect) -> None:
    """A companion is built up to a level that it does not have yet."""
    name = _named(game, context, effect, buildable(context.by, effect))
    if name is not None:
        _set_level(game, context, name, _level(effect))


@effect_word("improve", Shape.STATUS, traits=(Trait.COMPANION,))
def improve(game: Game, context: Context, effect: Effect) -> None:
    """A companion that is built gets one level more."""
    name = _named(game, context, effect, buildable(context.by, effect))
    if name is not None:
        _set_level(game, context, name, context.by.companions[name] + 1)


def _level(effect: Effect) -> int:
    return int(effect.count) if isinstance(effect.count, int) else 1


def buildable(player: Player, effect: Effect) -> list[str]:
    """The companions that `build` or `improve` can act on."""
    levels = {c.id: (player.companions.get(c.id, 0), c.levels) for c in _of_hero(player) if c.levels}
    if effect.op == "improve":
        return [name for name, (now, most) in levels.items() if 0 < now < most]
    return [name for name, (now, most) in levels.items() if now < min(_level(effect), most)]


def _set_level(game: Game, context: Context, name: str, level: int) -> None:
    context.by.companions[name] = level
    game.step(
        "step_built", ("DT-COMP-01",), (context.n,), level,
        player=context.by.id, companion=Ref("status", name), n=level,
    )  # fmt: skip


def _offered(game: Game, player: Player, effect: Effect) -> list[str]:
    if effect.op == "activate_companion":
        return [each.id for each in _of_hero(player) if _can_act(game, player, each)]
    return buildable(player, effect)


def companion_fault(game: Game, player: Player, effect: Effect, wanted: Any) -> Fault | None:
    """Why a word cannot act on the companion that a choice names; None if it can."""
    options = _offered(game, player, effect)
    if effect.status != "any":
        options = [name for name in options if name == effect.status]
    is_named = isinstance(wanted, str)
    if (is_named and wanted in options) or (not is_named and (options or effect.up_to is not None)):
        return None
    return Message("choice_not_offered", options=[Ref("status", name) for name in options]), ("DT-COMP-01",)


def _of_hero(player: Player) -> list[Companion]:
    return list(player.hero.companions.values()) if player.hero is not None else []


def _named(game: Game, context: Context, effect: Effect, options: Sequence[str]) -> str | None:
    """The companion a word means: named by it, by the choice, or the only one possible."""
    if effect.status != "any":
        options = [effect.status] if effect.status in options else []
    wanted = context.choices[0] if context.choices else None
    if isinstance(wanted, str) and wanted not in options:
        game.refuse(
            (Message("choice_not_offered", options=[Ref("status", o) for o in options]), ("DT-COMP-01",))
        )
        return None
    if isinstance(wanted, str):
        return str(context.next_choice())
    if len(options) == 1:
        return options[0]
    if options:
        game.ask(context.n, "choice", "ask_which_companion", companions=[Ref("status", o) for o in options])
    else:
        game.fizzled = True
    return None


@effect_word(
    "activate_companion", Shape.STATUS, options=("count", "up_to"), traits=(Trait.OPTIONAL, Trait.COMPANION)
)
def activate_companion(game: Game, context: Context, effect: Effect) -> None:
    """Companions act at no cost and outside their own window, none twice in one text nor more often than it
    may in a turn."""
    most = effect.up_to if isinstance(effect.up_to, int) else int(effect.count)
    acted: list[str] = []
    for _ in range(most):
        options = [c.id for c in _of_hero(context.by) if c.id not in acted and _can_act(game, context.by, c)]
        if effect.up_to is not None and not isinstance(next(iter(context.choices), None), str):
            return  # "up to": those the event names
        name = _named(game, context, effect, options)
        if name is None:
            return
        acted.append(name)
        companion = game.catalog.companion(name)
        assert companion is not None
        count_use(game, context.by, name, 1)
        run(game, context, companion.uses[0].effects)


def _can_act(game: Game, player: Player, companion: Companion) -> bool:
    if not companion.uses or not is_active(player, companion.id):
        return False
    most = companion.uses[0].per_turn
    return most is None or times_used(game, player, companion.id, 1) < most


def count_use(game: Game, player: Player, thing: str, n: int) -> None:
    key = f"{player.id} {thing} {n}"
    game.used[key] = game.used.get(key, 0) + 1


def times_used(game: Game, player: Player, thing: str, n: int) -> int:
    """How often the player has made this use in this turn."""
    return game.used.get(f"{player.id} {thing} {n}", 0)
