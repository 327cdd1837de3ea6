"""The record of Dice Throne for the dispute room."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any

from judge.core.games import DICE_THRONE
from judge.core.json_types import TableFile
from judge.core.messages import Message
from judge.rules.dice_throne import carried_on, rule, rule_counting
from judge.rules.dice_throne.flow.engine import ThroneRuling, beginning, standing
from judge.rules.dice_throne.state import report
from judge.rules.dice_throne.state.model import Game as State
from judge.rules.dice_throne.state.report import PlayerReport, TurnReport
from judge.rules.dice_throne.state.table import Event, Seat, Table
from judge.rules.dice_throne.verbs.registry import check_event, open_verbs
from judge.rules.dice_throne.verbs.uses import as_meant
from judge.schemas.dice_throne import name_of, read_table
from judge.schemas.dice_throne.catalog import read_catalogue
from judge.schemas.dice_throne.editions import load_edition
from judge.schemas.dice_throne.event_keys import EVENT_KEYS
from judge.schemas.dice_throne.events import EventReader
from judge.schemas.dice_throne.shipped import catalog_for
from judge.services.dispute.games import Entry, Game, Now


class ThronePlay:
    """A table played twice: once with pending damage concluded, once with it still open."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @cached_property
    def ruling(self) -> ThroneRuling:
        return rule(self.table)

    @cached_property
    def _state(self) -> State:
        return standing(self.table)

    @cached_property
    def now(self) -> Now[PlayerReport, TurnReport]:
        state = self._state
        return Now(report.players(state), report.turn(state), open_verbs(state), state)

    def allows(self, actions: Sequence[Event]) -> list[bool]:
        return [not reasons for reasons in self.refusals(actions)]

    def refusals(self, actions: Sequence[Event]) -> list[list[Message]]:
        """What speaks against each of these events now."""
        checks = [check_event(self._state, as_meant(self._state, action)) for action in actions]
        return [[message for message, _ in (*check.faults, *check.doubts)] for check in checks]


def _read_actions(data: Any, table: Table, actions: Sequence[Entry]) -> tuple[Event, ...]:
    if data.get("catalogue") is not None:
        own = read_catalogue(data["catalogue"], "catalogue")
        return EventReader(list(table.players), table.catalog, own, table.edition).events(
            list(actions), "events"
        )
    seats = tuple((seat.id, seat.hero) for seat in table.players)
    return _read_offers(table.edition.id, seats, tuple(table.catalog.heroes), json.dumps(actions))


@lru_cache(256)
def _read_offers(
    edition: str, seats: tuple[tuple[str, str | None], ...], heroes: tuple[str, ...], actions: str
) -> tuple[Event, ...]:
    """Events that use only the shipped catalogue. Cached, since tap after tap offers the same."""
    players = [Seat(name, hero) for name, hero in seats]
    reader = EventReader(players, catalog_for(list(heroes), edition=edition), None, load_edition(edition))
    return reader.events(json.loads(actions), "events")


def cut(table: Table, count: int) -> Table:
    return replace(table, events=table.events[:count])


def _play(table: Table, after: int | None) -> ThronePlay:
    return ThronePlay(table if after is None else cut(table, after))


def _beginning(table: Table) -> dict[str, PlayerReport]:
    return report.players(beginning(table))


def _go_on(table: Table, after: int | None) -> TableFile:
    return {**carried_on(table if after is None else cut(table, after)), "events": []}


GAME = Game(
    id=DICE_THRONE,
    verbs=(*EVENT_KEYS, "advance", "collide"),
    read=read_table,
    play=_play,
    names=name_of,
    cut=cut,
    beginning=_beginning,
    read_actions=_read_actions,
    go_on=_go_on,
    counting=rule_counting,
    looks_ahead=False,
    deals_damage=True,
    has_heroes=True,
    dials=("health", "cp", "hand", "deck", "discard"),
)
