"""Writes an event with its stages as a tournament file."""

from __future__ import annotations

from typing import Any

from judge.schemas.tournament.desk_reader import write_penalty
from judge.schemas.tournament.writer import (
    number,
    write_attendance,
    write_entrant,
    write_forbidden,
    write_rounds,
    write_settings,
    write_tournament,
)
from judge.tournament.model import Tournament
from judge.tournament.stages import Stage, StagedEvent, Take

OUTSIDE = ("tournament", "name", "game")  # said once for all stages


def write_event(event: StagedEvent) -> dict[str, Any]:
    """The tournament file of an event. What was read from a file is written as it was."""
    data = _write(event)
    if event.penalties or "penalties" in data:
        data["penalties"] = [write_penalty(p, event.stages[0].plan.label) for p in event.penalties]
    return data | ({"desk": dict(event.desk)} if event.desk else {})


def _write(event: StagedEvent) -> dict[str, Any]:
    first = event.stages[0].plan
    if not event.is_staged:
        return write_tournament(first)
    data = dict(event.given) or {"tournament": 1, "name": event.name, "game": first.game}
    if "players" in data or not event.given:
        data["players"] = [write_entrant(e) for e in event.listed]
    data |= write_attendance(event.attendance, first.label, data)
    data |= write_forbidden(event.forbidden, first.label, data)
    data["stages"] = [_stage(event, stage) for stage in event.stages]
    return data


def _stage(event: StagedEvent, stage: Stage) -> dict[str, Any]:
    plan = stage.plan
    data = dict(stage.given) or _made(stage)
    if stage.own_facts:
        data["players"] = [write_entrant(e) for e in stage.own_facts.values()]
    data |= write_attendance(plan, plan.label, data)
    data |= write_forbidden(plan.forbidden[len(event.forbidden) :], plan.label, data)
    if plan.rounds or "rounds" in data or not stage.given:
        data["rounds"] = write_rounds(plan)
    return data


def _made(stage: Stage) -> dict[str, Any]:
    """The settings of a stage that was not read from a file."""
    data: dict[str, Any] = {"name": stage.name} if stage.name else {}
    if stage.take is not None:
        data["take"] = _take(stage.plan, stage.take)
    if stage.seeding:
        data["seeding"] = stage.seeding
    if stage.is_carried:
        data["carry"] = "points"
    settings = write_settings(stage.plan)
    if _is_by_attendance(stage.plan):
        settings["format"].pop("rounds", None)
    return data | {key: settings[key] for key in settings if key not in OUTSIDE}


def _is_by_attendance(plan: Tournament) -> bool:
    """Whether the preset tells the number of rounds from the number of players, now and later."""
    shape = plan.given.get("format")
    own = shape.get("rounds") if isinstance(shape, dict) else None
    return bool(plan.given) and plan.preset is not None and own is None and not plan.format.until_wins


def _take(plan: Tournament, take: Take) -> dict[str, Any]:
    if take.players is not None:
        return {"players": [plan.label(p) for p in take.players]}
    if take.points is not None:
        return {"points": number(take.points)}
    return {"of_each_group": take.of_each_group} if take.of_each_group is not None else {"top": take.top}
