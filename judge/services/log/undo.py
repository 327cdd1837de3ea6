"""Undoes a log entry by restoring its rows (`changes.undo`), unless that would break later changes or the
rules of the desk; then the refusal says why.

Undoing a change needs the right to make it: a judge cannot undo what the organiser decided about the staff.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, col, select

from judge.core.errors import Conflict, Refused
from judge.core.messages import Message
from judge.schemas.tournament.event_settings import EventSettings
from judge.services.accounts.roles import LEAST_ROLE, ROLES, may
from judge.services.event.event_rows import EventRows, read_rows
from judge.services.event.event_view import AnyEvent
from judge.services.event.events import check_harmless, is_locked, settings_of
from judge.services.event.tournament_of import PLAYS
from judge.services.log.changes import Actor, Change, RowCopy, hold, undo
from judge.services.pairing.rounds import check_playable, check_unplayed, is_played
from judge.services.play.corrections import check_bracket
from judge.services.play.results import check_no_later_round
from judge.storage.audit import AuditRow
from judge.storage.events import Match, Round, Staff

ROUND_MADE = ("round.published", "round.paired")
RESULT_MADE = ("result.entered", "result.agreed")
# Entries that cannot be undone; the message says what to do instead.
WHY_NOT = {
    "event.created": "undo_event_created",
    "event.imported": "undo_event_created",
    "player.erased": "undo_erased",
    "ruling.kept": "undo_ruling_kept",
    "staff.invited": "undo_invited",
    "staff.invite-revoked": "undo_invite_revoked",
    "staff.password-link": "undo_password_link",
    "webhook.sent-again": "undo_sent_again",
}
HARMLESS = {"state"}  # columns of an event that rounds change
# The right needed instead of "undo", by the kind of the entry or its first word.
RIGHTS = {
    "answer": "decide-appeal",
    "staff": "manage-staff",
    "event.changed": "edit-event",
    "event.phones": "edit-event",
    "token": "connect",
    "webhook": "connect",
    "ruling.decided": "decide-appeal",
    "player.erased": "erase-player",
}


@dataclass(frozen=True, slots=True)
class Before:
    """What must not change in an event when an entry is undone."""

    settings: EventSettings
    edition: str
    is_locked: bool
    tables: dict[int, tuple[tuple[int, ...], int | None]]  # of published rounds: match -> seats, table
    results: set[int]
    played: set[int]  # with a result or a report
    published: set[int]
    has_organiser: bool


def right_for(entry: AuditRow) -> str:
    """The right to the thing that is undone: by what was done, and by the rows it would change, which also
    holds when an undo is undone."""
    rows = [*(entry.before or []), *(entry.after or [])]
    rights = {RIGHTS.get(entry.what) or RIGHTS.get(entry.what.split(".")[0]) or "undo", *map(_right_to, rows)}
    return max(rights, key=lambda right: ROLES.index(LEAST_ROLE[right]))


def _right_to(row: RowCopy) -> str:
    values = row["row"] or {}
    if row["table"] == "staff":
        return "manage-staff"
    if row["table"] == "event" and set(values) - HARMLESS:
        return "edit-event"
    if row["table"] == "kept_ruling" and "appeal" in values:
        return "decide-appeal"
    return "undo"


def take_back(
    session: Session, event: AnyEvent, actor: Actor, role: str | None, entry_id: int
) -> Change[None]:
    """Undo an entry, unless the rules of the desk forbid it."""
    event = hold(session, event)
    entry = session.get(AuditRow, entry_id)
    if entry is not None and entry.event_id == str(event.id):
        _check_entry(session, event, entry, role)
    before = _before(session, event)
    change = undo(session, event, entry_id, actor)
    _check_settings(session, event, before)
    _check_people(session, event, before)
    _check_rounds(session, event, before, entry_id)
    return change


def _check_entry(session: Session, event: AnyEvent, entry: AuditRow, role: str | None) -> None:
    if not may(role, right_for(entry)):
        raise Refused(Message("undo_not_yours"))
    if entry.what in WHY_NOT:
        raise Refused(Message(WHY_NOT[entry.what]))
    rows = read_rows(session, event)
    if entry.what in ROUND_MADE:
        round_ = next((r for r in rows.rounds if str(r.id) == entry.subject_id), None)
        if round_ is not None:
            check_unplayed(rows, round_)
    if entry.what in RESULT_MADE:
        match = session.get(Match, int(entry.subject_id))
        if match is not None:
            check_no_later_round(session, event, rows.round_of(match))


def _before(session: Session, event: AnyEvent) -> Before:
    rows = read_rows(session, event)
    return Before(
        settings=settings_of(event),
        edition=event.edition,
        is_locked=is_locked(session, event),
        tables={m.id: (m.seats, m.table_no) for m in _public(rows)},
        results={m.id for m in _public(rows) if m.result is not None},
        played={m.id for m in _public(rows) if is_played(m)},
        published={r.id for r in rows.published},
        has_organiser=_has_organiser(session, event),
    )


def _public(rows: EventRows) -> list[Match]:
    return [match for round_ in rows.published for match in rows.matches.get(round_.id, ())]


def _check_settings(session: Session, event: AnyEvent, before: Before) -> None:
    """Refuse changed settings that affect who wins, once round 1 is published."""
    if before.is_locked:
        check_harmless(session, event, before.settings, settings_of(event))
        if event.edition != before.edition:
            raise Refused(Message("settings_locked"))


def _check_rounds(session: Session, event: AnyEvent, before: Before, entry_id: int) -> None:
    rows = read_rows(session, event)
    numbers = [round_.number for round_ in rows.rounds]
    if sorted(numbers) != list(range(1, len(numbers) + 1)) or (rows.draft and rows.draft is not rows.last):
        raise Refused(Message("undo_round_in_the_way"))
    for round_ in rows.published:
        if round_.id in before.published:
            _check_public(session, event, rows, round_, before, entry_id)
        else:
            check_playable(rows, round_)
    for stage in {round_.stage for round_ in rows.published}:
        check_bracket(rows, stage)
    if event.state == "finished" and rows.missing():
        raise Refused(Message("undo_not_finished", n=len(rows.missing())))


def _check_public(
    session: Session, event: AnyEvent, rows: EventRows, round_: Round, before: Before, entry_id: int
) -> None:
    """Refuse changed tables that were played or made before publishing, and removed results that a later
    round depends on."""
    matches = {m.id: m for m in rows.matches.get(round_.id, ())}
    moved = [n for n, m in matches.items() if before.tables.get(n) != (m.seats, m.table_no)]
    is_touched = any(n in before.played or is_played(matches[n]) for n in moved)
    if moved and (is_touched or rows.last is not round_ or _published_after(session, round_, entry_id)):
        raise Refused(Message("undo_round_is_public", round=round_.number))
    if any(n in before.results and m.result is None for n, m in matches.items()):
        check_no_later_round(session, event, round_)


def _published_after(session: Session, round_: Round, entry_id: int) -> bool:
    """Whether the round was published after this entry: then everybody has seen what the entry made."""
    later = select(AuditRow.id).where(
        AuditRow.what == "round.published",
        AuditRow.subject_id == str(round_.id),
        col(AuditRow.id) > entry_id,
        col(AuditRow.undone_by).is_(None),
    )
    return session.exec(later).first() is not None


def _check_people(session: Session, event: AnyEvent, before: Before) -> None:
    rows = read_rows(session, event)
    seated = {p for _, m in rows.all_matches() for p in m.seats}
    if not seated <= rows.players.keys():  # in a pod's further seats, which have no foreign key
        raise Conflict(Message("still_needed"))
    outside = [rows.players[p].name for p in sorted(seated) if rows.players[p].state not in PLAYS]
    if outside:
        raise Refused(Message("undo_player_is_paired", names=outside))
    if before.has_organiser and not _has_organiser(session, event):
        raise Refused(Message("last_organiser"))


def _has_organiser(session: Session, event: AnyEvent) -> bool:
    organisers = select(Staff.id).where(Staff.event_id == event.id, Staff.role == "organiser")
    return session.exec(organisers).first() is not None
