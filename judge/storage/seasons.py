"""Tables for seasons: how events give points, and which events count."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Column, ForeignKey, UniqueConstraint
from sqlmodel import Field, SQLModel

from judge.storage.columns import Json, UtcDateTime


def _owner(table: str) -> Any:
    return Field(sa_column=Column(ForeignKey(f"{table}.id", ondelete="CASCADE"), nullable=False, index=True))


class Season(SQLModel, table=True):
    """points: as in a season file (`places` and `taking_part`, or `win`, `draw`, `loss`). best: how many
    events count for a player; null: all. `version` rises with every change to the season."""

    id: int = Field(default=None, primary_key=True)
    slug: str = Field(max_length=40, unique=True)
    name: str = Field(max_length=120)
    account_id: int = Field(foreign_key="account.id", index=True)  # who may change it
    points: dict[str, Any] = Field(default_factory=dict, sa_column=Column(Json, nullable=False))
    best: int | None = None
    version: int = Field(default=1)
    created_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))


class SeasonEvent(SQLModel, table=True):
    """An event of a season. standings: [{player, rank, record}] by players' ids, frozen when the event was
    closed; null: it is still open and does not count. Names are read when they are shown, so that a name that
    was erased is gone here too."""

    __tablename__ = "season_event"
    __table_args__ = (UniqueConstraint("season_id", "event_id"),)

    id: int = Field(default=None, primary_key=True)
    season_id: int = _owner("season")
    event_id: int = _owner("event")
    standings: list[Any] | None = Field(default=None, sa_column=Column(Json, nullable=True))
    frozen_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime, nullable=True))
