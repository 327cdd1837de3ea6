"""An event's own book of answers: precedents told as question and answer, shared between events as a file.

An entry has the shape of an answer file. Players are named by letters, since the file leaves the event.
"""

from __future__ import annotations

import string
from typing import Any

from sqlmodel import Session

from judge.core.errors import Conflict, Refused, fail
from judge.core.json_types import JsonObject
from judge.core.messages import Message
from judge.rules.answers import Answer
from judge.rules.ruling_words import deciding_rules
from judge.schemas.answers import read_answer, read_answers
from judge.schemas.files import MARK
from judge.services.dispute.kept_rulings import Kept, get_kept
from judge.services.dispute.rulings import departures
from judge.services.dispute.table_files import with_expectation
from judge.services.event.catalogue import find_own, id_from
from judge.services.event.event_view import AnyEvent
from judge.services.log.changes import Actor, Change, changing, check_version, hold
from judge.storage.rulings import EventCatalogue

MOST_ANSWERS = 300  # of one event
_LEFT_OUT = ("id", "title", "note", "game", "edition", "expect", "claims")
# Keys whose values are ids of things or free text, never players.
_THINGS = frozenset(
    (
        "hero",
        "activate",
        "announce",
        "defend",
        "play",
        "spend",
        "upgrade",
        "resolve",
        "pay",
        "feat",
        "does",
        "effects",
    )
)


def answers_of(session: Session, event: AnyEvent) -> list[Answer]:
    own = find_own(session, event)
    return [read_answer(entry) for entry in own.answers] if own is not None else []


def file_of(session: Session, event: AnyEvent) -> JsonObject:
    """The answers as a file for another event."""
    own = find_own(session, event)
    return {"answers": list(own.answers) if own is not None else []}


def from_precedent(kept: Kept, subject: str, question: str, says: str, source: str) -> JsonObject:
    """A precedent as an answer file: its table with letters for the players, and what was ruled."""
    if not kept.is_precedent:
        raise Refused(Message("answer_needs_precedent"))
    for field, written in (("question", question), ("says", says)):
        if not written.strip():
            raise fail(field, "key_missing")
    ruling = kept.rulings["en"]
    letters = dict(zip((str(p["id"]) for p in kept.table["players"]), string.ascii_uppercase, strict=False))
    table = _renamed(with_expectation(kept.table, ruling), letters)
    return {
        MARK: id_from(question) or kept.key,
        "game": kept.table["game"],
        "subject": subject,
        "question": question.strip(),
        "says": says.strip(),
        "authority": "event",
        "source": source,
        "rules": deciding_rules(ruling) or list(ruling["citations"])[:3],
        "editions": [kept.table["edition"]],
        "table": {key: value for key, value in table.items() if key not in _LEFT_OUT},
        "expect": table["expect"],
    }


def _renamed(value: Any, letters: dict[str, str]) -> Any:
    """The same with letters wherever a player's name stands."""
    if isinstance(value, dict):
        return {
            letters.get(key, key): inner
            if key in _THINGS and not isinstance(inner, list)
            else _renamed(inner, letters)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_renamed(item, letters) for item in value]
    return letters.get(value, value) if isinstance(value, str) else value


def add_answer(
    session: Session, event: AnyEvent, actor: Actor, key: str, subject: str, question: str, says: str
) -> Change[str]:
    """Put a precedent of the event into its book; the result is the answer's id."""
    entry = from_precedent(get_kept(session, key), subject, question, says, event.name)
    return _store(session, event, actor, [entry], "answer.added").giving(str(entry[MARK]))


def read_in(session: Session, event: AnyEvent, actor: Actor, data: Any) -> Change[int]:
    """Take over the answers of a file; those with the same id are replaced. An answer that today's rules do
    not confirm is refused by its id."""
    answers = read_answers(data)
    for answer in answers:
        for book in answer.proof.editions:
            if any(departures(answer.proof.checked(book, answer.id))):
                raise Refused(Message("answer_not_confirmed", answer=answer.id))
    entries = data.get("answers", [data])
    return _store(session, event, actor, entries, "answer.read").giving(len(entries))


def _store(
    session: Session, event: AnyEvent, actor: Actor, entries: list[JsonObject], action: str
) -> Change[None]:
    for entry in entries:
        read_answer(entry)
    event = hold(session, event)
    own = find_own(session, event) or EventCatalogue(
        event_id=event.id, catalogue={}, infractions=[], answers=[]
    )
    ids = {str(entry[MARK]) for entry in entries}
    kept = [entry for entry in own.answers if str(entry[MARK]) not in ids]
    if len(kept) + len(entries) > MOST_ANSWERS:
        raise Refused(Message("too_many_words", limit=MOST_ANSWERS))
    with changing(session, event, actor, action, why=", ".join(sorted(ids))[:200]) as recording:
        own.answers = [*kept, *entries]
        session.add(own)
    return recording.change


def remove_answer(
    session: Session, event: AnyEvent, actor: Actor, answer_id: str, version: int
) -> Change[None]:
    event = hold(session, event)
    own = find_own(session, event)
    if own is None or answer_id not in {str(entry[MARK]) for entry in own.answers}:
        raise Conflict(Message("word_gone", id=answer_id))
    check_version(own, version, Message("changed_meanwhile"))
    with changing(session, event, actor, "answer.removed", why=answer_id) as recording:
        own.answers = [entry for entry in own.answers if str(entry[MARK]) != answer_id]
        session.add(own)
    return recording.change
