"""The words an event added to the catalogue: heroes, abilities, cards, statuses that no shipped file holds.

They are kept in the shape of `catalogue:` in a table file, and what the reader of table files would refuse is
never kept. An ability that belongs to one hero of the shipped catalogue says so in `applies_to`.
"""

from __future__ import annotations

import re
import unicodedata
from copy import deepcopy
from typing import Any

from sqlmodel import Session, select

from judge.core.errors import Conflict, InputError, Problem, Refused, fail
from judge.core.messages import Message
from judge.schemas.dice_throne.catalog import read_catalogue
from judge.schemas.files import parse
from judge.services.event.event_view import AnyEvent
from judge.services.log.changes import Actor, Change, changing, check_version, hold
from judge.storage.rulings import EventCatalogue

KINDS = {"hero": "heroes", "ability": "abilities", "card": "cards", "status": "statuses"}
MOST_WORDS = 500  # of one kind; a box of heroes has far fewer


def find_own(session: Session, event: AnyEvent) -> EventCatalogue | None:
    return session.exec(select(EventCatalogue).where(EventCatalogue.event_id == event.id)).first()


def version_of(session: Session, event: AnyEvent) -> int:
    """The version a form of the catalogue was made from; 0 while the event has none of its own."""
    own = find_own(session, event)
    return own.version if own is not None else 0


def words_of(session: Session, event: AnyEvent) -> dict[str, Any]:
    """The event's own words, ready to stand under `catalogue:` of a table file; {} if it has none."""
    own = find_own(session, event)
    return deepcopy(own.catalogue) if own is not None else {}


def find_word(words: dict[str, Any], kind: str, word_id: str) -> dict[str, Any] | None:
    return next((entry for entry in words.get(KINDS[kind], ()) if entry["id"] == word_id), None)


def remember_word(
    session: Session,
    event: AnyEvent,
    actor: Actor,
    kind: str,
    entry: dict[str, Any],
    *,
    was: str | None = None,
    version: int | None = None,
) -> Change[dict[str, Any]]:
    """Keep a word, in place of the one with the same id (or with the id `was`). The result is it as kept.

    An entry without an id gets one from its name. A form names the version it was made from."""
    entry = dict(entry)
    if not entry.get("id"):
        names = entry.get("names") or {}
        entry["id"] = id_from(next((name for name in names.values() if name), ""))
    if not entry["id"]:
        raise fail("names", "key_missing")
    check_words({KINDS[kind]: [entry]})
    event = hold(session, event)
    own = _own(session, event, version)
    with changing(session, event, actor, "catalogue.changed", why=str(entry["id"])) as recording:
        own.catalogue = _with(own.catalogue, kind, entry, was or entry["id"])
        session.add(own)
    return recording.change.giving(entry)


def _with(words: dict[str, Any], kind: str, entry: dict[str, Any], was: str) -> dict[str, Any]:
    words, key = deepcopy(words), KINDS[kind]
    entries = words.get(key, [])
    at = next((n for n, other in enumerate(entries) if other["id"] == was), None)
    if at is None:
        entries = [*entries, entry]
    else:
        entries[at] = entry
    words[key] = entries
    check_words(words)
    return words


def forget_word(
    session: Session, event: AnyEvent, actor: Actor, kind: str, word_id: str, version: int | None = None
) -> Change[None]:
    event = hold(session, event)
    own = _own(session, event, version)
    if find_word(own.catalogue, kind, word_id) is None:
        raise Conflict(Message("word_gone", id=word_id))
    words = deepcopy(own.catalogue)
    words[KINDS[kind]] = [entry for entry in words[KINDS[kind]] if entry["id"] != word_id]
    with changing(session, event, actor, "catalogue.removed", why=word_id) as recording:
        own.catalogue = {key: entries for key, entries in words.items() if entries}
        session.add(own)
    return recording.change


def replace_words(
    session: Session,
    event: AnyEvent,
    actor: Actor,
    words: Any,
    *,
    keep_others: bool = True,
    version: int | None = None,
) -> Change[int]:
    """Take over a whole file: its words beside ours (same id: the file's), or alone. The result is how many
    words the file holds."""
    given = tidy(words)
    event = hold(session, event)
    own = _own(session, event, version)
    result = deepcopy(own.catalogue) if keep_others else {}
    for kind, key in KINDS.items():
        for entry in given.get(key, ()):
            result = _with(result, kind, entry, entry["id"])
    with changing(session, event, actor, "catalogue.read") as recording:
        own.catalogue = result
        session.add(own)
    return recording.change.giving(sum(len(entries) for entries in given.values()))


def _own(session: Session, event: AnyEvent, version: int | None) -> EventCatalogue:
    own = find_own(session, event)
    if own is None:
        return EventCatalogue(event_id=event.id, catalogue={}, infractions=[])
    if version is not None:
        check_version(own, version, Message("changed_meanwhile"))
    return own


def tidy(words: Any) -> dict[str, Any]:
    """A catalogue, a table file that carries one, or a single hero; as the four lists we keep."""
    if isinstance(words, dict) and "catalogue" in words:
        words = words["catalogue"]
    elif isinstance(words, dict) and "abilities" in words and "id" in words:
        words = {"heroes": [words]}
    check_words(words)
    result = {key: list(words.get(key) or ()) for key in KINDS.values()}
    result["cards"] += words.get("common_cards") or []
    return {key: entries for key, entries in result.items() if entries}


def check_words(words: Any) -> None:
    """Raise what the reader of table files would refuse, each with its place."""
    read_catalogue(words, "")
    for key in KINDS.values():
        if len(words.get(key) or ()) > MOST_WORDS:
            raise Refused(Message("too_many_words", limit=MOST_WORDS))
        _check_ids(words.get(key) or (), key)


def _check_ids(entries: Any, key: str) -> None:
    bad = [n for n, entry in enumerate(entries, 1) if not re.fullmatch(r"\S{1,60}", str(entry["id"]))]
    if bad:
        raise InputError(*(Problem(f"{key}[{n}].id", Message("expected_word_id")) for n in bad))


def id_from(name: str) -> str:
    """ "Buh-Bye!" -> "buh-bye"; letters of other alphabets stay as they are."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(c for c in plain if not unicodedata.combining(c) or c == "\u0306")
    plain = unicodedata.normalize("NFC", plain)
    return re.sub(r"[^\w]+", "-", plain.replace("'", "").replace("’", "")).strip("-_")[:60]


def as_yaml(words: Any) -> str:
    """For a text field and for the file; reading it gives the same words."""
    import yaml

    if not words:
        return ""
    dumped: str = yaml.safe_dump(words, allow_unicode=True, sort_keys=False, width=100)
    return dumped


def from_yaml(text: str) -> Any:
    return parse(text.encode())
