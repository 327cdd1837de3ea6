"""The words for Roll Attempts, phases, and what a player may do at all."""

from __future__ import annotations

from judge.rules.catalog import Effect
from judge.rules.dice_throne.effects.vocabulary import Shape, effect_word
from judge.rules.dice_throne.state.context import Context, receivers
from judge.rules.dice_throne.state.model import Game


@effect_word("extra_roll_attempt", Shape.PHASE, options=("to",))
def extra_roll_attempt(game: Game, context: Context, effect: Effect) -> None:
    for player in receivers(game, context, effect, "self") or []:
        if effect.status == "defensive-roll":
            game.extra_defence.add(player.id)
        elif player is game.active:
            game.extra_attempts += 1


@effect_word("skip_phase", Shape.PHASE)
def skip_phase(game: Game, context: Context, effect: Effect) -> None:
    if context.source is not None:
        game.skipped[effect.status] = context.source.id


@effect_word("lock_actions", Shape.TRUTH, options=("to",))
@effect_word("extra_phase", Shape.PHASE, options=("to",), targets=("inflicter-against-same-opponent",))
def _by_the_token(game: Game, context: Context, effect: Effect) -> None:
    """Nothing to do here: the token brings locks and extra phases."""
