"""Exports an event as a tournament file or as lists for spreadsheets. A file holds the whole event, its
cut as a second stage.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import yaml
from sqlmodel import Session, col, select

from judge.core.json_types import JsonObject
from judge.schemas.tournament.desk_reader import DESK_KEYS, write_penalty
from judge.schemas.tournament.spreadsheets import players_csv, ranking_csv, results_csv
from judge.schemas.tournament.stages_writer import write_event
from judge.services.event.event_rows import EventRows, read_rows
from judge.services.event.event_view import AnyEvent
from judge.services.event.events import settings_of
from judge.services.event.people_in_files import labeller, outsiders, people_in_file
from judge.services.event.ranking import event_ranking, named_stage
from judge.services.event.tournament_of import player_id, staged_event_of, stages_begun, tournament_file
from judge.storage.rulings import Penalty
from judge.tournament.model import Penalty as EnginePenalty
from judge.tournament.stages import StagedEvent

LISTS = ("players", "results", "standings")


def export_file(session: Session, event: AnyEvent, form: str, stage: int | None = None) -> str:
    """The tournament file as YAML or JSON text: of the whole event, or of one stage."""
    rows = read_rows(session, event).without_drafts
    data = _plain(_whole_event(session, rows) if stage is None else tournament_file(rows, stage))
    if form == "json":
        return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    text: str = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=110)
    return text


def _whole_event(session: Session, rows: EventRows) -> dict[str, Any]:
    event = staged_event_of(rows)
    settings = settings_of(rows.event).as_row()
    outside = outsiders(rows, event)
    desk = {key: settings[key] for key in DESK_KEYS if key in settings} | _facts(rows, event)
    desk |= people_in_file(session, rows, event, outside)
    data = write_event(replace(event, desk=desk))
    if penalties := _penalties(session, rows.event):
        label = labeller(event, outside)
        data["penalties"] = [write_penalty(_penalty(rows, row), label) for row in penalties]
    return {**data, "at_time": settings["at_time"]}


def _facts(rows: EventRows, event: StagedEvent) -> JsonObject:
    """The event's facts beside its settings, and the names of its players on public pages."""
    label = event.stages[0].plan.label
    shown = {label(player_id(p.id or 0)): p.public_name for p in rows.players.values() if p.public_name}
    listed = {label(e.id) for e in event.stages[0].plan.entrants}
    facts: JsonObject = {"day": rows.event.day.isoformat(), "finished": rows.event.state == "finished"}
    if rows.event.edition:
        facts["edition"] = rows.event.edition
    display = {name: said for name, said in shown.items() if name in listed}
    return facts | ({"display": display} if display else {})


def _penalties(session: Session, event: AnyEvent) -> Sequence[Penalty]:
    return session.exec(select(Penalty).where(Penalty.event_id == event.id).order_by(col(Penalty.id))).all()


def _penalty(rows: EventRows, row: Penalty) -> EnginePenalty:
    match = next((m for _, m in rows.all_matches() if m.id == row.match_id), None)
    return EnginePenalty(
        player_id(row.player_id), row.infraction, row.penalty,
        None if match is None else rows.round_of(match).number,
        row.remedy, row.note, row.given_by, row.given_at.isoformat(),
    )  # fmt: skip


def _plain(value: Any) -> Any:
    """The value with only plain lists, dictionaries, strings and numbers."""
    return json.loads(json.dumps(value, ensure_ascii=False))


def export_list(session: Session, event: AnyEvent, what: str) -> str:
    """Players, results or standings as CSV; cells that a spreadsheet would run as formulas are quoted."""
    rows = read_rows(session, event)
    if what == "standings":
        ranking = event_ranking(rows)
        return ranking_csv(ranking if rows.published else replace(ranking, places=()))
    stages = [named_stage(rows, n, rows.names) for n in range(1, stages_begun(rows) + 1)]
    return players_csv(stages[0]) if what == "players" else results_csv(*stages)
