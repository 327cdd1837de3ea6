"""Creates and changes seasons, and says which events count. Every change is in the season's own log; whoever
made the season may change it, and adds only events of which they are an organiser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from judge.core.errors import Conflict, Missing, Refused
from judge.core.json_types import JsonObject
from judge.core.messages import Message
from judge.schemas.tournament.season_reader import read_season
from judge.services.accounts.account_view import AnyAccount
from judge.services.event.event_rows import read_rows
from judge.services.event.events import make_slug
from judge.services.log.changes import Actor, Change, changing, log_of, undo
from judge.services.season.freezing import final_places
from judge.storage.audit import AuditRow
from judge.storage.events import Event, Staff
from judge.storage.seasons import Season, SeasonEvent

SHOWN_IN_LOG = 30


@dataclass(frozen=True, slots=True)
class SeasonFacts:
    """What somebody enters about a season; points as in a season file."""

    name: str
    points: JsonObject
    best: int | None


@dataclass(frozen=True, slots=True)
class SeasonView:
    id: int
    slug: str
    name: str
    account_id: int
    points: JsonObject
    best: int | None
    version: int


@dataclass(frozen=True, slots=True)
class LogLine:
    id: int
    at: datetime
    actor: str
    what: str
    name: str  # of the event that was added or removed
    can_undo: bool


def season_view(row: Season) -> SeasonView:
    return SeasonView(row.id, row.slug, row.name, row.account_id, row.points, row.best, row.version)


def get_season(session: Session, slug: str) -> SeasonView:
    return season_view(_row(session, slug))


def _row(session: Session, slug: str) -> Season:
    row = session.exec(select(Season).where(Season.slug == slug)).first()
    if row is None:
        raise Missing
    return row


def seasons_of(session: Session, account: AnyAccount) -> list[SeasonView]:
    query = select(Season).where(Season.account_id == account.id).order_by(col(Season.id).desc())
    return [season_view(row) for row in session.exec(query)]


def check_facts(facts: SeasonFacts) -> None:
    """InputError with every fault, as for a season file."""
    read_season({"name": facts.name, "points": facts.points, "best": facts.best, "events": []})


def create_season(
    session: Session, facts: SeasonFacts, owner: AnyAccount, now: datetime
) -> Change[SeasonView]:
    check_facts(facts)
    season = Season(
        slug=make_slug(facts.name),
        name=facts.name,
        account_id=owner.id,
        points=facts.points,
        best=facts.best,
        created_at=now,
    )
    with changing(session, season, Actor(owner.name, owner.id), "season.created", season) as recording:
        session.add(season)
    return recording.change.giving(season_view(season))


def _hold(session: Session, season: SeasonView) -> Season:
    return session.get_one(Season, season.id, with_for_update=True, populate_existing=True)


def change_season(
    session: Session, season: SeasonView, actor: Actor, facts: SeasonFacts, version: int
) -> Change[None]:
    check_facts(facts)
    row = _hold(session, season)
    if row.version != version:
        raise Conflict(Message("changed_meanwhile"))
    with changing(session, row, actor, "season.changed", row) as recording:
        for name, value in (("name", facts.name), ("points", facts.points), ("best", facts.best)):
            if getattr(row, name) != value:
                setattr(row, name, value)
    return recording.change


def add_event(
    session: Session, season: SeasonView, actor: Actor, event_id: int, now: datetime
) -> Change[None]:
    """Let an event count; one that is closed already is frozen at once."""
    row = _hold(session, season)
    event = session.get(Event, event_id)
    if event is None or event_id not in {e.id for e in _own_events(session, actor.account_id)}:
        raise Refused(Message("season_event_not_yours"))
    if _entry(session, row, event_id) is not None:
        raise Refused(Message("season_event_twice", name=event.name))
    entry = SeasonEvent(season_id=row.id, event_id=event_id)
    if event.state == "finished":
        entry.standings, entry.frozen_at = final_places(read_rows(session, event)), now
    with changing(session, row, actor, "season.event-added", entry) as recording:
        session.add(entry)
    return recording.change


def remove_event(session: Session, season: SeasonView, actor: Actor, event_id: int) -> Change[None]:
    row = _hold(session, season)
    entry = _entry(session, row, event_id)
    if entry is None:
        raise Missing(Message("season_event_unknown"))
    with changing(session, row, actor, "season.event-removed", entry) as recording:
        session.delete(entry)
    return recording.change


def undo_in_season(session: Session, season: SeasonView, actor: Actor, entry: int) -> Change[None]:
    return undo(session, _hold(session, season), entry, actor)


def _entry(session: Session, season: Season, event_id: int) -> SeasonEvent | None:
    query = select(SeasonEvent).where(SeasonEvent.season_id == season.id, SeasonEvent.event_id == event_id)
    return session.exec(query).first()


def _own_events(session: Session, account_id: int | None) -> Sequence[Event]:
    query = select(Event).join(Staff, col(Staff.event_id) == col(Event.id))
    mine = query.where(Staff.account_id == account_id, Staff.role == "organiser")
    return session.exec(mine.order_by(col(Event.day).desc())).all()


def events_to_add(session: Session, season: SeasonView) -> list[tuple[int, str]]:
    """The owner's events that are not in the season yet, latest first."""
    query = select(SeasonEvent.event_id).where(SeasonEvent.season_id == season.id)
    taken = set(session.exec(query))
    own = _own_events(session, season.account_id)
    return [(e.id, f"{e.name} · {e.day.isoformat()}") for e in own if e.id not in taken]


def read_season_log(session: Session, season: SeasonView) -> list[LogLine]:
    """The latest changes, newest first."""
    own = AuditRow.event_id == log_of(session.get_one(Season, season.id))
    query = select(AuditRow).where(own).order_by(col(AuditRow.id).desc()).limit(SHOWN_IN_LOG)
    entries = session.exec(query).all()
    numbers = {_event_in(entry) for entry in entries} - {None}
    names = dict(session.execute(select(Event.id, Event.name).where(col(Event.id).in_(numbers))).all())
    return [
        LogLine(
            e.id, e.at, e.actor, e.what, names.get(_event_in(e), ""),
            can_undo=bool(e.after) and e.undone_by is None and e.what not in ("undone", "season.created"),
        )
        for e in entries
    ]  # fmt: skip


def _event_in(entry: AuditRow) -> Any:
    """The event that an entry added or removed."""
    rows = [copy["row"] for copy in [*(entry.before or []), *(entry.after or [])]]
    return next((row["event_id"] for row in rows if row and "event_id" in row), None)
