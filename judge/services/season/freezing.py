"""When an event closes, its places are frozen for the seasons it belongs to; reopened, they count no more."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, select

from judge.core.json_types import JsonObject
from judge.schemas.tournament.season_reader import finishes
from judge.services.event.event_rows import EventRows
from judge.services.event.event_view import AnyEvent
from judge.services.event.tournament_of import staged_event_of
from judge.storage.seasons import SeasonEvent


def freeze(session: Session, rows: EventRows, now: datetime) -> None:
    """Store the final places with every season of the event."""
    in_seasons = _in_seasons(session, rows.event)
    if in_seasons:
        standings = final_places(rows)
        for entry in in_seasons:
            entry.standings, entry.frozen_at = standings, now


def thaw(session: Session, event: AnyEvent) -> None:
    for entry in _in_seasons(session, event):
        entry.standings, entry.frozen_at = None, None


def _in_seasons(session: Session, event: AnyEvent) -> list[SeasonEvent]:
    return list(session.exec(select(SeasonEvent).where(SeasonEvent.event_id == event.id)).all())


def final_places(rows: EventRows) -> list[JsonObject]:
    """Everybody's place in the whole event, with wins, losses and draws."""
    if not rows.published:
        return []
    return [
        {"player": int(line.id or 0), "rank": line.rank, "record": list(line.record or (0, 0, 0))}
        for line in finishes(staged_event_of(rows, with_planned=True), by_engine_id=True)
    ]
