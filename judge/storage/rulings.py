"""Tables for judges: drafts of disputed tables, saved rulings, calls for a judge, penalties, and an event's
own additions to the catalogue.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Column, ForeignKey, Integer
from sqlmodel import Field, SQLModel

from judge.storage.columns import Json, JsonAsWritten, UtcDateTime, new_token


def _version() -> Any:
    return Column("version", Integer, nullable=False)


def _event_id(nullable: bool = False) -> Any:
    column: Column[int] = Column(ForeignKey("event.id", ondelete="CASCADE"), nullable=nullable, index=True)
    return Field(default=None, sa_column=column) if nullable else Field(sa_column=column)


def _match_id() -> Any:
    column: Column[int] = Column(ForeignKey("match.id", ondelete="SET NULL"), nullable=True, index=True)
    return Field(default=None, sa_column=column)


def _json(empty: type) -> Any:
    return Field(default_factory=empty, sa_column=Column(Json, nullable=False))


def _as_written(empty: type) -> Any:
    return Field(default_factory=empty, sa_column=Column(JsonAsWritten, nullable=False))


def _moment(nullable: bool = True) -> Any:
    column = Column(UtcDateTime, nullable=nullable)
    return Field(default=None, sa_column=column) if nullable else Field(sa_column=column)


_DRAFT_VERSION, _CATALOGUE_VERSION, _CALL_VERSION, _RULING_VERSION = (_version() for _ in range(4))


class TableDraft(SQLModel, table=True):
    """A table a judge is entering. `steps` are its successive table files, `at` the one that is shown:
    undo steps back, redo forward, and a new change drops the steps ahead. `token` is the end of its link."""

    __tablename__ = "table_draft"
    __mapper_args__ = {"version_id_col": _DRAFT_VERSION}

    id: int = Field(default=None, primary_key=True)
    token: str = Field(default_factory=new_token, max_length=40, unique=True)
    event_id: int | None = _event_id(nullable=True)
    match_id: int | None = _match_id()
    account_id: int | None = Field(default=None, foreign_key="account.id", index=True)
    title: str = Field(default="", max_length=120)
    steps: list[Any] = _as_written(list)
    at: int = Field(default=0)
    is_pinned: bool = Field(default=False)
    started_at: datetime = _moment(nullable=False)
    changed_at: datetime = _moment(nullable=False)
    version: int = Field(default=None, sa_column=_DRAFT_VERSION)


class KeptRuling(SQLModel, table=True):
    """A saved ruling: its table file and its answer in each language, never changed afterwards. Only the
    appeal, and whether it is a precedent, may be set later."""

    __tablename__ = "kept_ruling"
    __mapper_args__ = {"version_id_col": _RULING_VERSION}

    id: int = Field(default=None, primary_key=True)
    key: str = Field(max_length=20, unique=True)  # in the link
    event_id: int | None = _event_id(nullable=True)
    match_id: int | None = _match_id()
    round_no: int | None = None
    table_no: int | None = None
    title: str = Field(default="", max_length=120)
    players: list[Any] = _json(list)  # names at that time
    game: str = Field(max_length=20)
    edition: str = Field(max_length=20)
    table: dict[str, Any] = Field(sa_column=Column("table_file", JsonAsWritten, key="table", nullable=False))
    rulings: dict[str, Any] = _as_written(dict)  # language -> ruling
    # language -> id -> what it was called; None in rows of before
    names: dict[str, dict[str, str]] | None = Field(default=None, sa_column=Column(Json, nullable=True))
    product_version: str = Field(max_length=20)
    words: str = Field(default="")  # text for the search: names of heroes, cards, rules, notes, casefolded
    account_id: int | None = Field(default=None, foreign_key="account.id")
    ruled_by: str = Field(max_length=80)
    ruled_at: datetime = _moment(nullable=False)
    minutes: int = Field(default=0)
    is_precedent: bool = Field(default=False)
    appealed_at: datetime | None = _moment()
    appeal: dict[str, Any] | None = Field(default=None, sa_column=Column(Json, nullable=True))
    version: int = Field(default=None, sa_column=_RULING_VERSION)


class JudgeCall(SQLModel, table=True):
    """Somebody at a table wants a judge. state: waiting | claimed | resolved."""

    __tablename__ = "judge_call"
    __mapper_args__ = {"version_id_col": _CALL_VERSION}

    id: int = Field(default=None, primary_key=True)
    event_id: int = _event_id()
    match_id: int | None = _match_id()
    called_by: str = Field(max_length=80)
    note: str = Field(default="", max_length=300)
    state: str = Field(default="waiting", max_length=20)
    claimed_by: str | None = Field(default=None, max_length=80)
    claimed_account_id: int | None = Field(default=None, foreign_key="account.id")
    called_at: datetime = _moment(nullable=False)
    claimed_at: datetime | None = _moment()
    resolved_at: datetime | None = _moment()
    is_for_head: bool = Field(default=False)  # a judge asks the head judge to come
    version: int = Field(default=None, sa_column=_CALL_VERSION)


class Penalty(SQLModel, table=True):
    """A player's penalty for an infraction; the remedy is kept separately."""

    id: int = Field(default=None, primary_key=True)
    event_id: int = _event_id()
    player_id: int = Field(foreign_key="player.id", index=True)
    match_id: int | None = _match_id()
    ruling_id: int | None = Field(default=None, foreign_key="kept_ruling.id")
    infraction: str = Field(max_length=40)
    penalty: str = Field(max_length=40)
    remedy: str = Field(default="", max_length=300)
    note: str = Field(default="", max_length=500)
    given_by: str = Field(max_length=80)
    given_at: datetime = _moment(nullable=False)


class EventCatalogue(SQLModel, table=True):
    """Heroes, abilities, cards and statuses an event added, in the shape of `catalogue:` in a table file;
    its infractions where they differ from the usual ones; and its own book of answers."""

    __tablename__ = "event_catalogue"
    __mapper_args__ = {"version_id_col": _CATALOGUE_VERSION}

    id: int = Field(default=None, primary_key=True)
    event_id: int = Field(
        sa_column=Column(ForeignKey("event.id", ondelete="CASCADE"), nullable=False, unique=True)
    )
    catalogue: dict[str, Any] = _json(dict)
    infractions: list[Any] = _json(list)
    answers: list[Any] = _as_written(list)  # each an answer file
    version: int = Field(default=None, sa_column=_CATALOGUE_VERSION)
