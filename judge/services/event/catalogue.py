"""An event's own catalogue: heroes, abilities, cards and statuses that the shipped files lack.

It has the shape of `catalogue:` in a table file; nothing is stored that the reader of table files would
refuse. An ability that belongs to one shipped hero names that hero in `applies_to`.
"""

from __future__ import annotations

import re
import unicodedata
from copy import deepcopy
from typing import Any

from sqlmodel import Session, select

from judge.core.errors import Conflict, InputError, Problem, Refused, fail
from judge.core.json_types import JsonObject
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
    """The version of the event's catalogue; 0 if it has none."""
    own = find_own(session, event)
    return own.version if own is not None else 0


def words_of(session: Session, event: AnyEvent) -> JsonObject:
    """The event's catalogue as `catalogue:` of a table file; {} if it has none."""
    own = find_own(session, event)
    return deepcopy(own.catalogue) if own is not None else {}


def find_word(words: JsonObject, kind: str, word_id: str) -> JsonObject | None:
    return next((entry for entry in words.get(KINDS[kind], ()) if entry["id"] == word_id), None)


def remember_word(
    session: Session,
    event: AnyEvent,
    actor: Actor,
    kind: str,
    entry: JsonObject,
    *,
    old_id: str | None = None,
    version: int | None = None,
) -> Change[JsonObject]:
    """Store a word, replacing the one with its id or with `old_id`; the result is the stored entry.

    An entry without an id gets one from its name. A form passes the version it was made from."""
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
        own.catalogue = _with(own.catalogue, kind, entry, old_id or entry["id"])
        session.add(own)
    return recording.change.giving(entry)


def _with(words: JsonObject, kind: str, entry: JsonObject, old_id: str) -> JsonObject:
    words, key = deepcopy(words), KINDS[kind]
    entries = words.get(key, [])
    at = next((n for n, other in enumerate(entries) if other["id"] == old_id), None)
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
    """Read a whole file into the catalogue. It replaces words with the same id, or the whole catalogue; the
    result is the number of words in the file."""
    incoming = tidy(words)
    event = hold(session, event)
    own = _own(session, event, version)
    result = deepcopy(own.catalogue) if keep_others else {}
    for kind, key in KINDS.items():
        for entry in incoming.get(key, ()):
            result = _with(result, kind, entry, entry["id"])
    with changing(session, event, actor, "catalogue.read") as recording:
        own.catalogue = result
        session.add(own)
    return recording.change.giving(sum(len(entries) for entries in incoming.values()))


def _own(session: Session, event: AnyEvent, version: int | None) -> EventCatalogue:
    own = find_own(session, event)
    if own is None:
        return EventCatalogue(event_id=event.id, catalogue={}, infractions=[])
    if version is not None:
        check_version(own, version, Message("changed_meanwhile"))
    return own


def tidy(words: Any) -> JsonObject:
    """Turn a catalogue, a table file that has one, or a single hero into the four lists that are stored."""
    if isinstance(words, dict) and "catalogue" in words:
        words = words["catalogue"]
    elif isinstance(words, dict) and "abilities" in words and "id" in words:
        words = {"heroes": [words]}
    check_words(words)
    result = {key: list(words.get(key) or ()) for key in KINDS.values()}
    result["cards"] += words.get("common_cards") or []
    return {key: entries for key, entries in result.items() if entries}


def check_words(words: Any) -> None:
    """Refuse what the reader of table files would refuse, naming each place."""
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
    """The words as YAML, for a text field and for the file."""
    import yaml

    if not words:
        return ""
    dumped: str = yaml.safe_dump(words, allow_unicode=True, sort_keys=False, width=100)
    return dumped


def from_yaml(text: str) -> Any:
    return parse(text.encode())
