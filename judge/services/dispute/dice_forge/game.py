"""Dice Forge as the dispute room asks it. Nothing is ever pending in it: the game now is the one the ruling
shows, so one replay answers everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from judge.core.games import DICE_FORGE
from judge.core.messages import Message
from judge.rules.dice_forge import as_table, rule
from judge.rules.dice_forge.flow.engine import ruling_of
from judge.rules.dice_forge.flow.replay import Game as Replay
from judge.rules.dice_forge.state.table import Event, Table
from judge.rules.dice_forge.state.written import ForgeRuling, PlayerReport, TurnReport, player_report
from judge.schemas.dice_forge import name_of, read_table
from judge.schemas.dice_forge.events import VERB_KEYS, EventReader
from judge.services.dispute.games import Entry, Game, Now


class ForgePlay:
    def __init__(self, table: Table, after: int | None) -> None:
        self.table, self.after = table, after

    @cached_property
    def _replay(self) -> Replay:
        return Replay(self.table, self.after)

    @cached_property
    def ruling(self) -> ForgeRuling:
        return ruling_of(self._replay)

    @cached_property
    def now(self) -> Now[PlayerReport, TurnReport]:
        return Now(self.ruling.players, self.ruling.turn, self.ruling.may)

    def allows(self, actions: Sequence[Event]) -> list[bool]:
        return self._replay.allowed(actions)

    def refusals(self, actions: Sequence[Event]) -> list[list[Message]]:
        """This game's desk offers only what is possible, and gives no reasons."""
        return [[] for _ in actions]


def cut(table: Table, count: int) -> Table:
    return replace(table, events=table.events[:count])


def _beginning(table: Table) -> dict[str, PlayerReport]:
    return {name: player_report(player) for name, player in table.start.players.items()}


def _read_actions(data: Any, table: Table, actions: Sequence[Entry]) -> Sequence[Event]:
    return EventReader(tuple(table.start.players), table.catalog).events(list(actions), "events")


def _go_on(table: Table, after: int | None) -> dict[str, Any]:
    return as_table(rule(table, after))


GAME = Game(
    id=DICE_FORGE,
    verbs=tuple(VERB_KEYS),
    read=read_table,
    play=ForgePlay,
    names=name_of,
    cut=cut,
    beginning=_beginning,
    read_actions=_read_actions,
    go_on=_go_on,
    counting=None,
    looks_ahead=True,
    deals_damage=False,
    has_heroes=False,
    dials=("gold", "sun", "moon", "glory", "hundreds"),
)
