"""Reads a tournament file (docs/files.md, section 3) and reports every fault with its place.

Settings are also kept as the file wrote them, so that writing a file that was read gives the same file again.
`rules_reader` reads the settings, `story_reader` the players and rounds; `checks` finds contradictions in a
readable file.
"""

from __future__ import annotations

from typing import Any

from judge.core.errors import InputError, fail
from judge.core.games import GAME_IDS, OTHER_GAME
from judge.schemas import shape
from judge.schemas.shape import gathered, in_order, mapping, one_of
from judge.schemas.tournament.checks import check_story
from judge.schemas.tournament.rules_reader import find_preset, read_rules
from judge.schemas.tournament.story_reader import Story, read_story
from judge.tournament.model import Rules, Tournament

SETTINGS = (
    "tournament", "name", "game", "preset", "format", "stages", "scoring", "best_of", "floor", "tiebreakers",
    "at_time", "place_points", "forbidden",
)  # fmt: skip
KEYS = (*SETTINGS, "players", "drops", "late", "rounds")
GAMES = (*GAME_IDS, OTHER_GAME)
AT_TIME = ("tie", "most-health")


def read_tournament(data: Any) -> Tournament:
    """The tournament in a file; InputError carries every fault, in the order of the file."""
    if not isinstance(data, dict):
        raise fail("", "expected_mapping")
    try:
        tournament = _read(data)
        check_story(tournament)
    except InputError as error:
        raise in_order(error, data) from None
    return tournament


def _read(data: dict[str, Any]) -> Tournament:
    players = data.get("players")
    parts = gathered(
        {
            "keys": lambda: mapping(data, "", KEYS),
            "version": lambda: _check_version(data.get("tournament", 1)),
            "name": lambda: shape.name(data.get("name", ""), "name"),
            "game": lambda: one_of(data.get("game", OTHER_GAME), "game", GAMES),
            "at_time": lambda: one_of(data.get("at_time", "tie"), "at_time", AT_TIME),
            "rules": lambda: read_rules(data, len(players) if isinstance(players, list) else 0),
            "story": lambda: read_story(data),
        }
    )
    rules: Rules = parts["rules"]
    story: Story = parts["story"]
    preset = find_preset(data)
    return Tournament(
        name=parts["name"],
        game=parts["game"],
        preset=preset.id if preset else None,
        entrants=story.entrants,
        drops=story.drops,
        late=story.late,
        rounds=story.rounds,
        forbidden=story.forbidden,
        labels=story.labels,
        given={key: data[key] if key in SETTINGS else None for key in data},
        **rules.as_fields(),
    )


def _check_version(value: Any) -> None:
    if value != 1:
        raise fail("tournament", "expected_one_of", words=["1"])
