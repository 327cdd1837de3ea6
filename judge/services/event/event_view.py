"""Frozen copies of stored events, players, rounds and matches, for pages; fast queries read them directly.

Services that only read take an event as a row or as a copy (`AnyEvent`); one that writes begins with
`hold(session, event)`, which locks the stored row and returns it.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, NamedTuple, Protocol, TypeVar

from sqlmodel import Session, SQLModel, select

from judge.core.errors import Missing
from judge.core.json_types import JsonObject
from judge.storage.events import Event, Match, Player, Round, seats_of


class AnyEvent(Protocol):
    """The attributes that an event's row and its copy have in common."""

    @property
    def id(self) -> int: ...
    @property
    def slug(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def day(self) -> date: ...
    @property
    def game(self) -> str: ...
    @property
    def edition(self) -> str: ...
    @property
    def preset(self) -> str: ...
    @property
    def settings(self) -> JsonObject: ...
    @property
    def state(self) -> str: ...
    @property
    def is_demo(self) -> bool: ...
    @property
    def version(self) -> int: ...


class EventView(NamedTuple):
    id: int
    slug: str
    name: str
    day: date
    game: str
    edition: str
    preset: str
    settings: JsonObject
    state: str
    is_demo: bool
    version: int


class PlayerView(NamedTuple):
    id: int
    event_id: int
    name: str
    public_name: str | None
    club: str | None
    seed: int | None
    fixed_table: int | None
    heroes: list[str]
    key: str | None
    group_no: int | None
    members: list[Any]
    byes: list[int]
    half_byes: list[int]
    absent: list[int]
    declared: JsonObject | None
    state: str
    first_round: int
    last_round: int | None
    is_erased: bool
    link: int
    version: int

    @property
    def member_names(self) -> list[str]:
        """Of a team."""
        return [m if isinstance(m, str) else str(m["name"]) for m in self.members or ()]


class RoundView(NamedTuple):
    id: int
    stage: int
    number: int
    state: str
    report: JsonObject
    clock_phase: str
    clock_from: datetime | None
    clock_left: int
    version: int


class MatchView(NamedTuple):
    id: int
    event_id: int
    round_id: int
    table_no: int | None
    a_id: int
    b_id: int | None
    more: list[int] | None
    result: str | None
    how: str | None
    health_a: int | None
    health_b: int | None
    games: list[int] | None
    scores: list[Any] | None
    selection: JsonObject
    reports: JsonObject
    extension_s: int
    link: int
    version: int

    @property
    def seats(self) -> tuple[int, ...]:
        """Everybody at the table."""
        return seats_of(self.a_id, self.b_id, self.more)


View = TypeVar("View", EventView, PlayerView, RoundView, MatchView)


def _copy(view: type[View], row: SQLModel) -> View:
    return view(**{name: getattr(row, name) for name in view._fields})


def event_view(row: Event) -> EventView:
    return _copy(EventView, row)


def player_view(row: Player) -> PlayerView:
    return _copy(PlayerView, row)


def round_view(row: Round) -> RoundView:
    return _copy(RoundView, row)


def match_view(row: Match) -> MatchView:
    return _copy(MatchView, row)


def get_event(session: Session, slug: str) -> EventView:
    """The event with this slug in its address."""
    row = session.exec(select(Event).where(Event.slug == slug)).first()
    if row is None:
        raise Missing
    return event_view(row)


def get_event_numbered(session: Session, event_id: int | None) -> EventView:
    """The event with this id."""
    return event_view(session.get_one(Event, event_id))
