"""Reads a season file: how events give points, and the events, each a tournament file or its standings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import PurePath
from typing import Any

from judge.core.errors import InputError, fail, problem
from judge.schemas import shape
from judge.schemas.shape import Fields, each, in_order, listing, number, raise_all
from judge.schemas.tournament.reader import read_event
from judge.schemas.tournament.rules_reader import points
from judge.tournament.history import histories
from judge.tournament.model import Entrant, PlayerId
from judge.tournament.season import Finish, Season, SeasonEvent, SeasonPoints
from judge.tournament.stages import StagedEvent, event_standings

KEYS = ("season", "name", "points", "best", "events")
POINT_KEYS = ("places", "taking_part", "win", "draw", "loss")
EVENT_KEYS = ("file", "tournament", "name", "standings")
LINE_KEYS = ("player", "id", "rank", "record", "points", "byes", "tiebreakers", "group", "stage")
MAX_EVENTS = 500
MAX_PLACES = 1_000
MAX_RANK = 20_000
Load = Callable[[str], Any]


def read_season(data: Any, load: Load | None = None) -> Season:
    """The season in a file. `load` reads the tournament files that it names; without it none may be named."""
    if not isinstance(data, dict):
        raise fail("", "expected_mapping")
    asked = Fields(data, "", KEYS)
    if data.get("season", 1) != 1:
        asked.fault("season", "expected_one_of", words=["1"])
    worth = asked.must("points", _points, SeasonPoints())
    events = asked.must("events", _events, [], load)
    name = asked.get("name", shape.name, "")
    best = asked.get("best", number, None, 1, MAX_EVENTS)
    if not worth.places:
        for n, event in enumerate(events, start=1):
            if any(line.record is None for line in event.table):
                asked.fault(f"events[{n}].standings", "season_record_missing")
    try:
        asked.done()
    except InputError as error:
        raise in_order(error, data) from None
    return Season(name, worth, tuple(events), best)


def _points(value: Any, path: str) -> SeasonPoints:
    asked = Fields(value, path, POINT_KEYS)
    by_place, by_result = (
        [key for key in keys if asked.entry.get(key) is not None] for keys in (POINT_KEYS[:2], POINT_KEYS[2:])
    )
    if bool(by_place) == bool(by_result) or (by_place and "places" not in by_place):
        asked.fault("", "season_points_one_way")
    worth: dict[str, Fraction] = {
        key: asked.get(key, points, Fraction(0)) for key in (*by_place, *by_result) if key != "places"
    }
    season = SeasonPoints(places=tuple(asked.get("places", _places, [])), **worth)
    asked.done()
    return season


def _places(value: Any, path: str) -> list[Fraction]:
    places = each(listing(value, path, MAX_PLACES), path, points)
    if not places:
        raise fail(path, "expected_list")
    return places


def _events(value: Any, path: str, load: Load | None) -> list[SeasonEvent]:
    if value is None:
        raise fail(path, "expected_list")
    return each(listing(value, path, MAX_EVENTS), path, _event, load)


def _event(value: Any, path: str, load: Load | None) -> SeasonEvent:
    asked = Fields(value, path, EVENT_KEYS)
    sources = [key for key in ("file", "tournament", "standings") if asked.entry.get(key) is not None]
    if len(sources) != 1:
        asked.fault("", "season_event_one_way")
    name = asked.get("name", shape.name, "")
    asked.done()
    if sources == ["standings"]:
        table = asked.get("standings", _table, [])
    else:
        event, usual = _file(asked, load) if sources == ["file"] else (_inline(asked), "")
        name, table = name or event.name or usual, finishes(event)
    asked.done()
    if not name:
        raise fail(f"{path}.name", "key_missing")
    return SeasonEvent(name, tuple(table))


def _inline(asked: Fields) -> StagedEvent:
    return _placed(f"{asked.path}.tournament", lambda: read_event(asked.entry["tournament"]))


def _file(asked: Fields, load: Load | None) -> tuple[StagedEvent, str]:
    path = f"{asked.path}.file"
    written = shape.text(asked.entry["file"], path)
    if load is None:
        raise fail(path, "season_no_files_here")
    return _placed(f"{path} ({written})", lambda: read_event(load(written))), PurePath(written).stem


def _placed(path: str, read: Callable[[], StagedEvent]) -> StagedEvent:
    try:
        return read()
    except InputError as error:
        faults = (replace(p, path=f"{path}.{p.path}" if p.path else path) for p in error.problems)
        raise InputError(*faults) from None


def _table(value: Any, path: str) -> list[Finish]:
    table = each(listing(value, path), path, _line)
    first = {line.id or line.player: n for n, line in reversed(list(enumerate(table, start=1)))}
    raise_all(
        [
            problem(f"{path}[{n}].player", "tournament_same_id", id=line.player)
            for n, line in enumerate(table, start=1)
            if first[line.id or line.player] != n
        ]
    )
    return table


def _line(value: Any, path: str) -> Finish:
    asked = Fields(value, path, LINE_KEYS)
    finish = Finish(
        player=asked.must("player", shape.player_name, ""),
        rank=asked.must("rank", number, 1, 1, MAX_RANK),
        id=asked.get("id", shape.name),
        record=asked.get("record", _record),
    )
    asked.done()
    return finish


def _record(value: Any, path: str) -> tuple[int, int, int]:
    """`3-1-0`: wins, losses, draws."""
    parts = shape.name(value, path).split("-")
    if len(parts) != 3 or not all(shape.is_digits(part) for part in parts):
        raise fail(path, "season_expected_record")
    return int(parts[0]), int(parts[1]), int(parts[2])


def finishes(event: StagedEvent, *, by_engine_id: bool = False) -> list[Finish]:
    """The places of a whole event, with everybody's results over all its stages. Players have the ids that
    their file gave, or those of the engine."""
    entrants = {e.id: e for stage in event.stages for e in stage.plan.entrants}
    records = _records(event)
    return [
        Finish(
            player=entrants[line.player].name,
            rank=line.rank,
            id=line.player if by_engine_id else _id_in_files(entrants[line.player]),
            record=records[line.player],
        )
        for _, line in event_standings(event)
    ]


def _id_in_files(entrant: Entrant) -> str | None:
    return entrant.id_in_files if entrant.given_id else None


def _records(event: StagedEvent) -> dict[PlayerId, tuple[int, int, int]]:
    """Wins, losses and draws over all stages; rounds that a later stage carries on count once."""
    records: dict[PlayerId, tuple[int, int, int]] = {}
    for number_of_stage in range(1, event.begun + 1):
        t = event.tournament(number_of_stage)
        played = histories(t)
        for entrant in t.entrants:
            own = played[entrant.id]
            before = records.get(entrant.id, (0, 0, 0)) if t.carried is None else (0, 0, 0)
            wins, losses, draws = before
            records[entrant.id] = (wins + own.wins, losses + own.losses, draws + own.draws)
    return records
