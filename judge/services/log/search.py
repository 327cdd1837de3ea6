"""Searches the log of an event. The database does all the filtering, so that every page has fifty matching
entries, wherever in the log they are.

The sentences of the log are not stored; they are composed from the kind of the entry and today's names. So
each word is looked up in their parts: the actor, the reason, the sentence of the kind in the reader's
language, the players, table and round, and the result of the match. Every word must match.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, String, and_, cast, false, or_
from sqlmodel import Session, col, select

from judge.core.messages import Lang
from judge.schemas.fixtures import sentences
from judge.services.event.event_view import AnyEvent
from judge.storage.audit import AuditRow
from judge.storage.events import Match, Player, Round
from judge.storage.rulings import KeptRuling

BETWEEN = re.compile(r"[\s–:;,()]+")
BLANKS = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters of the log; empty ones match everything. kind: the first word of an action (result, round
    ...)."""

    who: str = ""
    kind: str = ""
    text: str = ""
    subject: str = ""  # "match-12"
    before: int = 0  # entries older than this one


def matching(
    session: Session, event: AnyEvent, filters: Filters, kinds: Sequence[str], lang: Lang
) -> ColumnElement[bool]:
    """The condition for entries of this event; `kinds` are all kinds in its log."""
    conditions: list[Any] = [AuditRow.event_id == str(event.id)]
    if filters.who:
        conditions.append(AuditRow.actor == filters.who)
    if filters.kind:
        kind = col(AuditRow.what).startswith(f"{filters.kind}.", autoescape=True)
        conditions.append(kind | (col(AuditRow.what) == filters.kind))
    if "-" in filters.subject:
        kind_of_row, number = filters.subject.split("-", 1)
        conditions += [AuditRow.subject_kind == kind_of_row, AuditRow.subject_id == number]
    if filters.before:
        conditions.append(col(AuditRow.id) < filters.before)
    if words := [word for word in BETWEEN.split(filters.text) if word]:
        names = session.execute(select(Player.id, Player.name).where(Player.event_id == event.id)).all()
        conditions += [_has(event, word, names, kinds, lang) for word in words]
    return and_(*conditions)


def _has(
    event: AnyEvent, word: str, names: Sequence[Any], kinds: Sequence[str], lang: Lang
) -> ColumnElement[bool]:
    folded = word.strip(".-").casefold()
    players = [number for number, name in names if folded in name.casefold()]
    return or_(
        _contains(AuditRow.actor, word),
        _contains(AuditRow.why, word),
        col(AuditRow.what).in_(_kinds_saying(folded, kinds, lang)),
        and_(col(AuditRow.subject_kind) == "audit", col(AuditRow.subject_id) == folded),
        and_(col(AuditRow.what) == "player.removed", _kept_in(AuditRow.before, word)),
        _about("player", cast(Player.id, String), Player.event_id == event.id, col(Player.id).in_(players)),
        _about(
            "match", cast(Match.id, String), Match.event_id == event.id, _match_has(folded, players, lang)
        ),
        _about("round", cast(Round.id, String), Round.event_id == event.id, _is_round(folded)),
        _about(
            "kept_ruling", cast(KeptRuling.id, String), KeptRuling.event_id == event.id,
            _contains(KeptRuling.title, word) | _contains(KeptRuling.words, folded),
        ),
    )  # fmt: skip


def _about(kind: str, number: Any, *conditions: Any) -> ColumnElement[bool]:
    numbers = select(number).where(*conditions)
    return and_(col(AuditRow.subject_kind) == kind, col(AuditRow.subject_id).in_(numbers))


def _match_has(word: str, players: list[int], lang: Lang) -> ColumnElement[bool]:
    condition = col(Match.a_id).in_(players) | col(Match.b_id).in_(players)
    condition = condition | _in_pod(players) | _has_result(word, lang)
    if (number := _number(word)) is not None:
        rounds = select(Round.id).where(Round.number == number)
        shown = or_(*(col(c) == number for c in (Match.table_no, Match.health_a, Match.health_b)))
        condition = condition | shown | col(Match.round_id).in_(rounds)
    return condition


def _in_pod(players: list[int]) -> ColumnElement[bool]:
    """A player has one of a pod's further seats, which both databases store as "[12, 7]"."""
    seats = cast(Match.more, String)
    patterns = (f"{start}{player}{end}" for player in players for start in "[ " for end in ",]")
    return or_(false(), *(seats.contains(pattern) for pattern in patterns))


def _has_result(word: str, lang: Lang) -> ColumnElement[bool]:
    """The match has a result whose sentence contains this word: "conceded", "draw"."""
    results = [key.removeprefix("outcome_").replace("_", "-") for key in _saying(word, "outcome_", lang)]
    hows = [
        how for how in ("intentional-draw", "concession") if any(result.startswith(how) for result in results)
    ]
    return col(Match.result).in_(results) | col(Match.how).in_(hows)


def _is_round(word: str) -> ColumnElement[bool]:
    number = _number(word)
    return col(Round.number) == number if number is not None else false()


def _number(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdecimal() and len(word) < 7 else None


def _kinds_saying(word: str, kinds: Sequence[str], lang: Lang) -> list[str]:
    keys = _saying(word, "log_", lang)
    return [kind for kind in kinds if sentence_key(kind) in keys]


def sentence_key(what: str) -> str:
    """The key of the sentence for a kind of entry."""
    return "log_" + what.replace(".", "_").replace("-", "_")


def _saying(word: str, prefix: str, lang: Lang) -> list[str]:
    texts = ((key, BLANKS.sub(" ", text).casefold()) for key, text in sentences(lang).items())
    return [key for key, text in texts if key.startswith(prefix) and word and word in text]


def _contains(column: Any, word: str) -> ColumnElement[bool]:
    """The column contains the word in upper or lower case. SQLite folds only a to z, so usual spellings are
    tried too."""
    return or_(*(column.icontains(spelling, autoescape=True) for spelling in _spellings(word)))


def _kept_in(column: Any, word: str) -> ColumnElement[bool]:
    """A JSON column contains the word; SQLite stores letters other than a to z as escapes."""
    text = cast(column, String)
    codes = [json.dumps(spelling)[1:-1] for spelling in _spellings(word)]
    return or_(_contains(text, word), *(text.contains(code, autoescape=True) for code in codes))


def _spellings(word: str) -> list[str]:
    return list(dict.fromkeys((word, word.lower(), word.upper(), word.capitalize())))
