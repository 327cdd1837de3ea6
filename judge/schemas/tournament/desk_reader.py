"""Reads and writes what only the event desk needs in a tournament file: penalties, its settings, and facts of
the event and its players.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from judge.core.errors import InputError, fail, problem
from judge.core.games import GAME_IDS
from judge.schemas import shape
from judge.schemas.books import books
from judge.schemas.shape import (
    Fields,
    at,
    each,
    each_key,
    listing,
    mapping,
    number,
    one_of,
    raise_all,
    text,
    truth,
)
from judge.schemas.tournament.desk_people import read_announcements, read_boxes, read_outside
from judge.schemas.tournament.event_settings import read_settings
from judge.schemas.tournament.rules_reader import MAX_ROUNDS
from judge.schemas.tournament.story_reader import Names, player
from judge.schemas.tournament.writer import Label
from judge.tournament.model import Entrant, Penalty, PlayerId

# Settings of the desk that no other key of the file has.
DESK_KEYS = (
    "starting_health", "clock", "heroes", "registration", "phones", "languages", "between_s", "starts_at",
    "place", "about", "schedule", "stage_times", "stage_clocks",
)  # fmt: skip
# Facts beside the settings: the rulebook, the day, whether it is closed, names on public pages by player.
# Also people: who is not in the tournament, who is not checked in; and what was announced, lent and drawn.
FACT_KEYS = (
    "edition", "day", "finished", "display", "outside", "not_checked_in", "announcements",
    "boxes", "hero_seeds",
)  # fmt: skip
PENALTY_KEYS = ("player", "infraction", "penalty", "round", "remedy", "note", "by", "at")
MAX_PENALTIES = 5_000


def read_desk(value: Any, names: Names) -> dict[str, Any]:
    """The settings and facts of the desk, as written; each fault with its path."""
    written = mapping(value, "desk", (*DESK_KEYS, *FACT_KEYS))
    _check_facts({key: written[key] for key in FACT_KEYS if key in written}, names)
    try:
        read_settings({key: written[key] for key in written if key not in FACT_KEYS})
    except InputError as error:
        raise InputError(*(replace(p, path=f"desk.{p.path}") for p in error.problems)) from None
    return written


def _check_facts(facts: dict[str, Any], names: Names) -> None:
    asked = Fields(facts, "desk", FACT_KEYS)
    asked.get("edition", one_of, "", [book.id for game in GAME_IDS for book in books(game)])
    asked.get("day", _day)
    asked.get("finished", truth, False)
    asked.get("display", _display, {}, names)
    asked.get("outside", _outside, (), names)
    asked.get("not_checked_in", _players, [], names)
    asked.get("announcements", lambda value, _: read_announcements(value))
    asked.get("boxes", lambda value, _: read_boxes(value, names))
    asked.get("hero_seeds", each_key, {}, text, 64)
    asked.done()


def _outside(value: Any, path: str, names: Names) -> None:
    """Refuse somebody outside the tournament who is called like somebody in it, or like another."""
    seen = {e.id for e in names.entrants}
    problems = []
    for n, one in enumerate(read_outside(value, path), start=1):
        if one.entrant.id in seen:
            problems.append(problem(at(path, n), "tournament_same_id", id=one.entrant.id))
        seen.add(one.entrant.id)
    raise_all(problems)


def outside_of(desk: Any) -> list[Entrant]:
    """The people of the event who are not in the tournament; nobody if that cannot be read, which
    `read_desk` reports."""
    try:
        return [one.entrant for one in read_outside(mapping(desk, "desk").get("outside"))]
    except InputError:
        return []


def _players(value: Any, path: str, names: Names) -> list[PlayerId]:
    return each(listing(value, path), path, player, names)


def _day(value: Any, path: str) -> date:
    if isinstance(value, date):  # YAML reads dates by itself
        return value
    try:
        return date.fromisoformat(text(value, path, 10))
    except ValueError:
        raise fail(path, "expected_date") from None


def _display(value: Any, path: str, names: Names) -> dict[PlayerId, str]:
    """What players are called on public pages."""
    shown = mapping(value, path)
    return {player(who, at(path, who), names): shape.name(said, at(path, who)) for who, said in shown.items()}


def day_of(desk: Mapping[str, Any], path: str = "desk.day") -> date | None:
    return _day(desk["day"], path) if desk.get("day") else None


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
