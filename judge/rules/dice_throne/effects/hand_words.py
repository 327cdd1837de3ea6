"""Effects on CP and on cards in hand."""

from __future__ import annotations

from math import ceil

from judge.rules.catalog import Effect
from judge.rules.dice_throne.effects.numbers import amount_of, one_die
from judge.rules.dice_throne.effects.vocabulary import Shape, Trait, effect_word
from judge.rules.dice_throne.state import tokens
from judge.rules.dice_throne.state.context import Context, receivers
from judge.rules.dice_throne.state.model import Game, Player


@effect_word("gain_cp", Shape.NUMBER, options=("to", "per", "max"), traits=(Trait.COUNTED,))
def gain_cp(game: Game, context: Context, effect: Effect) -> None:
    amount = amount_of(game, context, effect)
    if amount:
        for player in receivers(game, context, effect, "self") or []:
            receive_cp(game, context, player, amount)


def receive_cp(game: Game, context: Context, player: Player, amount: int) -> None:
    gained = tokens.gain_cp(game, player, amount)
    if player is context.by:
        context.cp += gained
    game.step(
        "step_gained_cp", ("DT-CP-02", *context.rules), (context.n,), gained, player=player.id, n=gained
    )


@effect_word("gain_cp_fraction_of_die", Shape.FRACTION, traits=(Trait.BY_DICE, Trait.ONE_DIE))
def gain_cp_fraction_of_die(game: Game, context: Context, effect: Effect) -> None:
    value = one_die(game, context)
    if value is not None:
        receive_cp(game, context, context.by, ceil(value * effect.amount))


@effect_word(
    "steal_cp",
    Shape.NUMBER,
    options=("to", "from", "per", "max"),
    traits=(Trait.NEEDS_TARGET, Trait.AGAINST_TARGET, Trait.COUNTED),
    rules=("DT-TXT-06",),
)
def steal_cp(game: Game, context: Context, effect: Effect) -> None:
    amount = amount_of(game, context, effect)
    whom = receivers(game, context, effect, effect.source or "target")
    if amount is None:
        return
    if not whom:
        game.ask(context.n, "on", "ask_whom")
        return
    victim, thief = whom[0], context.by
    if (victim.dead or thief.dead) and game.reading("J-21") == "a":
        game.fizzled = True
        return
    taken = min(amount, victim.cp)
    room = game.numbers.cp_cap - thief.cp
    if taken > room and game.reading("J-06") == "b":
        taken = room
    victim.cp -= taken
    gained = tokens.gain_cp(game, thief, taken)
    context.cp += gained
    game.step(
        "step_stole_cp", ("DT-TXT-06",), (context.n,), gained, player=thief.id, victim=victim.id, n=taken
    )


@effect_word("pay_cp", Shape.NUMBER, amounts={"any": "fx_amount_any"})
def pay_cp(game: Game, context: Context, effect: Effect) -> None:
    paid = context.by.cp if effect.amount == "any" else effect.amount or 0
    if effect.amount == "any":
        wanted = context.next_choice()
        paid = min(wanted, paid) if isinstance(wanted, int) else 0
    paid = min(paid, context.by.cp)
    context.by.cp -= paid
    context.cp -= paid
    context.removed["cp"] = paid


@effect_word("draw", Shape.NUMBER, options=("to", "per", "max"), traits=(Trait.COUNTED,))
def draw(game: Game, context: Context, effect: Effect) -> None:
    amount = amount_of(game, context, effect)
    if amount:
        for player in receivers(game, context, effect, "self") or []:
            drawn = tokens.draw(game, player, amount)
            game.step("step_drew", context.rules, (context.n,), drawn, player=player.id, n=drawn)


@effect_word(
    "discard",
    Shape.NUMBER,
    options=("to", "random"),
    traits=(Trait.AGAINST_TARGET,),
    amounts={"all": "fx_amount_all_cards"},
)
def discard(game: Game, context: Context, effect: Effect) -> None:
    whom = receivers(game, context, effect, "target")
    if not whom:
        game.ask(context.n, "on", "ask_whom")
        return
    for player in whom:
        count = player.hand if effect.amount == "all" else effect.amount or 0
        gone = tokens.discard(player, count)
        game.step("step_discarded", (), (context.n,), gone, player=player.id, n=gone)
