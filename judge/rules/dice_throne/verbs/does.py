"""The verb `does`: anything else on the table."""

from __future__ import annotations

from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.legality import (
    Check,
)  # fmt: skip
from judge.rules.dice_throne.verbs.using import carry_out, check_used_effects, context_for


def check_does(game: Game, event: Event, player: Player, check: Check) -> None:
    check_used_effects(game, event, player, event.effects, check)


def do_does(game: Game, event: Event, player: Player) -> None:
    context = context_for(game, event, player, "does")
    context.source = None
    if event.effects is not None or event.changes:
        carry_out(game, event, context, event.effects or ())
