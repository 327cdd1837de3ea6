"""The table of verbs: how each is checked, how it is carried out, and when a player may use it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from judge.rules.dice_throne.flow.attack import close_open
from judge.rules.dice_throne.flow.phases import check_advance
from judge.rules.dice_throne.state.model import Game
from judge.rules.dice_throne.state.player import Player
from judge.rules.dice_throne.state.table import Event
from judge.rules.dice_throne.sum.instances import conclude_instances
from judge.rules.dice_throne.verbs import (
    activate,
    announce,
    choose,
    defend,
    does,
    pay,
    play,
    resolve,
    roll,
    sell,
    spend,
    target,
    upgrade,
)
from judge.rules.dice_throne.verbs.legality import (
    Check,
    guard,
    is_locked,
)  # fmt: skip


@dataclass(slots=True)
class Verb:
    """`may` names what is open to a player under this verb; a verb without it is never offered."""

    check: Callable[[Game, Event, Player, Check], None]
    do: Callable[[Game, Event, Player], None]
    may: Callable[[Game, Player], Iterable[str]] | None = None


VERBS: dict[str, Verb] = {
    "roll": Verb(roll.check_roll, roll.do_roll, roll.may_roll),
    "announce": Verb(announce.check_announce, announce.do_announce, announce.may_announce),
    "activate": Verb(activate.check_activate, activate.do_activate, activate.may_activate),
    "target": Verb(target.check_target, target.do_target, target.may_target),
    "defend": Verb(defend.check_defend, defend.do_defend, defend.may_defend),
    "play": Verb(play.check_play, play.do_play, play.may_play),
    "spend": Verb(spend.check_spend, spend.do_spend, spend.may_spend),
    "upgrade": Verb(upgrade.check_upgrade, upgrade.do_upgrade, upgrade.may_upgrade),
    "sell": Verb(sell.check_sell, sell.do_sell, sell.may_sell),
    "pay": Verb(pay.check_pay, pay.do_pay, pay.may_pay),
    "resolve": Verb(resolve.check_resolve, resolve.do_resolve),
    "does": Verb(does.check_does, does.do_does),
    "choose": Verb(choose.check_choose, choose.do_choose),
}


def check_event(game: Game, event: Event) -> Check:
    """Everything that speaks against the event as the table stands, and the rules it rests on. The table
    stays as it is."""
    check = Check()
    if event.verb == "advance":
        check_advance(game, event, check)
        return check
    player = game.players[event.by]
    attack = game.attack
    is_ultimate = attack is not None and attack.ultimate
    if is_ultimate or game.locked or player.dead or game.over or not game.locks.isdisjoint(player.statuses):
        guard(game, player, check, event.verb)
    VERBS[event.verb].check(game, event, player, check)
    return check


# What can answer dice on the table, a pause or isolated damage; anything else closes them first.
_ANSWERS = frozenset(("play-roll", "play-instant", "spend"))


def open_verbs(game: Game) -> dict[str, list[str]]:
    return {player.id: _verbs(game, player) for player in game.seats}


def open_before_the_end(game: Game) -> dict[str, list[str]]:
    """What each player may do while damage is pending or a Roll Phase is under way; else empty.

    The ruling shows the table as if `advance` had followed; following a game live needs this too.
    """
    if game.over or not (game.attack or game.open or game.instances or game.pools):
        return {}
    answers: dict[str, set[str]] = {player.id: set() for player in game.seats}
    if game.open is not None:
        _gather(game, answers)
        close_open(game)
    if game.instances:
        _gather(game, answers)
        conclude_instances(game)
    return {
        name: [*verbs, *sorted(answers[name].difference(verbs))] for name, verbs in open_verbs(game).items()
    }


def _gather(game: Game, answers: dict[str, set[str]]) -> None:
    for name, verbs in open_verbs(game).items():
        answers[name] |= _ANSWERS.intersection(verbs)


# The order in which a player is told what is open.
_ORDER = (
    "roll", "announce", "activate", "target", "defend", "play-main", "play-roll", "play-instant", "upgrade",
    "sell", "spend", "pay",
)  # fmt: skip


def _verbs(game: Game, player: Player) -> list[str]:
    if game.over or player.dead or is_locked(game, player):
        return []
    verbs = [word for verb in VERBS.values() if verb.may is not None for word in verb.may(game, player)]
    return sorted(verbs, key=_ORDER.index)
