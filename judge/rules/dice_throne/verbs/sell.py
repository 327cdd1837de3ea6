"""The verb `sell` (DT-SELL)."""

from __future__ import annotations

from collections.abc import Iterable

from judge.rules.dice_throne.state import tokens
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import MAIN_PHASES, Event
from judge.rules.dice_throne.verbs.legality import (
    Check,
    is_main,
    is_own_turn,
    need_own_turn,
    need_phase,
)  # fmt: skip

_SALE_PHASES = MAIN_PHASES | {"discard"}


def check_sell(game: Game, event: Event, player: Player, check: Check) -> None:
    check.rules += ("DT-SELL-01", "DT-SELL-02")
    need_own_turn(game, player, check, "DT-SELL-02")
    need_phase(game, check, _SALE_PHASES, "DT-SELL-02")
    if event.source == "board":
        check.fault(("DT-UPG-04",), "upgrades_are_not_sold")
    elif player.hand < event.value:
        check.fault(("DT-SELL-01",), "not_enough_cards", need=event.value, has=player.hand)
    if player.cp + event.value * game.numbers.sale > game.numbers.cp_cap:
        check.rules += ("DT-SELL-03", "DT-CP-02")
    if game.phase == "discard":
        check.rules += ("DT-DIS-01",)


def do_sell(game: Game, event: Event, player: Player) -> None:
    sold = tokens.discard(player, event.value)
    tokens.gain_cp(game, player, sold * game.numbers.sale)


def may_sell(game: Game, player: Player) -> Iterable[str]:
    is_open = is_main(game) or game.phase == "discard"
    return ("sell",) if is_open and player.hand > 0 and is_own_turn(game, player) else ()
