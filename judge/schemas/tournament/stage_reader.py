"""Reads one stage of a tournament file, which is the whole file where it speaks of no stages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from judge.core.errors import InputError, fail
from judge.core.games import GAME_IDS, OTHER_GAME
from judge.schemas import shape
from judge.schemas.shape import gathered, joined, one_of
from judge.schemas.tournament.pairing_rules import READERS
from judge.schemas.tournament.rules_reader import find_preset, read_rules
from judge.schemas.tournament.story_reader import STORY_KEYS, AnyNames, Names, Story, read_story
from judge.tournament.model import Rules, Tournament

SETTINGS = (
    "tournament", "name", "game", "preset", "format", "scoring", "best_of", "floor", "tiebreakers",
    "at_time", "place_points", *READERS,
)  # fmt: skip
EVENT_KEYS = ("tournament", "stages", "penalties", "desk")  # never of a single stage
KEYS = (*SETTINGS, *EVENT_KEYS[1:], "players", *STORY_KEYS)
GAMES = (*GAME_IDS, OTHER_GAME)
AT_TIME = ("tie", "most-health")


def check_version(data: dict[str, Any]) -> None:
    if data.get("tournament", 1) != 1:
        raise fail("tournament", "expected_one_of", words=["1"])


def read_stage(
    data: dict[str, Any], read_names: Callable[[], Names], players: int | None = None
) -> Tournament:
    """A stage with these settings and rounds, for so many players (else for all of them)."""
    listed = data.get("players")
    count = players if players is not None else len(listed) if isinstance(listed, list) else 0
    parts = gathered(
        {
            "name": lambda: shape.name(data.get("name", ""), "name"),
            "game": lambda: one_of(data.get("game", OTHER_GAME), "game", GAMES),
            "at_time": lambda: one_of(data.get("at_time", "tie"), "at_time", AT_TIME),
            "rules": lambda: read_rules(data, count),
            "story": lambda: _story(data, read_names),
        }
    )
    rules: Rules = parts["rules"]
    story: Story = parts["story"][0]
    names: Names = parts["story"][1]
    preset = find_preset(data)
    return Tournament(
        name=parts["name"],
        game=parts["game"],
        preset=preset.id if preset else None,
        entrants=tuple(names.entrants),
        labels=names.labels(),
        given=as_written(data),
        **story.as_fields(),
        **rules.as_fields(),
    )


def _story(data: dict[str, Any], read_names: Callable[[], Names]) -> tuple[Story, Names]:
    try:
        names = read_names()
    except InputError as error:
        raise joined(error, lambda: read_story(data, AnyNames())) from None
    return read_story(data, names), names


def as_written(data: dict[str, Any]) -> dict[str, Any]:
    """The settings as they are, in order; None for what is written anew from the tournament itself."""
    return {key: data[key] if key in SETTINGS else None for key in data if key != "desk"}
