"""The verb `upgrade`: Hero Upgrades (DT-UPG)."""

from __future__ import annotations

from collections.abc import Iterable

from judge.core.messages import Ref
from judge.rules.catalog import Card
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import MAIN_PHASES, ROLL_PHASES, Event, Upgrade
from judge.rules.dice_throne.verbs.legality import (
    Check,
    check_own,
    is_main,
    is_own_turn,
    need_card,
    need_cp,
    need_own_turn,
    need_phase,
)  # fmt: skip


def as_upgrade(event: Event, card: Card) -> Event:
    return Event(event.n, "upgrade", event.by, card.upgrades, level=card.level, cost=event.cost)


def upgrade_cost(game: Game, event: Event, player: Player, level: int) -> tuple[int | None, int | None]:
    """The CP to pay and the printed cost. From II to III only the difference is paid (DT-UPG-03)."""
    card = game.catalog.find_upgrade(player.hero_id, str(event.value), level)
    printed = event.cost if event.cost is not None else (card.cost if card is not None else None)
    held = player.upgrades.get(str(event.value))
    if printed is None or held is None or held.level < 2:
        return printed, printed
    old = held.cost
    if old is None:
        below = game.catalog.find_upgrade(player.hero_id, str(event.value), held.level)
        old = below.cost if below is not None else None
    return (None if old is None else max(printed - old, 0)), printed


def level_of(event: Event, player: Player) -> int:
    held = player.upgrades.get(str(event.value))
    return event.level or (held.level if held is not None else 1) + 1


def check_upgrade(game: Game, event: Event, player: Player, check: Check) -> None:
    level = level_of(event, player)
    held = player.upgrades.get(str(event.value))
    now = held.level if held is not None else 1
    check.rules += ("DT-UPG-01", "DT-CARD-01")
    if not (game.phase in ROLL_PHASES and upgrades_in_roll_phases(player)):
        need_own_turn(game, player, check, "DT-UPG-01")
        need_phase(game, check, MAIN_PHASES, "DT-UPG-01")
    _check_card(game, event, player, level, check)
    if level <= now or level > 3:
        check.fault(("DT-UPG-01", "DT-UPG-03"), "level_already_reached", level=now)
    priced_by = {(1, 3): ("DT-UPG-02",), (2, 3): ("DT-UPG-03",)}.get((now, level), ())
    check.rules += priced_by
    if event.n not in game.paid:
        need_card(player, check)
        cost, _ = upgrade_cost(game, event, player, level)
        need_cp(player, cost or 0, check, "DT-CP-03", *priced_by)


def _check_card(game: Game, event: Event, player: Player, level: int, check: Check) -> None:
    """The space must be on the player's own board, the card in their own deck, as far as both are known."""
    if event.is_of_another_hero:
        check_own(event, player, check)
        return
    is_known = player.hero is not None and player.hero.has_deck and event.thing is not None
    if not is_known or event.cost is not None or level == 1:
        return
    if game.catalog.find_upgrade(player.hero_id, str(event.value), level) is None:
        details = {"player": player.id, "ability": Ref("ability", str(event.value)), "level": level}
        check.fault(("DT-UPG-01", "DT-CARD-01"), "no_such_upgrade", **details)


def do_upgrade(game: Game, event: Event, player: Player) -> None:
    if event.n not in game.paid:  # else that was done when it was declared
        pay_upgrade(game, event, player)
    level = level_of(event, player)
    _, printed = upgrade_cost(game, event, player, level)
    player.upgrades = {**player.upgrades, str(event.value): Upgrade(level, printed)}


def pay_upgrade(game: Game, event: Event, player: Player) -> None:
    """Pay the card, which leaves the hand; it stays on the board, not on the discard pile (DT-DECK-01)."""
    cost, _ = upgrade_cost(game, event, player, level_of(event, player))
    if cost is None:
        game.ask(event.n, "cost", "ask_cost", thing=Ref("ability", str(event.value)))
    player.cp -= cost or 0
    player.hand -= 1


def may_upgrade(game: Game, player: Player) -> Iterable[str]:
    if player.hand < 1:
        return ()
    is_open = is_own_turn(game, player) and is_main(game)
    is_open = is_open or (game.phase in ROLL_PHASES and upgrades_in_roll_phases(player))
    return ("upgrade",) if is_open else ()


def upgrades_in_roll_phases(player: Player) -> bool:
    """Whether a text lets the player upgrade in every Roll Phase, whosever turn it is."""
    if player.late_upgrades:
        return True
    passives = player.hero.passives(player.side) if player.hero is not None else ()
    return any("upgrade_in_roll_phases" in passive.words for passive in passives)
