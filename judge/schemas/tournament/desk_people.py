"""Reads and writes what only the event desk keeps about people in a tournament file: players who are not in
the tournament (waiting, not checked in ...), announcements, hero boxes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from judge.core.errors import fail
from judge.schemas import shape
from judge.schemas.shape import Fields, each, listing, number, one_of, text, truth
from judge.schemas.tournament.rules_reader import MAX_ROUNDS
from judge.schemas.tournament.story_reader import PLAYER_KEYS, Names, entrant, player
from judge.schemas.tournament.writer import write_entrant
from judge.tournament.model import Entrant, PlayerId

OUTSIDE_STATES = ("registered", "present", "waiting", "pending", "dropped")
ATTENDANCE = ("byes", "half_byes", "absent")
OUTSIDE_KEYS = ("state", "first_round", "last_round", "display", *ATTENDANCE)
MAX_OUTSIDE, MAX_ANNOUNCEMENTS, MAX_BOXES = 20_000, 5_000, 1_000


@dataclass(frozen=True, slots=True)
class Outsider:
    """A player of the event who is not in the tournament: asked to play, waits for a place, was never checked
    in, or left before the first round."""

    entrant: Entrant
    state: str
    first_round: int = 1
    last_round: int | None = None
    display: str | None = None
    byes: tuple[int, ...] = ()
    half_byes: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Announced:
    at: datetime
    by: str
    text: str
    is_shown: bool


@dataclass(frozen=True, slots=True)
class Box:
    """A hero box; player: whose it is, None: lent to anybody."""

    hero: str
    label: str
    player: PlayerId | None


def read_outside(value: Any, path: str = "desk.outside") -> tuple[Outsider, ...]:
    return tuple(each(listing(value, path, MAX_OUTSIDE), path, _outsider))


def _outsider(value: Any, path: str) -> Outsider:
    asked = Fields(value, path, (*PLAYER_KEYS, *OUTSIDE_KEYS))
    facts = {key: asked.entry[key] for key in asked.entry if key in PLAYER_KEYS}
    who = entrant(facts, path)
    outsider = Outsider(
        who,
        asked.get("state", one_of, "registered", OUTSIDE_STATES),
        asked.get("first_round", number, 1, 1, MAX_ROUNDS),
        asked.get("last_round", number, None, 0, MAX_ROUNDS),
        asked.get("display", shape.name),
        **{key: asked.get(key, _rounds, ()) for key in ATTENDANCE},
    )
    asked.done()
    return outsider


def _rounds(value: Any, path: str) -> tuple[int, ...]:
    return tuple(each(listing(value, path, MAX_ROUNDS), path, number, 1, MAX_ROUNDS))


def write_outsider(outsider: Outsider) -> dict[str, Any]:
    written = write_entrant(outsider.entrant)
    facts: dict[str, Any] = {"name": written} if isinstance(written, str) else written
    facts["state"] = outsider.state
    if outsider.first_round > 1:
        facts["first_round"] = outsider.first_round
    if outsider.last_round is not None:
        facts["last_round"] = outsider.last_round
    if outsider.display:
        facts["display"] = outsider.display
    return facts | {key: list(rounds) for key in ATTENDANCE if (rounds := getattr(outsider, key))}


def read_announcements(value: Any, path: str = "desk.announcements") -> tuple[Announced, ...]:
    return tuple(each(listing(value, path, MAX_ANNOUNCEMENTS), path, _announced))


def _announced(value: Any, path: str) -> Announced:
    asked = Fields(value, path, ("at", "by", "text", "shown"))
    announced = Announced(
        asked.must("at", _moment, datetime.min.replace(tzinfo=UTC)),
        asked.get("by", text, "", 80),
        asked.must("text", text, "", 500),
        asked.get("shown", truth, False),
    )
    asked.done()
    return announced


def _moment(value: Any, path: str) -> datetime:
    try:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(text(value, path, 40))
    except ValueError:
        raise fail(path, "expected_moment") from None
    if moment.tzinfo is None:
        raise fail(path, "expected_moment")
    return moment


def write_announced(announced: Announced) -> dict[str, Any]:
    said = {"at": announced.at.isoformat(), "by": announced.by, "text": announced.text}
    return said | ({"shown": True} if announced.is_shown else {})


def read_boxes(value: Any, names: Names, path: str = "desk.boxes") -> tuple[Box, ...]:
    return tuple(each(listing(value, path, MAX_BOXES), path, _box, names))


def _box(value: Any, path: str, names: Names) -> Box:
    asked = Fields(value, path, ("hero", "label", "player"))
    box = Box(
        asked.must("hero", text, "", 60),
        asked.get("label", text, "", 40),
        asked.get("player", player, None, names),
    )
    asked.done()
    return box
