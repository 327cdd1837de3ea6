"""Creates events from presets, changes them until round 1 is published, clones, deletes and lists them."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import unicodedata
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from sqlalchemy import delete, func
from sqlmodel import Session, col, select

from judge.core.errors import Conflict, Refused
from judge.core.games import OTHER_GAME
from judge.core.messages import Message
from judge.schemas.books import find_book
from judge.schemas.tournament.event_settings import EventSettings, read_settings
from judge.services.accounts.account_view import AnyAccount
from judge.services.event.event_view import AnyEvent, event_view
from judge.services.log.chain import add_to_chain, erase
from judge.services.log.changes import Actor, Change, changing, hold, note
from judge.storage.audit import AuditRow
from judge.storage.events import Event, Player, Round, Staff

SLUG_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that look alike on paper
# What may change after round 1 is published: nothing of it decides who wins.
OPEN_LATER = (
    "clock", "registration", "languages", "phones", "between_s", "starts_at", "place", "about", "schedule",
    "stage_times",
    "stage_clocks",
)  # fmt: skip


def game_of(edition: str) -> str:
    """The game of an edition; events of other games name no edition."""
    if not edition:
        return OTHER_GAME
    book = find_book(edition)
    if book is None:
        raise KeyError(edition)
    return book.game


@dataclass(frozen=True, slots=True)
class EventFacts:
    """What an organiser enters about an event."""

    name: str
    day: date
    edition: str
    preset: str
    settings: EventSettings

    @property
    def game(self) -> str:
        return game_of(self.edition)


@dataclass(frozen=True, slots=True)
class EventLine:
    """A line in somebody's list of events."""

    event: AnyEvent
    role: str
    players: int
    rounds: int


def settings_of(event: AnyEvent) -> EventSettings:
    return read_settings(event.settings)


def make_slug(name: str) -> str:
    """A short readable slug whose end cannot be guessed from the name."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:24].strip("-")
    end = "".join(secrets.choice(SLUG_LETTERS) for _ in range(4))
    return f"{words or 'event'}-{end}"


def free_slug(session: Session, name: str) -> str:
    """A slug that no event has yet; many events of one name would else meet by chance."""
    while session.exec(select(Event.id).where(Event.slug == (slug := make_slug(name)))).first() is not None:
        pass
    return slug


def create_event(
    session: Session, facts: EventFacts, organiser: AnyAccount | None, now: datetime, *, is_demo: bool = False
) -> Change[Event]:
    """Create an event; `organiser` is its first organiser (the demo may have none)."""
    event = Event(
        slug=free_slug(session, facts.name),
        name=facts.name,
        day=facts.day,
        game=facts.game,
        edition=facts.edition,
        preset=facts.preset,
        settings=facts.settings.as_row(),
        is_demo=is_demo,
        created_at=now,
    )
    session.add(event)
    session.flush()
    if organiser is not None:
        session.add(Staff(event_id=event.id, account_id=organiser.id, role="organiser"))
    actor = Actor(organiser.name, organiser.id) if organiser else Actor("judge")
    return note(session, event, actor, "event.created").giving(event)


def is_locked(session: Session, event: AnyEvent) -> bool:
    """Whether round 1 is published: from then on only harmless settings can be changed."""
    published = select(Round.id).where(Round.event_id == event.id, Round.state == "published")
    return session.exec(published).first() is not None


def has_cut(session: Session, event: AnyEvent) -> bool:
    return (
        session.exec(select(Round.id).where(Round.event_id == event.id, Round.stage > 1)).first() is not None
    )


def fingerprint(event: AnyEvent) -> str:
    """A hash of what the settings form shows, to notice a change made meanwhile."""
    fields = [event.name, event.day.isoformat(), event.edition, event.settings]
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()[:16]


def change_event(
    session: Session, event: AnyEvent, actor: Actor, facts: EventFacts, seen: str
) -> Change[None]:
    """Change an event. `seen` is the fingerprint of the form."""
    row = hold(session, event)
    if seen != fingerprint(row):
        raise Conflict(Message("changed_meanwhile"))
    before = settings_of(row)
    settings = replace(facts.settings, more=before.more, phones=before.phones)  # the form does not show these
    if is_locked(session, row):
        check_harmless(session, row, settings_of(row), settings)
        facts = replace(facts, edition=row.edition)
    with changing(session, row, actor, "event.changed") as recording:
        row.name, row.day = facts.name, facts.day
        row.game, row.edition = facts.game, facts.edition
        if row.settings != settings.as_row():
            row.settings = settings.as_row()
    return recording.change


def check_harmless(session: Session, event: AnyEvent, before: EventSettings, after: EventSettings) -> None:
    """Refuse changes that affect who wins."""
    if not is_harmless(before, after, cut_is_open=not has_cut(session, event)):
        raise Refused(Message("settings_locked"))


def is_harmless(before: EventSettings, after: EventSettings, *, cut_is_open: bool) -> bool:
    """Whether only settings changed that may change after round 1 is published."""
    open_settings = (*OPEN_LATER, "cut", "through", "third_place", "stages") if cut_is_open else OPEN_LATER
    return replace(before, **{name: getattr(after, name) for name in open_settings}) == after


def clone_event(
    session: Session,
    source: AnyEvent,
    organiser: AnyAccount,
    name: str,
    day: date,
    now: datetime,
    *,
    with_players: bool,
) -> Change[Event]:
    """Create an event with the settings of an earlier one, and with its players, if wanted, as registered."""
    settings = settings_of(source)
    more = {key: value for key, value in settings.more.items() if key != "forbidden"}  # names old players
    facts = EventFacts(name, day, source.edition, source.preset, replace(settings, more=more))
    created = create_event(session, facts, organiser, now)
    event = created.result
    if with_players:
        players = session.exec(
            select(Player)
            .where(Player.event_id == source.id, col(Player.is_erased).is_(False))
            .where(col(Player.state).in_(("registered", "present")))
            .order_by(col(Player.id))
        ).all()
        with changing(session, event, Actor(organiser.name, organiser.id), "players.added"):
            session.add_all(_copy(player, event, now) for player in players)
    return created


def _copy(player: Player, event: AnyEvent, now: datetime) -> Player:
    columns = ("name", "public_name", "club", "seed", "fixed_table", "heroes")
    return Player(event_id=event.id, created_at=now, **{name: getattr(player, name) for name in columns})


def delete_event(
    session: Session, event: AnyEvent, actor: Actor, typed_name: str, now: datetime
) -> Change[None]:
    """Delete an event. Its log stays as bare entries: no name remains, and that there were changes can still
    be seen. `typed_name` must be its name, except for the demo."""
    if not event.is_demo and " ".join(typed_name.split()) != " ".join(event.name.split()):
        raise Refused(Message("event_name_wrong"))
    entry = AuditRow(
        at=now,
        actor=actor.name,
        account_id=str(actor.account_id) if actor.account_id else None,
        what="event.deleted",
        subject_kind="event",
        subject_id=str(event.id),
    )
    add_to_chain(session, entry)
    change = Change(entry.id, entry.what, ("event", event.id), None)
    for old in session.exec(select(AuditRow).where(AuditRow.event_id == str(event.id))):
        erase(old)
    session.flush()
    session.execute(delete(Event).where(col(Event.id) == event.id))
    session.expire_all()
    return change


def events_of(session: Session, account: AnyAccount) -> list[EventLine]:
    """The events on whose staff somebody is, latest first, in three queries."""
    rows = session.exec(
        select(Event, Staff.role)
        .join(Staff, col(Staff.event_id) == col(Event.id))
        .where(Staff.account_id == account.id)
        .order_by(col(Event.day).desc(), col(Event.id).desc())
    ).all()
    ids = [event.id for event, _ in rows]
    players = _count(session, Player, ids, Player.state != "pending")
    rounds = _count(session, Round, ids, Round.state == "published")
    return [EventLine(event_view(e), role, players.get(e.id, 0), rounds.get(e.id, 0)) for e, role in rows]


def _count(session: Session, table: Any, ids: list[int], condition: Any) -> dict[int, int]:
    query = select(table.event_id, func.count()).where(table.event_id.in_(ids), condition)
    return dict(session.exec(query.group_by(table.event_id)).all())
