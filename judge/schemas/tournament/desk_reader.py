"""Reads and writes what only the event desk needs in a tournament file: penalties, and its own settings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from judge.core.errors import InputError
from judge.schemas import shape
from judge.schemas.shape import Fields, each, listing, mapping, number
from judge.schemas.tournament.event_settings import read_settings
from judge.schemas.tournament.rules_reader import MAX_ROUNDS
from judge.schemas.tournament.story_reader import Names, player
from judge.schemas.tournament.writer import Label
from judge.tournament.model import Penalty

# Settings of the desk that no other key of the file has.
DESK_KEYS = (
    "starting_health", "clock", "heroes", "registration", "languages", "between_s", "starts_at", "place",
    "about", "schedule", "stage_times", "stage_clocks",
)  # fmt: skip
PENALTY_KEYS = ("player", "infraction", "penalty", "round", "remedy", "note", "by", "at")
MAX_PENALTIES = 5_000


def read_desk(value: Any) -> dict[str, Any]:
    """The settings of the desk, as written; each fault with its path."""
    written = mapping(value, "desk", DESK_KEYS)
    try:
        read_settings(written)
    except InputError as error:
        raise InputError(*(replace(p, path=f"desk.{p.path}") for p in error.problems)) from None
    return written


def read_penalties(value: Any, names: Names) -> tuple[Penalty, ...]:
    return tuple(each(listing(value, "penalties", MAX_PENALTIES), "penalties", _penalty, names))


def _penalty(value: Any, path: str, names: Names) -> Penalty:
    asked = Fields(value, path, PENALTY_KEYS)
    who = asked.must("player", player, None, names)
    infraction, penalty = (asked.must(key, shape.name, "") for key in ("infraction", "penalty"))
    texts = {key: asked.get(key, shape.text, "") for key in ("remedy", "note", "by", "at")}
    round_number = asked.get("round", number, None, 1, MAX_ROUNDS)
    asked.done()
    assert who is not None, "a penalty without a player was refused"
    return Penalty(who, infraction, penalty, round_number, **texts)


def write_penalty(penalty: Penalty, label: Label) -> dict[str, Any]:
    words = {key: getattr(penalty, key) for key in PENALTY_KEYS if key != "player"}
    return {"player": label(penalty.player)} | {key: word for key, word in words.items() if word}
