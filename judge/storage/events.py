"""Tables for events: staff, players, rounds and matches.

Rows do not validate (schemas do) and decide nothing (services do). Every row carries `event_id`, so that an
event is read with one query per table and deleted as a whole. Every write checks the row's `version`: if two
people change the same row at once, the second gets a conflict.
"""

from __future__ import annotations

import secrets
from datetime import date, datetime
from typing import Any

from sqlalchemy import Column, ForeignKey, Integer, String, UniqueConstraint, cast, func, or_
from sqlmodel import Field, SQLModel, col

from judge.storage.columns import Json, UtcDateTime


def _event_id() -> Any:
    return Field(sa_column=Column(ForeignKey("event.id", ondelete="CASCADE"), nullable=False, index=True))


def _json(empty: type) -> Any:
    return Field(default_factory=empty, sa_column=Column(Json, nullable=False))


def _version() -> Any:
    return Column("version", Integer, nullable=False)


def _moment() -> Any:
    return Field(default=None, sa_column=Column(UtcDateTime, nullable=True))


def first_link() -> int:
    """A random first number for a row's links. SQLite reuses the ids of deleted rows, and a link to the old
    row must not open the new one."""
    return secrets.randbelow(10**9) + 1


# The result of a row that only shows a half bye: the engine keeps half byes beside the rounds.
HALF_BYE = "half_bye"

_PLAYER_VERSION, _ROUND_VERSION, _MATCH_VERSION = _version(), _version(), _version()


class Event(SQLModel, table=True):
    """settings: what `judge.schemas.tournament.event_settings` checks (format, scoring, clock, heroes,
    registration ...).
    state: setup | running | finished. `version` rises with every change to any part of the event."""

    id: int = Field(default=None, primary_key=True)
    slug: str = Field(max_length=40, unique=True)
    name: str = Field(max_length=120)
    day: date
    game: str = Field(max_length=20)
    edition: str = Field(max_length=20)
    preset: str = Field(max_length=40)
    settings: dict[str, Any] = _json(dict)
    state: str = Field(default="setup", max_length=20)
    is_demo: bool = Field(default=False)
    version: int = Field(default=1)
    created_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))


class Staff(SQLModel, table=True):
    """role: organiser | head-judge | judge | scorekeeper."""

    __table_args__ = (UniqueConstraint("event_id", "account_id"),)

    id: int = Field(default=None, primary_key=True)
    event_id: int = _event_id()
    account_id: int = Field(foreign_key="account.id", index=True)
    role: str = Field(max_length=20)


class Player(SQLModel, table=True):
    """state: pending (asked to play) | waiting (event full) | registered | present (checked in) | dropped.
    declared: when the player locked the heroes by phone, with salt and hash; null: not.
    `link` rises whenever a new private link is issued: older links no longer open anything."""

    __mapper_args__ = {"version_id_col": _PLAYER_VERSION}

    id: int = Field(default=None, primary_key=True)
    event_id: int = _event_id()
    name: str = Field(max_length=80)
    public_name: str | None = Field(default=None, max_length=80)
    club: str | None = Field(default=None, max_length=80)
    seed: int | None = None
    fixed_table: int | None = None
    heroes: list[str] = _json(list)
    declared: dict[str, Any] | None = Field(default=None, sa_column=Column(Json, nullable=True))
    key: str | None = Field(default=None, max_length=200)  # the id that a tournament file gave
    group_no: int | None = None  # the group that a tournament file gave
    members: list[Any] = _json(list)  # of a team, which then is the player: names, or {name, heroes}
    byes: list[int] = _json(list)  # rounds to come whose bye is awarded, counted through the stages
    half_byes: list[int] = _json(list)  # rounds to come that are sat out for the points of a draw
    absent: list[int] = _json(list)  # rounds to come that are missed; the player is back afterwards
    state: str = Field(default="registered", max_length=20)
    first_round: int = Field(default=1)
    last_round: int | None = None  # the last round played by a player who dropped
    is_erased: bool = Field(default=False)
    link: int = Field(default_factory=first_link)
    created_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    version: int = Field(default=None, sa_column=_PLAYER_VERSION)


class Round(SQLModel, table=True):
    """stage 1 is the event's format; stage 2 the cut. state: draft | published. report: what pairing costs.

    Clock: `clock_left` seconds were left at `clock_from`; the clock is stopped while `clock_from` is null.
    clock_phase: idle | setup | round | over."""

    __mapper_args__ = {"version_id_col": _ROUND_VERSION}
    __table_args__ = (UniqueConstraint("event_id", "stage", "number"),)

    id: int = Field(default=None, primary_key=True)
    event_id: int = _event_id()
    stage: int = Field(default=1)
    number: int
    state: str = Field(default="draft", max_length=20)
    seed: int = Field(default=0)
    report: dict[str, Any] = _json(dict)
    published_at: datetime | None = _moment()
    clock_phase: str = Field(default="idle", max_length=20)
    clock_from: datetime | None = _moment()
    clock_left: int = Field(default=0)
    version: int = Field(default=None, sa_column=_ROUND_VERSION)


class Match(SQLModel, table=True):
    """One table of a round; `b_id` is null for a player alone. result: as in the tournament file, or
    `half_bye`; null while playing.
    selection: die rolls, bans, picks and who starts. reports: what each side says, until it is settled.
    why: the pairing's reasons as [{key, params}]. slot: the match's key in a bracket. link: as a player's.

    A pod is a match with further seats: `more` are the players after a and b, `scores` everybody's score in
    the order of the seats (null: did not come) once its result is "pod". It has no sides, health or games."""

    __mapper_args__ = {"version_id_col": _MATCH_VERSION}

    id: int = Field(default=None, primary_key=True)
    event_id: int = _event_id()
    round_id: int = Field(
        sa_column=Column(ForeignKey("round.id", ondelete="CASCADE"), nullable=False, index=True)
    )
    table_no: int | None = None
    a_id: int = Field(foreign_key="player.id", index=True)
    b_id: int | None = Field(default=None, foreign_key="player.id", index=True)
    slot: str | None = Field(default=None, max_length=20)
    why: list[Any] = _json(list)
    result: str | None = Field(default=None, max_length=20)
    how: str | None = Field(default=None, max_length=20)  # intentional-draw | concession; null: played
    health_a: int | None = None
    health_b: int | None = None
    games: list[int] | None = Field(default=None, sa_column=Column(Json, nullable=True))
    more: list[int] | None = Field(default=None, sa_column=Column(Json, nullable=True))
    scores: list[Any] | None = Field(default=None, sa_column=Column(Json, nullable=True))
    selection: dict[str, Any] = _json(dict)
    reports: dict[str, Any] = _json(dict)
    extension_s: int = Field(default=0)
    link: int = Field(default_factory=first_link)
    version: int = Field(default=None, sa_column=_MATCH_VERSION)

    @property
    def seats(self) -> tuple[int, ...]:
        """Everybody at the table."""
        return seats_of(self.a_id, self.b_id, self.more)


class Announcement(SQLModel, table=True):
    """What the organiser says to everybody; `is_shown` until it is taken off the phones and screens."""

    id: int = Field(default=None, primary_key=True)
    event_id: int = _event_id()
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    by: str = Field(max_length=80)
    text: str = Field(max_length=500)
    is_shown: bool = Field(default=True)


def sits_at(*players: int) -> Any:
    """Query condition: matches with one of these players in any seat."""
    return or_(*(has_seat(player, f",{player},") for player in players))


def has_seat(player: Any, text: Any) -> Any:
    """Query condition: matches with this player in any seat. A pod's further seats are searched as text,
    ",12,": the one way that works on both databases."""
    plain = func.replace(cast(Match.more, String), " ", "")
    more = func.replace(func.replace(plain, "[", ","), "]", ",")
    return or_(col(Match.a_id) == player, col(Match.b_id) == player, more.contains(text))


def seats_of(a: int, b: int | None, more: list[int] | None) -> tuple[int, ...]:
    return (a, *(() if b is None else (b,)), *(more or ()))
