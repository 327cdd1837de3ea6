"""Reads the players, rounds and results of a tournament file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from judge.core.errors import InputError, Problem, fail, problem
from judge.schemas import shape
from judge.schemas.shape import (
    MAX_COUNT,
    Fields,
    at,
    each,
    gathered,
    listing,
    mapping,
    number,
    one_of,
    raise_all,
)
from judge.schemas.tournament.rules_reader import MAX_GROUPS, MAX_ROUNDS, score
from judge.tournament.model import Entrant, Match, PlayerId, Result, Round, Side, labels_of

MAX_PLAYERS = 20_000
MAX_NUMBER = 99_999  # of a table or a seed
PLAYER_KEYS = ("name", "id", "club", "seed", "table", "heroes", "group")
MATCH_KEYS = ("a", "b", "result", "health", "games", "table", "first", "scores", "players")
RESULTS = [result.value for result in Result]


class Names:
    """How the file may refer to an entrant: by id, or by a name that only one of them has."""

    def __init__(self, entrants: Sequence[Entrant]) -> None:
        self.entrants = entrants
        self.used: set[str] = set()
        times = Counter(e.name for e in entrants)
        self._found = {e.name: e.id for e in entrants if times[e.name] == 1} | {e.id: e.id for e in entrants}

    def find(self, name: str) -> PlayerId | None:
        self.used.add(name)
        return self._found.get(name)

    def labels(self) -> dict[PlayerId, str]:
        """Players go by their name, unless two share it or the file itself uses the id."""
        return labels_of(self.entrants, self.used)


@dataclass(frozen=True, slots=True)
class Story:
    """Who takes part and what was played."""

    entrants: tuple[Entrant, ...]
    drops: dict[PlayerId, int]
    late: dict[PlayerId, int]
    rounds: tuple[Round, ...]
    forbidden: tuple[tuple[PlayerId, PlayerId], ...]
    labels: dict[PlayerId, str]


def read_story(data: dict[str, Any]) -> Story:
    """Read the players first, because the rounds refer to them; then the rest, with all its faults."""
    if data.get("players") is None:
        raise fail("players", "key_missing")
    entrants = _entrants(data["players"])
    names = Names(entrants)
    parts = gathered(
        {
            "drops": lambda: _by_player(data.get("drops"), "drops", names, 0),
            "late": lambda: _by_player(data.get("late"), "late", names, 1),
            "rounds": lambda: _rounds(data.get("rounds"), names),
            "forbidden": lambda: _forbidden(data.get("forbidden"), names),
        }
    )
    return Story(entrants=entrants, labels=names.labels(), **parts)


# -- players ------------------------------------------------------------------------------------------------


def _entrants(value: Any) -> tuple[Entrant, ...]:
    written = listing(value, "players")
    if len(written) > MAX_PLAYERS:
        raise fail("players", "tournament_too_many_players", n=len(written), high=MAX_PLAYERS)
    entrants = each(written, "players", _entrant)
    seen: set[PlayerId] = set()
    problems: list[Problem] = []
    for n, entrant in enumerate(entrants, start=1):
        if entrant.id in seen:
            problems.append(problem(f"players[{n}]", "tournament_same_id", id=entrant.id))
        seen.add(entrant.id)
    raise_all(problems)
    return tuple(entrants)


def _entrant(value: Any, path: str) -> Entrant:
    if not isinstance(value, dict):
        name = _name(value, path)
        return Entrant(PlayerId(name), name)
    fields = Fields(value, path, PLAYER_KEYS)
    name = fields.must("name", _name, "")
    entrant = Entrant(
        id=PlayerId(fields.must("id", _name, "") if "id" in value else name),
        name=name,
        club=fields.get("club", shape.name),
        seed=fields.get("seed", number, None, 1, MAX_NUMBER),
        table=fields.get("table", number, None, 1, MAX_NUMBER),
        heroes=tuple(fields.get("heroes", _heroes, [])),
        given_id="id" in value,
        group=fields.get("group", number, None, 1, MAX_GROUPS),
    )
    fields.done()
    return entrant


def _name(value: Any, path: str) -> str:
    name = shape.name(value, path)
    if not name.strip():
        raise fail(path, "tournament_empty_name")
    return name


def _heroes(value: Any, path: str) -> list[str]:
    return each(listing(value, path), path, shape.name)


def player(value: Any, path: str, names: Names) -> PlayerId:
    name = shape.name(value, path)
    player_id = names.find(name)
    if player_id is None:
        raise fail(path, "tournament_unknown_player", name=name)
    return player_id


def _by_player(value: Any, key: str, names: Names, low: int) -> dict[PlayerId, int]:
    """`{Ben: 2}`: rounds by player."""
    result: dict[PlayerId, int] = {}
    problems: list[Problem] = []
    for name, written in mapping(value, key).items():
        path = at(key, str(name)[: shape.MAX_NAME])
        try:
            result[player(name, path, names)] = number(written, path, low, MAX_ROUNDS)
        except InputError as error:
            problems += error.problems
    raise_all(problems)
    return result


def _forbidden(value: Any, names: Names) -> tuple[tuple[PlayerId, PlayerId], ...]:
    return tuple(each(listing(value, "forbidden"), "forbidden", _pair, names))


def _pair(value: Any, path: str, names: Names) -> tuple[PlayerId, PlayerId]:
    both = each(listing(value, path), path, player, names)
    if len(both) != 2 or both[0] == both[1]:
        raise fail(path, "tournament_expected_two_players")
    return both[0], both[1]


# -- rounds -------------------------------------------------------------------------------------------------


def _rounds(value: Any, names: Names) -> tuple[Round, ...]:
    written = listing(value, "rounds")
    if len(written) > MAX_ROUNDS:
        raise fail("rounds", "tournament_too_many_rounds", n=len(written), high=MAX_ROUNDS)
    return tuple(each(written, "rounds", _round, names))


def _round(value: Any, path: str, names: Names) -> Round:
    return tuple(each(listing(value, path), path, _match, names))


def _match(value: Any, path: str, names: Names) -> Match:
    fields = Fields(value, path, MATCH_KEYS)
    entry = fields.entry
    table = fields.get("table", number, None, 1, MAX_NUMBER)
    if entry.get("scores") is not None or entry.get("players") is not None:
        return _pod(fields, names, table)
    if entry.get("a") is None:
        fields.fault("a", "key_missing")
    result = fields.get("result", one_of, None, RESULTS)
    match = Match(
        a=fields.get("a", player, None, names),
        b=fields.get("b", player, None, names),
        result=None if result is None else Result(result),
        health=fields.get("health", _health),
        games=fields.get("games", _games),
        table=table,
        first=fields.get("first", _side),
    )
    fields.done()
    return match


def _pod(fields: Fields, names: Names, table: int | None) -> Match:
    """A table of three or more: its scores, or its players while it is being played."""
    content = "players" if fields.entry.get("scores") is None else "scores"
    for key in MATCH_KEYS:
        if key in fields.entry and key not in (content, "table"):
            fields.fault(key, "tournament_not_with_scores")
    if content == "players":
        match = Match(seats=fields.get("players", _seats, (), names), table=table)
    else:
        match = Match(scores=fields.get("scores", _scores, {}, names), table=table)
    fields.done()
    return match


def _seats(value: Any, path: str, names: Names) -> tuple[PlayerId, ...]:
    seats = each(listing(value, path), path, player, names)
    if len(set(seats)) < len(seats):
        raise fail(path, "tournament_player_twice_at_table")
    return tuple(seats)


def _scores(value: Any, path: str, names: Names) -> dict[PlayerId, Fraction]:
    written = mapping(value, path)
    result: dict[PlayerId, Fraction] = {}
    problems: list[Problem] = []
    for name, own in written.items():
        place = at(path, str(name)[: shape.MAX_NAME])
        try:
            result[player(name, place, names)] = score(own, place)
        except InputError as error:
            problems += error.problems
    if not problems and len(result) < len(written):
        problems.append(problem(path, "tournament_player_twice_at_table"))
    raise_all(problems)
    return result


def _health(value: Any, path: str) -> tuple[int, int]:
    """The health of a and b; it may be below 0."""
    both = each(listing(value, path), path, number, -MAX_COUNT, MAX_COUNT)
    if len(both) != 2:
        raise fail(path, "tournament_expected_length", n=2)
    return both[0], both[1]


def _games(value: Any, path: str) -> tuple[int, int, int]:
    """Games won by a, won by b, and drawn if there were any."""
    games = each(listing(value, path), path, number, 0, MAX_COUNT)
    if len(games) not in (2, 3):
        raise fail(path, "tournament_expected_length", n=3)
    return games[0], games[1], games[2] if len(games) == 3 else 0


def _side(value: Any, path: str) -> Side:
    return "a" if one_of(value, path, ("a", "b")) == "a" else "b"
