"""The verb `spend`: statuses that are spent (DT-STAT-05)."""

from __future__ import annotations

from collections.abc import Iterable

from judge.core.messages import Ref
from judge.rules.catalog import Status
from judge.rules.dice_throne.effects.foresight import INCREASES, adds_damage
from judge.rules.dice_throne.flow.windows import WINDOWS, check_window, window_is_open
from judge.rules.dice_throne.state import tokens
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.legality import (
    DEFENSIVE_WORDS,
    Check,
    is_closed_window,
)  # fmt: skip
from judge.rules.dice_throne.verbs.uses import (
    check_use,
    may_modify,
    open_uses,
    pay_use,
)
from judge.rules.dice_throne.verbs.using import carry_out, check_used_effects, context_for


def check_spend(game: Game, event: Event, player: Player, check: Check) -> None:
    status = event.thing
    check.rules += ("DT-STAT-05", "DT-STAT-06")
    if player.statuses.get(event.value, 0) < 1:
        check.fault(
            ("DT-STAT-05",), "token_not_held", player=player.id, status=Ref("status", str(event.value))
        )
    if isinstance(status, Status):
        check.rules += status.rules
        _check_spendable(game, event, player, status, check)
    check_used_effects(game, event, player, event.text, check)
    if len(check.faults) > 1:  # a rule of the book says more than the token's own timing
        check.faults.sort(key=is_closed_window)


def _check_spendable(game: Game, event: Event, player: Player, status: Status, check: Check) -> None:
    if status.spendable is False:
        rules = (*status.rules, "DT-STAT-05")
        check.fault(rules, "token_not_spendable", status=Ref("status", status.id))
    elif not status.uses or (event.effects is not None and not event.use_n):
        if status.when in WINDOWS:
            check_window(game, event, player, status, check)
    else:
        check_use(game, event, player, check)
        if event.use is not None:
            check_window(game, event, player, event.use, check)
        elif not event.use_n and not open_uses(game, player, status):
            rules = (*status.rules, "DT-STAT-05")
            check.fault(rules, "no_use_is_open", status=Ref("status", status.id))


def do_spend(game: Game, event: Event, player: Player) -> None:
    status_id, status = event.value, event.thing
    if isinstance(status, Status) and status.uses and event.effects is None and event.use is None:
        game.ask(event.n, "choice", "ask_which_use", thing=Ref("status", status_id))
        return
    is_paid = pay_use(game, event, player) if event.use else tokens.take(player, status_id, 1)
    if not is_paid:  # counted for a claim, though its price was not there
        return
    if game.attack is not None:
        game.attack.spent.add(status_id)
    context = context_for(game, event, player, "status")
    if status is not None:
        context.rules = status.rules
    carry_out(game, event, context, event.text)


def _is_open(game: Game, player: Player, status_id: str) -> bool:
    status = game.statuses.get(status_id)
    if status is None:
        return True
    if game.open is not None and status.words & DEFENSIVE_WORDS and not status.uses:
        return False  # damage is answered once it is known, so the dice count as they are first
    if status.uses:
        return bool(open_uses(game, player, status))
    is_modifier = status.is_modifier(game.edition) or (
        not status.words.isdisjoint(INCREASES) and adds_damage(status.effects, ())
    )
    return (
        status.spendable is not False
        and window_is_open(game, player, status)
        and (not is_modifier or may_modify(game, player, status.words))
    )


def may_spend(game: Game, player: Player) -> Iterable[str]:
    return ("spend",) if any(_is_open(game, player, status_id) for status_id in player.statuses) else ()
