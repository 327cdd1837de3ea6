"""The verb `choose`: choices that wait for somebody."""

from __future__ import annotations

from judge.rules.dice_throne.flow.attack import make_choice
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.verbs.legality import (
    Check,
)  # fmt: skip
from judge.rules.dice_throne.verbs.target import settle_target


def check_choose(game: Game, event: Event, player: Player, check: Check) -> None:
    attack = game.attack
    if attack is not None and attack.chooser:
        check.rules += ("DT-TGT-03",)
        target = game.players.get(str(event.value))
        is_chooser = (
            player is attack.by if attack.chooser == "roller" else game.is_opponent(player, attack.by)
        )
        if not is_chooser:
            check.fault(("DT-TGT-03",), "others_choose_" + attack.chooser)
        if target is None or target.dead or not game.is_opponent(attack.by, target):
            names = [p.id for p in game.opponents(attack.by)]
            check.fault(("DT-TGT-03",), "choice_not_offered", options=names)
        return
    if not any(player.id in waiting.by for waiting in game.pending):
        check.fault(("DT-TXT-05",), "nothing_to_choose", player=player.id)


def do_choose(game: Game, event: Event, player: Player) -> None:
    attack = game.attack
    if attack is not None and attack.chooser:
        settle_target(game, game.players[str(event.value)])
        return
    waiting = next(p for p in game.pending if player.id in p.by)
    game.cited.append("DT-TXT-05")
    fault = make_choice(game, waiting, event, event.value)
    if fault is not None:
        game.refuse(fault)
