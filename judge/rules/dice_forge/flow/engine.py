"""Rules on a Dice Forge table: the replayed events as a ruling, with every reading of an open point."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from judge.core.games import DICE_FORGE
from judge.core.messages import Message
from judge.rules.dice_forge.claims.judging import judge_claim
from judge.rules.dice_forge.claims.scoring import outcome
from judge.rules.dice_forge.flow.replay import Game
from judge.rules.dice_forge.flow.supposed import suppose
from judge.rules.dice_forge.state.desk import UNSETTLED
from judge.rules.dice_forge.state.table import Table
from judge.rules.dice_forge.state.written import (
    ForgeExtra,
    ForgeRuling,
    PlayerReport,
    TurnReport,
    forge_extra,
    player_report,
    turn_report,
)
from judge.rules.dice_forge.verbs.may import open_verbs
from judge.rules.ruling import Reading, Ruling


def finish(game: Game) -> ForgeRuling:
    """The ruling on a replayed game, without other readings of open points."""
    table, state, catalog = game.table, game.state, game.table.catalog
    illegal = suppose(game.refused, catalog)
    return Ruling(
        table.id,
        DICE_FORGE,
        table.edition,
        {name: player_report(player) for name, player in state.players.items()},
        turn_report(state),
        game.record,
        forge_extra(state, catalog, table.rulings),
        find_may=partial(open_verbs, state, catalog, table.rulings),
        outcome=outcome(state, catalog),
        lost=state.lost,
        claims=[judge_claim(claim, state, catalog, illegal) for claim in table.claims],
    )


def rule(table: Table, after: int | None = None) -> ForgeRuling:
    """The ruling on a table, or on its first `after` events."""
    return ruling_of(Game(table, after))


def ruling_of(game: Game) -> ForgeRuling:
    """The ruling on a replayed game, with every reading of an open point worked out to the end."""
    ruling = finish(game)
    if game.unsettled:
        ruling.readings = [
            _reading(game.table, game.after, point, letter, game.unsettled)
            for point in game.unsettled
            for letter in UNSETTLED[point]
        ]
    return ruling


def _reading(
    table: Table, after: int | None, point: str, letter: str, unsettled: list[str]
) -> Reading[PlayerReport, TurnReport, ForgeExtra]:
    """One reading of an open point worked out to the end; other open points keep their first reading."""
    first = {other: UNSETTLED[other][0] for other in unsettled}
    settled = {**first, **table.rulings, point: letter}
    says = Message(f"df_reading_{point[-2:]}_{letter}")
    return Reading(point, letter, says, finish(Game(replace(table, rulings=settled), after)))
