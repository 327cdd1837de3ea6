"""The standings of a season file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judge.core.json_types import JsonObject
from judge.schemas.tournament.season_reader import Load, read_season
from judge.schemas.tournament.writer import number
from judge.tournament.season import Earned, season_standings


def season_file(data: Any, load: Load | None = None) -> list[JsonObject]:
    """The standings of a season, with the events that count and those that do not, as docs/files.md shows
    them. `load` reads the tournament files that the season names."""
    return [
        {
            "rank": line.rank,
            "player": line.player,
            "points": number(line.points),
            "events": _earned(line.counted),
            "dropped": _earned(line.dropped),
        }
        for line in season_standings(read_season(data, load))
    ]


def _earned(events: Sequence[Earned]) -> list[JsonObject]:
    return [{"event": event.event, "rank": event.rank, "points": number(event.points)} for event in events]
