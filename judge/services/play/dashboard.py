"""The dashboard: the state of the event at a glance, and the next step."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import func
from sqlmodel import Session, col, select

from judge.core.json_types import JsonObject
from judge.core.messages import Lang, Message
from judge.services.event.event_rows import EventRows, read_rows
from judge.services.event.event_view import AnyEvent
from judge.services.event.stage_format import kind_of, later_stage
from judge.services.event.timetable import Timetable, timetable
from judge.services.event.tournament_of import tournament_of
from judge.services.pairing.bracket_matches import ReadyMatch, ready_matches
from judge.services.pairing.cuts import how_many_go_on
from judge.services.pairing.rounds import next_number, planned_rounds, stage_now
from judge.services.play.running_tables import Table, tables_now
from judge.storage.events import Player, Round
from judge.tournament.formats import format_of, play_bracket
from judge.tournament.stages import is_complete


@dataclass(frozen=True, slots=True)
class Step:
    """The next step: add-players, pair, review, settle, results, cut, finish, over."""

    kind: str
    values: JsonObject = field(default_factory=dict)  # parameters of the page's sentence


@dataclass(frozen=True, slots=True)
class Desk:
    step: Step
    players: dict[str, int]  # by state
    tables: list[Table]
    round: int | None  # the round being played
    stage: int
    planned: int | None
    draft: int | None
    times: Timetable | None = None  # once there are players
    is_paused_together: bool = False
    ready: list[ReadyMatch] = field(default_factory=list)  # matches that could begin already

    @property
    def playing(self) -> int:
        return sum(self.players.get(state, 0) for state in ("registered", "present"))

    @property
    def missing(self) -> list[Table]:
        return [t for t in self.tables if t.is_missing]

    @property
    def late(self) -> int:
        return sum(t.is_late for t in self.tables)

    @property
    def disputed(self) -> list[Table]:
        return [t for t in self.tables if t.is_disputed]

    @property
    def finished(self) -> list[Table]:
        return sorted((t for t in self.tables if not t.is_missing), key=lambda t: t.number or 0)


def overview(session: Session, event: AnyEvent, now: datetime, lang: Lang = "en") -> Desk:
    states = session.execute(
        select(Player.state, func.count()).where(Player.event_id == event.id).group_by(col(Player.state))
    )
    players: dict[str, int] = dict(states.all())
    rounds = session.execute(
        select(Round.number, Round.state, Round.stage)
        .where(Round.event_id == event.id)
        .order_by(col(Round.number))
    ).all()
    published = [r for r in rounds if r.state == "published"]
    draft = next((r.number for r in rounds if r.state == "draft"), None)
    tables = tables_now(session, event, now)
    rows = read_rows(session, event)
    step, planned = _next_step(event, rows, players, tables, draft)
    current = published[-1] if published else None
    return Desk(
        step, players, tables, current.number if current else None, current.stage if current else 1, planned,
        draft, timetable(rows, now) if rows.players else None,
        any(r.report.get("paused_together") for r in rows.published), ready_matches(rows, lang),
    )  # fmt: skip


def _next_step(
    event: AnyEvent, rows: EventRows, players: dict[str, int], tables: list[Table], draft: int | None
) -> tuple[Step, int | None]:
    planned = planned_rounds(rows, stage_now(rows)) if rows.players else None
    if event.state == "finished":
        return Step("over"), planned
    if draft is not None:
        return Step("review", {"number": draft}), planned
    disputed = [t for t in tables if t.is_disputed]
    if disputed:
        return Step("settle", {"match_id": disputed[0].id, "table": disputed[0].number}), planned
    missing = sum(t.is_missing for t in tables)
    if missing:
        return Step("results", {"missing": missing}), planned
    if not rows.rounds and sum(players.get(s, 0) for s in ("registered", "present")) < 2:
        return Step("add-players"), planned
    return _after_results(event, rows), planned


def _after_results(event: AnyEvent, rows: EventRows) -> Step:
    """What comes once every result is in: the next round of the stage, the next stage, or the end."""
    number, stage = next_number(rows), stage_now(rows)
    t = tournament_of(rows, stage)
    if not is_complete(t):
        kind = format_of(t)
        is_stuck = kind.has_bracket and bool(t.rounds) and not play_bracket(t).due()
        return Step("finish") if is_stuck else Step("pair", {"number": number})
    size = how_many_go_on(rows, stage + 1)
    if not size or size < 2:
        return Step("finish")
    values: JsonObject = {"number": number, "size": size, "over": Message(format_of(t).over_key)}
    later = later_stage(event, stage + 1)
    return Step("cut", {**values, "name": later.name, "is_bracket": kind_of(event, stage + 1).has_bracket})
