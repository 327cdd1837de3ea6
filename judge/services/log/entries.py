"""The log of an event as sentences: who did what to whom, when and why.

Each kind of change has a sentence `log_<what>` (with underscores for dots and dashes). Its parameters come
from the rows that changed: the match's players, table and result before and after, the player's name, the
round.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import select as sa_select  # sqlmodel types at most four columns
from sqlmodel import Session, col, select

from judge.core.json_types import JsonObject
from judge.core.messages import Lang, Message
from judge.schemas.fixtures import sentences
from judge.services.event.event_view import AnyEvent
from judge.services.event.stage_format import pod_counts
from judge.services.log.changes import TABLES, Key, numbers_of, values_of
from judge.services.log.details import details_of
from judge.services.log.search import Filters, matching, sentence_key
from judge.services.log.undo import RESULT_MADE, ROUND_MADE, WHY_NOT, right_for
from judge.services.pairing.reasons import phrasebook
from judge.services.play.outcomes import Outcome, describe
from judge.services.play.penalties import catalogue, penalty_names
from judge.services.rulebook.heroes import hero_name
from judge.storage.audit import AuditRow
from judge.storage.events import Announcement, Match, Player, Round, seats_of
from judge.storage.rulings import KeptRuling

PAGE = 50


@dataclass(frozen=True, slots=True)
class Line:
    id: int
    at: datetime
    actor: str
    what: str
    says: str
    details: list[str]  # what exactly changed: old → new
    why: str
    is_undone: bool
    can_undo: bool
    right: str  # the right that undoing it needs
    subject: str


@dataclass(frozen=True, slots=True)
class LogPage:
    lines: list[Line]
    people: list[str]
    kinds: list[str]
    older: int | None  # where the next page begins


def read_log(session: Session, event: AnyEvent, filters: Filters, lang: Lang) -> LogPage:
    own = AuditRow.event_id == str(event.id)
    people = session.exec(select(AuditRow.actor).where(own).distinct().order_by(AuditRow.actor)).all()
    whats = session.exec(select(AuditRow.what).where(own).distinct()).all()
    query = select(AuditRow).where(matching(session, event, filters, whats, lang))
    rows = list(session.exec(query.order_by(col(AuditRow.id).desc()).limit(PAGE + 1)).all())
    entries, names = rows[:PAGE], _Names(session, event)
    current = _rows_now(session, entries)
    lines = [_line(entry, names, lang, _is_current(entry, current)) for entry in entries]
    older = entries[-1].id if len(rows) > PAGE else None
    return LogPage(lines, list(people), sorted({w.split(".")[0] for w in whats}), older)


class _Names:
    """Players, matches, rounds and rulings of the event by id, in five queries for the whole page."""

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
        self.played = {m.round_id for m in self.matches.values() if m.b_id is not None and m.result}
        self.seated = {p for m in self.matches.values() for p in seats_of(m.a_id, m.b_id, m.more)}
        self.last = max(self.rounds.values(), default=0)
        said = select(Announcement.id, Announcement.text).where(Announcement.event_id == own)
        self.announced = dict(session.execute(said).all())
        self.counts = pod_counts(event, 1)
        self.game = event.game
        self.infractions = partial(catalogue, session, event)

    def player(self, number: Any) -> str:
        return self.players.get(number, "?") if number is not None else ""

    def seats(self, match: int) -> tuple[int, ...]:
        row = self.matches.get(match)
        return seats_of(row.a_id, row.b_id, row.more) if row else ()

    def hero(self, hero: str, lang: Lang) -> str:
        return hero_name(self.game, hero, lang)

    def penalty(self, infraction: str, penalty: str, lang: Lang) -> str:
        names = {entry.id: entry.name for entry in self.infractions(lang)}
        return f"{names.get(infraction, infraction)} – {penalty_names(lang).get(penalty, penalty)}"


def _rows_now(session: Session, entries: list[AuditRow]) -> dict[Key, JsonObject]:
    """The rows that the entries changed, as they are now; one query per table."""
    ids: dict[str, set[int]] = {}
    for entry in entries:
        for copy in entry.after or []:
            ids.setdefault(copy["table"], set()).add(copy["id"])
    current = {}
    for table, numbers in ids.items():
        model = TABLES[table]
        for row in session.exec(select(model).where(numbers_of(model).in_(numbers))).all():
            values = values_of(row)
            current[table, values["id"]] = values
    return current


def _is_current(entry: AuditRow, rows: dict[Key, JsonObject]) -> bool:
    """Whether every row is still as this entry left it, so that the entry can be undone."""
    for copy in entry.after or []:
        now, after = rows.get((copy["table"], copy["id"])), copy["row"]
        if now is not None and after is not None:
            now = {name: now.get(name) for name in after}
        if now != after:
            return False
    return True


def _line(entry: AuditRow, names: _Names, lang: Lang, is_current: bool) -> Line:
    return Line(
        id=entry.id,
        at=entry.at,
        actor=entry.actor,
        what=entry.what,
        says=_says(entry, names, lang),
        details=details_of(entry, names, phrasebook(lang)),
        why=entry.why,
        is_undone=entry.undone_by is not None,
        can_undo=entry.undone_by is None and is_current and not _is_built_on(entry, names),
        right=right_for(entry),
        subject=f"{entry.subject_kind}-{entry.subject_id}",
    )


def _is_built_on(entry: AuditRow, names: _Names) -> bool:
    """Whether later rounds depend on this entry, so that it cannot simply be undone."""
    number = int(entry.subject_id) if entry.subject_id.isdigit() else 0
    if entry.what in WHY_NOT or not entry.after:
        return True
    if entry.what in ROUND_MADE:
        return number in names.played or names.rounds.get(number, names.last) < names.last
    if entry.what in RESULT_MADE:
        match = names.matches.get(number)
        return match is not None and names.rounds[match.round_id] < names.last
    added = {copy["id"] for copy in entry.before or [] if copy["table"] == "player" and copy["row"] is None}
    return bool(added & names.seated)


def _says(entry: AuditRow, names: _Names, lang: Lang) -> str:
    key = sentence_key(entry.what)
    params = _params(entry, names)
    if key not in sentences(lang):
        return phrasebook(lang).say(Message("log_other", what=entry.what, **params))
    return phrasebook(lang).say(Message(key, **params))


def _params(entry: AuditRow, names: _Names) -> JsonObject:
    """All parameters a sentence may use. Values of deleted rows come from the entry itself."""
    number = int(entry.subject_id) if entry.subject_id.isdigit() else 0
    rows_before = {(copy["table"], copy["id"]): copy["row"] or {} for copy in entry.before or []}
    rows_after = {(copy["table"], copy["id"]): copy["row"] or {} for copy in entry.after or []}
    subject = (entry.subject_kind, number)
    before, after = rows_before.get(subject, {}), rows_after.get(subject, {})
    params: JsonObject = {
        "name": _subject_name(entry.subject_kind, number, before, after, names),
        "round": names.rounds.get(number) or before.get("number") or after.get("number") or "?",
        "count": sum(table == "player" for table, _ in rows_after),
        "number": number,
        "was": before.get("state", ""),
        "now": after.get("state", ""),
    }
    if entry.subject_kind == "announcement":
        params["text"] = after.get("text") or names.announced.get(number, "")
    if entry.subject_kind == "match":
        params |= _match_params(number, before, after, names)
    return params


def _subject_name(kind: str, number: int, before: JsonObject, after: JsonObject, names: _Names) -> str:
    if kind == "player":
        is_removed = before and not after  # by this entry, whoever has the id today
        return str(before["name"]) if is_removed else names.player(number)
    if kind == "kept_ruling":
        return names.titles.get(number, "?")
    return str(after.get("name", before.get("name", "")))


def _match_params(number: int, before: JsonObject, after: JsonObject, names: _Names) -> JsonObject:
    match = names.matches.get(number)
    players = [names.player(p) for p in seats_of(match.a_id, match.b_id, match.more)] if match else ["?", "?"]
    return {
        "a": players[0],
        "b": " – ".join(players[1:]),
        "table": match.table_no if match else "?",
        "round": names.rounds.get(match.round_id, "?") if match else "?",
        "old": describe(players, _outcome(before), names.counts),
        "new": describe(players, _outcome({**_result(before), **_result(after)}), names.counts),
    }


def _result(row: JsonObject) -> JsonObject:
    return {k: row.get(k) for k in ("result", "how", "health_a", "health_b", "games", "scores") if k in row}


def _outcome(row: JsonObject) -> Outcome | None:
    if not row.get("result"):
        return None
    games = tuple(row["games"]) if row.get("games") else None
    scores = None if row.get("scores") is None else tuple(row["scores"])
    return Outcome(row["result"], row.get("how"), row.get("health_a"), row.get("health_b"), games, scores)
