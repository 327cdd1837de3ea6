"""Reads a tournament file (docs/files.md, section 3) and reports every fault with its place.

Settings are also kept as the file wrote them, so that writing a file that was read gives the same file again.
`rules_reader` reads the settings, `story_reader` the players and rounds, `stages_reader` an event of several
stages; `checks` finds contradictions in a readable file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from judge.core.errors import InputError, fail
from judge.schemas.shape import gathered, in_order, joined, mapping
from judge.schemas.tournament.checks import check_story
from judge.schemas.tournament.desk_reader import outside_of, read_desk, read_penalties
from judge.schemas.tournament.rules_reader import check_used
from judge.schemas.tournament.stage_reader import KEYS, check_version, read_stage
from judge.schemas.tournament.stages_reader import read_stages
from judge.schemas.tournament.story_reader import AnyNames, Names, read_players
from judge.tournament.formats import format_of
from judge.tournament.model import Tournament
from judge.tournament.stages import StagedEvent, one_stage


def read_event(data: Any) -> StagedEvent:
    """The event in a file; InputError carries every fault, in the order of the file."""
    if not isinstance(data, dict):
        raise fail("", "expected_mapping")
    try:
        event = _with_desk(data)
        for number in range(1, event.begun + 1):
            tournament = event.tournament(number)
            with event.inside(number):
                check_story(tournament)
    except InputError as error:
        raise in_order(error, data) from None
    return event


def _with_desk(data: dict[str, Any]) -> StagedEvent:
    """The event with what only the desk needs."""
    try:
        event = one_stage(_read(data)) if data.get("stages") is None else read_stages(data)
    except InputError as error:
        raise joined(error, lambda: _desk(data, AnyNames())) from None
    names = Names(event.stages[0].plan.entrants, outside_of(data.get("desk")))
    return replace(event, **_desk(data, names))


def _desk(data: dict[str, Any], names: Names) -> dict[str, Any]:
    return gathered(
        {
            "desk": lambda: read_desk(data.get("desk"), names),
            "penalties": lambda: read_penalties(data.get("penalties"), names),
        }
    )


def read_tournament(data: Any) -> Tournament:
    """The tournament in a file; of several stages, the one being played."""
    event = read_event(data)
    return event.tournament(event.begun)


def _read(data: dict[str, Any]) -> Tournament:
    """A file without stages."""
    tournament: Tournament = gathered(
        {
            "keys": lambda: mapping(data, "", KEYS),
            "version": lambda: check_version(data),
            "tournament": lambda: read_stage(data, lambda: Names(read_players(data))),
        }
    )["tournament"]
    check_used(data, [format_of(tournament)])
    return tournament
