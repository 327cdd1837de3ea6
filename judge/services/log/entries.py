"""The log of an event as people read it: who did what to whom, when, why. Taking back is in `taking_back`.

Each kind of change has a sentence `log_<what>` (dots and dashes written as underscores). Its parameters
come from the rows that changed: the match's players, table and result before and after, the player's name,
the round.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select as sa_select  # sqlmodel types at most four columns
from sqlmodel import Session, col, select

from judge.core.messages import Lang, Message
from judge.schemas.fixtures import sentences
from judge.services.event.event_view import AnyEvent
from judge.services.event.stage_format import pod_counts
from judge.services.log.changes import TABLES, numbers_of, values_of
from judge.services.log.search import Wanted, fitting, sentence_key
from judge.services.log.undo import RESULT_MADE, ROUND_MADE, WHY_NOT, right_for
from judge.services.play.outcomes import Outcome, describe
from judge.services.play.reasons import phrasebook
from judge.storage.audit import AuditRow
from judge.storage.events import Match, Player, Round, seats_of
from judge.storage.rulings import KeptRuling

PAGE = 50


@dataclass(frozen=True, slots=True)
class Line:
    id: int
    at: datetime
    actor: str
    what: str
    says: str
    why: str
    is_undone: bool
    can_undo: bool
    right: str  # what somebody must be allowed to do, to take it back
    subject: str


@dataclass(frozen=True, slots=True)
class LogPage:
    lines: list[Line]
    people: list[str]
    kinds: list[str]
    older: int | None  # where the next page begins


def read_log(session: Session, event: AnyEvent, wanted: Wanted, lang: Lang) -> LogPage:
    own = AuditRow.event_id == str(event.id)
    people = session.exec(select(AuditRow.actor).where(own).distinct().order_by(AuditRow.actor)).all()
    whats = session.exec(select(AuditRow.what).where(own).distinct()).all()
    query = select(AuditRow).where(fitting(session, event, wanted, whats, lang))
    rows = list(session.exec(query.order_by(col(AuditRow.id).desc()).limit(PAGE + 1)).all())
    shown, names = rows[:PAGE], _Names(session, event)
    standing = _rows_now(session, shown)
    lines = [_line(entry, names, lang, _is_as_left(entry, standing)) for entry in shown]
    older = shown[-1].id if len(rows) > PAGE else None
    return LogPage(lines, list(people), sorted({w.split(".")[0] for w in whats}), older)


class _Names:
    """Players, matches and rounds of the event by number: three queries for the whole page."""

    def __init__(self, session: Session, event: AnyEvent) -> None:
        own = event.id
        self.players = dict(
            session.execute(select(Player.id, Player.name).where(Player.event_id == own)).all()
        )
        self.rounds = dict(session.execute(select(Round.id, Round.number).where(Round.event_id == own)).all())
        matches = session.execute(
            sa_select(
                col(Match.id),
                col(Match.a_id),
                col(Match.b_id),
                col(Match.more),
                col(Match.table_no),
                col(Match.round_id),
                col(Match.result),
            ).where(col(Match.event_id) == own)
        )
        self.matches = {m.id: m for m in matches}
        rulings = select(KeptRuling.id, KeptRuling.title, KeptRuling.players).where(
            KeptRuling.event_id == own
        )
        self.titles = {k.id: k.title or " – ".join(k.players) for k in session.execute(rulings)}
        self.played = {m.round_id for m in self.matches.values() if m.result not in (None, "bye")}
        self.seated = {p for m in self.matches.values() for p in seats_of(m.a_id, m.b_id, m.more)}
        self.last = max(self.rounds.values(), default=0)
        self.counts = pod_counts(event, 1)

    def player(self, number: Any) -> str:
        return self.players.get(number, "?") if number is not None else ""


def _rows_now(session: Session, entries: list[AuditRow]) -> dict[tuple[str, int], dict[str, Any]]:
    """Every row the entries speak of as it stands, with one query a table."""
    wanted: dict[str, set[int]] = {}
    for entry in entries:
        for kept in entry.after or []:
            wanted.setdefault(kept["table"], set()).add(kept["id"])
    found = {}
    for table, numbers in wanted.items():
        model = TABLES[table]
        for row in session.exec(select(model).where(numbers_of(model).in_(numbers))).all():
            values = values_of(row)
            found[table, values["id"]] = values
    return found


def _is_as_left(entry: AuditRow, rows: dict[tuple[str, int], dict[str, Any]]) -> bool:
    """Whether every row still stands as this entry left it: then it can be taken back."""
    for kept in entry.after or []:
        now, left = rows.get((kept["table"], kept["id"])), kept["row"]
        if now is not None and left is not None:
            now = {name: now.get(name) for name in left}
        if now != left:
            return False
    return True


def _line(entry: AuditRow, names: _Names, lang: Lang, is_as_left: bool) -> Line:
    return Line(
        id=entry.id,
        at=entry.at,
        actor=entry.actor,
        what=entry.what,
        says=_says(entry, names, lang),
        why=entry.why,
        is_undone=entry.undone_by is not None,
        can_undo=entry.undone_by is None and is_as_left and not _bears_more(entry, names),
        right=right_for(entry),
        subject=f"{entry.subject_kind}-{entry.subject_id}",
    )


def _bears_more(entry: AuditRow, names: _Names) -> bool:
    """Whether a round rests on this: then it is not simply taken back."""
    number = int(entry.subject_id) if entry.subject_id.isdigit() else 0
    if entry.what in WHY_NOT or not entry.after:
        return True
    if entry.what in ROUND_MADE:
        return number in names.played or names.rounds.get(number, names.last) < names.last
    if entry.what in RESULT_MADE:
        match = names.matches.get(number)
        return match is not None and names.rounds[match.round_id] < names.last
    added = {kept["id"] for kept in entry.before or [] if kept["table"] == "player" and kept["row"] is None}
    return bool(added & names.seated)


def _says(entry: AuditRow, names: _Names, lang: Lang) -> str:
    key = sentence_key(entry.what)
    known = sentences(lang)
    params = _params(entry, names)
    if key not in known:
        return phrasebook(lang).say(Message("log_other", what=entry.what, **params))
    return phrasebook(lang).say(Message(key, **params))


def _params(entry: AuditRow, names: _Names) -> dict[str, Any]:
    """Everything a sentence may speak of. Rows that are gone are read from the entry itself."""
    number = int(entry.subject_id) if entry.subject_id.isdigit() else 0
    before = {(k["table"], k["id"]): k["row"] or {} for k in entry.before or []}
    after = {(k["table"], k["id"]): k["row"] or {} for k in entry.after or []}
    subject = (entry.subject_kind, number)
    was, now = before.get(subject, {}), after.get(subject, {})
    params: dict[str, Any] = {
        "name": _subject_name(entry.subject_kind, number, was, now, names),
        "round": names.rounds.get(number) or was.get("number") or now.get("number") or "?",
        "count": sum(table == "player" for table, _ in after),
        "number": number,
        "was": was.get("state", ""),
        "now": now.get("state", ""),
    }
    if entry.subject_kind == "match":
        params |= _match_params(number, was, now, names)
    return params


def _subject_name(kind: str, number: int, was: Any, now: Any, names: _Names) -> str:
    if kind == "player":
        is_gone = was and not now  # removed by this entry, whoever has the number today
        return str(was["name"]) if is_gone else names.player(number)
    if kind == "kept_ruling":
        return names.titles.get(number, "?")
    return str(now.get("name", was.get("name", "")))


def _match_params(number: int, was: Any, now: Any, names: _Names) -> dict[str, Any]:
    match = names.matches.get(number)
    seated = [names.player(p) for p in seats_of(match.a_id, match.b_id, match.more)] if match else ["?", "?"]
    return {
        "a": seated[0],
        "b": " – ".join(seated[1:]),
        "table": match.table_no if match else "?",
        "round": names.rounds.get(match.round_id, "?") if match else "?",
        "old": describe(seated, _outcome(was), names.counts),
        "new": describe(seated, _outcome({**_standing(was), **_standing(now)}), names.counts),
    }


def _standing(row: Any) -> dict[str, Any]:
    return {k: row.get(k) for k in ("result", "how", "health_a", "health_b", "games", "scores") if k in row}


def _outcome(row: Any) -> Outcome | None:
    if not row.get("result"):
        return None
    games = tuple(row["games"]) if row.get("games") else None
    scores = None if row.get("scores") is None else tuple(row["scores"])
    return Outcome(row["result"], row.get("how"), row.get("health_a"), row.get("health_b"), games, scores)
