"""Effects on CP and on cards in hand."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from judge.rules.catalog import Effect
from judge.rules.dice_throne.effects.numbers import amount_of, one_die
from judge.rules.dice_throne.effects.vocabulary import Shape, Trait, effect_word
from judge.rules.dice_throne.state import tokens
from judge.rules.dice_throne.state.context import Context, reached, receivers
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player


@effect_word("gain_cp", Shape.NUMBER, options=("to", "per", "max"), traits=(Trait.COUNTED,))
def gain_cp(game: Game, context: Context, effect: Effect) -> None:
    amount = amount_of(game, context, effect)
    if amount:
        for player in reached(game, context, effect, "self"):
            receive_cp(game, context, player, amount)


def receive_cp(game: Game, context: Context, player: Player, amount: int) -> None:
    gained = tokens.gain_cp(game, player, amount)
    if player is context.by:
        context.cp += gained
        context.gained_cp += gained
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
    for victim in whom:
        if victim is not context.by:
            _steal_cp_from(game, context, victim, amount)


def _steal_cp_from(game: Game, context: Context, victim: Player, amount: int) -> None:
    thief = context.by
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


@effect_word(
    "lose_cp",
    Shape.NUMBER,
    options=("to", "per", "max"),
    traits=(Trait.NEEDS_TARGET, Trait.AGAINST_TARGET),
)
def lose_cp(game: Game, context: Context, effect: Effect) -> None:
    """CP go down on a dial and nobody gains them."""
    amount = amount_of(game, context, effect)
    whom = receivers(game, context, effect, "target")
    if whom is None:
        game.ask(context.n, "on", "ask_whom")
    for player in whom or []:
        lost = min(amount or 0, player.cp)
        player.cp -= lost
        game.step("step_lost_cp", context.rules, (context.n,), lost, player=player.id, n=lost)


@effect_word("steal_gained_cp", Shape.NUMBER, traits=(Trait.NEEDS_TARGET,), rules=("DT-TXT-06",))
def steal_gained_cp(game: Game, context: Context, effect: Effect) -> None:
    """Up to so many of the CP that this text gained come from the target's dial instead of the supply."""
    whom = receivers(game, context, effect, "target")
    most = min(effect.amount or 0, context.gained_cp)
    if not whom:
        game.ask(context.n, "on", "ask_whom")
        return
    wanted = context.next_choice()
    taken = min(wanted if isinstance(wanted, int) else most, most, whom[0].cp)
    whom[0].cp -= taken
    game.step(
        "step_stole_cp", ("DT-TXT-06",), (context.n,), taken,
        player=context.by.id, victim=whom[0].id, n=taken,
    )  # fmt: skip


def _payers(game: Game, context: Context, source: str) -> Sequence[Player]:
    return receivers(game, context, Effect("pay_cp", to=source), source) or []


@effect_word(
    "pay_cp",
    Shape.NUMBER,
    options=("from", "to"),
    targets=("self", "holder", "attacker", "target", "chosen-opponent"),
    amounts={"any": "fx_amount_any"},
)
def pay_cp(game: Game, context: Context, effect: Effect) -> None:
    """The player of the text pays, or whoever `from` names; the CP go to the supply or to `to`."""
    payers = _payers(game, context, effect.source) if effect.source else [context.by]
    if not payers:
        game.ask(context.n, "on", "ask_whom")
        return
    payer = payers[0]
    paid = payer.cp if effect.amount == "any" else effect.amount or 0
    if effect.amount == "any":
        wanted = context.next_choice()
        paid = min(wanted, paid) if isinstance(wanted, int) else 0
    paid = min(paid, payer.cp)
    payer.cp -= paid
    if payer is context.by:
        context.cp -= paid
    context.removed = {**context.removed, "cp": paid}
    if effect.to:
        for player in reached(game, context, effect, "self"):
            receive_cp(game, context, player, paid)


@effect_word("search", Shape.NUMBER)
def search(game: Game, context: Context, effect: Effect) -> None:
    """Cards of choice go from the deck to the hand; the deck is shuffled."""
    drawn = tokens.draw(game, context.by, effect.amount or 0)
    game.step("step_searched", context.rules, (context.n,), drawn, player=context.by.id, n=drawn)


@effect_word("draw", Shape.NUMBER, options=("to", "per", "max"), traits=(Trait.COUNTED,))
def draw(game: Game, context: Context, effect: Effect) -> None:
    amount = amount_of(game, context, effect)
    if amount:
        for player in reached(game, context, effect, "self"):
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
