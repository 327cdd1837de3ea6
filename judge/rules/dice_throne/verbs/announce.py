"""The verb `announce`, and what is asked of every ability: own board, own side, a condition the dice meet."""

from __future__ import annotations

from collections.abc import Iterable

from judge.core.messages import Ref
from judge.rules.catalog import Ability
from judge.rules.dice_throne.flow.board import board_entry
from judge.rules.dice_throne.state.activation import fault, rules_of
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.legality import (
    Check,
    check_own,
    is_in_doubt,
    is_ultimate,
)  # fmt: skip
from judge.rules.dice_throne.verbs.roll import check_withdrawal, is_bound, is_choosing, need_offensive_roll


def check_ability(game: Game, event: Event, player: Player, check: Check) -> None:
    """Check for an Offensive Ability on this side of the board whose condition the dice meet."""
    need_offensive_roll(game, player, check, "DT-ABL-01", "DT-ORP-02")
    thing = event.thing
    if isinstance(thing, Ability):
        if thing.kind in ("defensive", "passive") and not event.kind:
            check.fault(("DT-ABL-01",), "not_an_offensive_ability", ability=Ref("ability", thing.id))
        check_board(event, player, thing, check)
        upgrade = player.upgrades.get(thing.id)
        if upgrade is not None and upgrade.level > 1:
            check.rules += ("DT-ABL-02",)
    elif event.is_of_another_hero:
        check_own(event, player, check)
    needs = board_entry(game, player, event)[0]
    if needs is None or needs.passive or needs.dice:
        return
    check.rules += rules_of(needs)
    if game.dice is not None:
        unmet = fault(game, player, needs, game.dice)
        if unmet is not None:
            why, rules = unmet
            check.faults.append((why, (*rules, *_spoiled_by(game, event))))


def _spoiled_by(game: Game, event: Event) -> tuple[str, ...]:
    """The rules on dice that were altered, and on an Ultimate that was stopped by it."""
    if not game.altered:
        return ()
    return ("DT-ULT-01", "DT-ORP-03") if is_ultimate(event) else ("DT-ORP-03",)


def check_board(event: Event, player: Player, thing: Ability, check: Check) -> None:
    if event.is_of_another_hero:
        check_own(event, player, check)
    if thing.side and player.side and thing.side != player.side:
        check.fault(("DT-TOK-21",), "other_side_of_board", side=thing.side)
    if thing.comes_with is not None:
        ability, level = thing.comes_with
        upgrade = player.upgrades.get(ability)
        if upgrade is None or upgrade.level != level:
            check.fault(("DT-ABL-02",), "upgrade_not_in_play", ability=Ref("ability", ability), level=level)


def ask_whose(game: Game, event: Event, player: Player) -> None:
    """Ask whether an ability is the hero's own, where the catalogue lacks part of the board."""
    if is_in_doubt(event, player):
        name = Ref("ability", str(event.value))
        game.ask(event.n, "ability", "ask_own_ability", thing=name, player=player.id)


def check_announce(game: Game, event: Event, player: Player, check: Check) -> None:
    check_ability(game, event, player, check)
    check.rules += ("DT-ORP-02", "DT-ABL-01")
    if game.altered:
        check.rules += ("DT-ORP-03",)
    if is_ultimate(event):
        check.rules += ("DT-ULT-01",)
    check_withdrawal(game, check)


def do_announce(game: Game, event: Event, player: Player) -> None:
    if game.phase is None:
        game.phase = "offensive-roll"
    game.active = game.active or player
    game.announced, game.altered = str(event.value), False


def may_announce(game: Game, player: Player) -> Iterable[str]:
    return ("announce",) if is_choosing(game, player) and not is_bound(game) else ()
