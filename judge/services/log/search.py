"""Which entries of a log a reader asks for. Everything is asked of the database, so that a page holds fifty
entries that fit, wherever in the log they stand.

The sentences of the log are not stored: they are made for the reader, from the kind of the entry and today's
names. So a word is looked for in what they are made of: who did it and why, the kind's sentence in the
reader's language, the players, table and round it speaks of, and how the match stands. Every word has to fit.
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
class Wanted:
    """Filters; empty ones do not filter. kind: the first word of what was done (result, round ...)."""

    who: str = ""
    kind: str = ""
    text: str = ""
    subject: str = ""  # "match-12"
    before: int = 0  # entries older than this one


def fitting(
    session: Session, event: AnyEvent, wanted: Wanted, kinds: Sequence[str], lang: Lang
) -> ColumnElement[bool]:
    """The condition on entries of this event; `kinds` are those that stand in its log."""
    conditions: list[Any] = [AuditRow.event_id == str(event.id)]
    if wanted.who:
        conditions.append(AuditRow.actor == wanted.who)
    if wanted.kind:
        kind = col(AuditRow.what).startswith(f"{wanted.kind}.", autoescape=True)
        conditions.append(kind | (col(AuditRow.what) == wanted.kind))
    if "-" in wanted.subject:
        kind_of_row, number = wanted.subject.split("-", 1)
        conditions += [AuditRow.subject_kind == kind_of_row, AuditRow.subject_id == number]
    if wanted.before:
        conditions.append(col(AuditRow.id) < wanted.before)
    if words := [word for word in BETWEEN.split(wanted.text) if word]:
        names = session.execute(select(Player.id, Player.name).where(Player.event_id == event.id)).all()
        conditions += [_has(event, word, names, kinds, lang) for word in words]
    return and_(*conditions)


def _has(
    event: AnyEvent, word: str, names: Sequence[Any], kinds: Sequence[str], lang: Lang
) -> ColumnElement[bool]:
    bare = word.strip(".-").casefold()
    players = [number for number, name in names if bare in name.casefold()]
    return or_(
        _contains(AuditRow.actor, word),
        _contains(AuditRow.why, word),
        col(AuditRow.what).in_(_kinds_saying(bare, kinds, lang)),
        and_(col(AuditRow.subject_kind) == "audit", col(AuditRow.subject_id) == bare),
        and_(col(AuditRow.what) == "player.removed", _kept_in(AuditRow.before, word)),
        _about("player", cast(Player.id, String), Player.event_id == event.id, col(Player.id).in_(players)),
        _about("match", cast(Match.id, String), Match.event_id == event.id, _match_has(bare, players, lang)),
        _about("round", cast(Round.id, String), Round.event_id == event.id, _is_round(bare)),
        _about(
            "kept_ruling", cast(KeptRuling.id, String), KeptRuling.event_id == event.id,
            _contains(KeptRuling.title, word) | _contains(KeptRuling.words, bare),
        ),
    )  # fmt: skip


def _about(kind: str, number: Any, *conditions: Any) -> ColumnElement[bool]:
    found = select(number).where(*conditions)
    return and_(col(AuditRow.subject_kind) == kind, col(AuditRow.subject_id).in_(found))


def _match_has(word: str, players: list[int], lang: Lang) -> ColumnElement[bool]:
    found = col(Match.a_id).in_(players) | col(Match.b_id).in_(players)
    found = found | _in_pod(players) | _stands_as(word, lang)
    if (number := _number(word)) is not None:
        rounds = select(Round.id).where(Round.number == number)
        seen = or_(*(col(c) == number for c in (Match.table_no, Match.health_a, Match.health_b)))
        found = found | seen | col(Match.round_id).in_(rounds)
    return found


def _in_pod(players: list[int]) -> ColumnElement[bool]:
    """At one of a pod's further seats, which both databases hold as "[12, 7]"."""
    seats = cast(Match.more, String)
    ways = (f"{start}{player}{end}" for player in players for start in "[ " for end in ",]")
    return or_(false(), *(seats.contains(way) for way in ways))


def _stands_as(word: str, lang: Lang) -> ColumnElement[bool]:
    """The match has a result that is said with this word: "conceded", "draw"."""
    said = [key.removeprefix("outcome_").replace("_", "-") for key in _saying(word, "outcome_", lang)]
    hows = [how for how in ("intentional-draw", "concession") if any(s.startswith(how) for s in said)]
    return col(Match.result).in_(said) | col(Match.how).in_(hows)


def _is_round(word: str) -> ColumnElement[bool]:
    number = _number(word)
    return col(Round.number) == number if number is not None else false()


def _number(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdecimal() and len(word) < 7 else None


def _kinds_saying(word: str, kinds: Sequence[str], lang: Lang) -> list[str]:
    spelled = _saying(word, "log_", lang)
    return [what for what in kinds if sentence_key(what) in spelled]


def sentence_key(what: str) -> str:
    """The sentence of a kind of entry: dots and dashes become underscores."""
    return "log_" + what.replace(".", "_").replace("-", "_")


def _saying(word: str, prefix: str, lang: Lang) -> list[str]:
    said = ((key, BLANKS.sub(" ", text).casefold()) for key, text in sentences(lang).items())
    return [key for key, text in said if key.startswith(prefix) and word and word in text]


def _contains(column: Any, word: str) -> ColumnElement[bool]:
    """In any case of letters. SQLite knows only the case of a to z, so the usual spellings are tried."""
    return or_(*(column.icontains(spelling, autoescape=True) for spelling in _spellings(word)))


def _kept_in(column: Any, word: str) -> ColumnElement[bool]:
    """In rows that are kept as JSON, which SQLite holds with other letters than a to z as codes."""
    text = cast(column, String)
    codes = [json.dumps(spelling)[1:-1] for spelling in _spellings(word)]
    return or_(_contains(text, word), *(text.contains(code, autoescape=True) for code in codes))


def _spellings(word: str) -> list[str]:
    return list(dict.fromkeys((word, word.lower(), word.upper(), word.capitalize())))
