"""The verb `pay`: statuses that CP remove (DT-CP-01)."""

from __future__ import annotations

from collections.abc import Iterable

from judge.core.messages import Ref
from judge.rules.catalog import Status
from judge.rules.dice_throne.flow.roll_phases import awaits_extra_phase
from judge.rules.dice_throne.state import tokens
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import BEFORE_ROLLING, Event
from judge.rules.dice_throne.verbs.legality import (
    Check,
    is_own_turn,
    need_cp,
    need_phase,
)  # fmt: skip


def price_of(event: Event) -> int | None:
    """The CP that removes a status: the file's cost, or the price in the status's text."""
    if event.cost is not None:
        return event.cost
    status = event.thing
    if not isinstance(status, Status):
        return None
    return status_price(status)


def status_price(status: Status) -> int | None:
    for effect in status.effects or ():
        for option in effect.options:
            price = next((part.amount for part in option if part.op == "pay_cp"), None)
            if isinstance(price, int):
                return price
    return None


def check_pay(game: Game, event: Event, player: Player, check: Check) -> None:
    status = event.thing if isinstance(event.thing, Status) else None
    rules = status.rules if status is not None else ()
    check.rules += ("DT-CP-01", *rules)
    price = price_of(event)
    if player.statuses.get(str(event.value), 0) < 1:
        check.fault(
            (*rules, "DT-CP-01"), "token_not_held", player=player.id, status=Ref("status", str(event.value))
        )
    if price is None:
        check.fault(("DT-CP-01", *rules), "token_not_payable", status=Ref("status", str(event.value)))
    else:
        need_cp(player, price, check, "DT-CP-03", "DT-CP-01", *rules)
    if status is None or status.when != "offensive-roll":
        return
    if is_own_turn(game, player):
        if not awaits_extra_phase(game, player):
            need_phase(game, check, BEFORE_ROLLING, *rules)
    elif not check.faults and check.reading(game, "J-16") == "a":
        assert game.active is not None
        check.doubt(rules, "not_your_turn", player=player.id, active=game.active.id)


def do_pay(game: Game, event: Event, player: Player) -> None:
    player.cp -= price_of(event) or 0
    tokens.remove(game, player, str(event.value), 1, event.n)


def may_pay(game: Game, player: Player) -> Iterable[str]:
    is_time = game.phase is None or game.phase in BEFORE_ROLLING or awaits_extra_phase(game, player)
    if not is_time or not is_own_turn(game, player):
        return ()
    mine = [game.statuses[status_id] for status_id in player.statuses if status_id in game.statuses]
    prices = [status_price(status) for status in mine]
    return ("pay",) if any(price is not None and player.cp >= price for price in prices) else ()
