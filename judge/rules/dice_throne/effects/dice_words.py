"""The words for dice: rolls, duels, and changes of dice that lie there."""

from __future__ import annotations

from judge.rules.catalog import Effect
from judge.rules.dice_throne.effects.numbers import take
from judge.rules.dice_throne.effects.vocabulary import Shape, Trait, effect_word
from judge.rules.dice_throne.effects.words import run
from judge.rules.dice_throne.state.context import Context
from judge.rules.dice_throne.state.model import Game


@effect_word("roll", Shape.ROLL, traits=(Trait.OPTIONAL, Trait.BY_DICE), rules=("DT-TXT-01",))
def roll(game: Game, context: Context, effect: Effect) -> None:
    """ "On" gives its benefit once, "each" once per die (DT-TXT-02, DT-TXT-03)."""
    dice = take(game, context, effect.amount)
    if dice is None:
        return
    context.total = sum(dice)
    shown = game.symbols(context.by, dice)
    matched = False
    for face, effects in effect.each:
        times = faces_shown(face, dice, shown)
        matched = matched or times > 0
        for _ in range(times):
            run(game, context, effects)
    for face, effects in effect.on:
        if face == "other":
            continue
        if faces_shown(face, dice, shown):
            matched = True
            run(game, context, effects)
    if not matched:
        for face, effects in effect.on:
            if face == "other":
                run(game, context, effects)


def faces_shown(face: str, dice: list[int], shown: dict[str, int]) -> int:
    """How many dice show a symbol, a number (`6`) or a range (`1-2`)."""
    low, _, high = face.partition("-")
    if low.isdigit() and (not high or high.isdigit()):
        return sum(1 for value in dice if int(low) <= value <= int(high or low))
    return shown.get(face, 0)


@effect_word("duel", Shape.DUEL, traits=(Trait.NEEDS_TARGET, Trait.OPTIONAL, Trait.BY_DICE))
def duel(game: Game, context: Context, effect: Effect) -> None:
    dice = take(game, context, 2)
    if dice is None:
        return
    own, other = dice
    branches = dict(effect.on)
    if ("if_higher" in branches and own > other) or ("if_higher_or_equal" in branches and own >= other):
        chosen = branches.get("if_higher", branches.get("if_higher_or_equal", ()))
    else:
        chosen = branches.get("otherwise", ())
    game.step("step_duel", ("DT-DICE-02",), (context.n,), own, player=context.by.id, own=own, other=other)
    run(game, context, chosen)


@effect_word("change_die", Shape.DIE_CHANGE, traits=(Trait.DIE_CHANGE,))
@effect_word("reroll", Shape.DIE_CHANGE, traits=(Trait.DIE_CHANGE,))
def change_dice(game: Game, context: Context, effect: Effect) -> None:
    """Nothing to do here: the event's `changes` say which dice, and they are changed before the text runs."""
