"""Reads the players, rounds and results of a tournament file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
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
from judge.schemas.tournament.selections import read_selection, side
from judge.tournament.model import (
    HOWS,
    ByRound,
    Entrant,
    Match,
    Member,
    PlayerId,
    Result,
    Round,
    labels_of,
)

MAX_PLAYERS = 20_000
MAX_NUMBER = 99_999  # of a table or a seed
PLAYER_KEYS = ("name", "id", "club", "seed", "table", "heroes", "group", "members")
MEMBER_KEYS = ("name", "heroes")
MAX_MEMBERS = 20
MATCH_KEYS = (
    "a",
    "b",
    "result",
    "health",
    "games",
    "table",
    "first",
    "how",
    "selection",
    "scores",
    "players",
)
EXCUSED = ("byes", "half_byes", "absent")  # rounds in which somebody is not paired
RESULTS = [result.value for result in Result]


class Names:
    """How the file may refer to an entrant: by id, or by a name that only one of them has. `outside` are
    people of the event who are not in the tournament; whoever is in it comes first."""

    def __init__(self, entrants: Sequence[Entrant], outside: Sequence[Entrant] = ()) -> None:
        self.entrants = entrants
        self.used: set[str] = set()
        self._found = _by_name(outside) | _by_name(entrants)

    def find(self, name: str) -> PlayerId | None:
        self.used.add(name)
        return self._found.get(name)

    def labels(self) -> dict[PlayerId, str]:
        """Players go by their name, unless two share it or the file itself uses the id."""
        return labels_of(self.entrants, self.used)


class AnyNames(Names):
    """Takes every name, while the list of players is itself faulty: the rest of the file is still checked."""

    def __init__(self) -> None:
        super().__init__(())

    def find(self, name: str) -> PlayerId | None:
        return PlayerId(name)


def _by_name(entrants: Sequence[Entrant]) -> dict[str, PlayerId]:
    times = Counter(e.name for e in entrants)
    return {e.name: e.id for e in entrants if times[e.name] == 1} | {e.id: e.id for e in entrants}


@dataclass(frozen=True, slots=True)
class Story:
    """What was played, and who was there in which round."""

    drops: dict[PlayerId, int]
    late: dict[PlayerId, int]
    byes: ByRound
    half_byes: ByRound
    absent: ByRound
    rounds: tuple[Round, ...]
    forbidden: tuple[tuple[PlayerId, PlayerId], ...]

    def as_fields(self) -> dict[str, Any]:
        """The same as fields of a tournament."""
        return {key: getattr(self, key) for key in STORY_KEYS}


STORY_KEYS = tuple(field.name for field in fields(Story))


def read_players(data: dict[str, Any]) -> tuple[Entrant, ...]:
    if data.get("players") is None:
        raise fail("players", "key_missing")
    return read_entrants(data["players"])


def read_story(data: dict[str, Any], names: Names) -> Story:
    """What was played by players who are known already; raises all its faults."""
    parts = gathered(
        {
            "drops": lambda: _by_player(data.get("drops"), "drops", names, 0),
            "late": lambda: _by_player(data.get("late"), "late", names, 1),
            "byes": lambda: _rounds_by_player(data.get("byes"), "byes", names),
            "half_byes": lambda: _rounds_by_player(data.get("half_byes"), "half_byes", names),
            "absent": lambda: _rounds_by_player(data.get("absent"), "absent", names),
            "rounds": lambda: _rounds(data.get("rounds"), names),
            "forbidden": lambda: _forbidden(data.get("forbidden"), names),
        }
    )
    return Story(**parts)


# -- players ------------------------------------------------------------------------------------------------


def read_entrants(value: Any) -> tuple[Entrant, ...]:
    written = listing(value, "players")
    if len(written) > MAX_PLAYERS:
        raise fail("players", "tournament_too_many_players", n=len(written), high=MAX_PLAYERS)
    parts = gathered(
        {
            "entrants": lambda: each(written, "players", entrant),
            "ids": lambda: _check_ids(written),
        }
    )
    return tuple(parts["entrants"])


def _check_ids(written: list[Any]) -> None:
    """Two players of one id are a fault, whatever else is wrong with the list."""
    seen: set[str] = set()
    problems: list[Problem] = []
    for n, value in enumerate(written, start=1):
        own = value.get("id", value.get("name")) if isinstance(value, dict) else value
        if own is None or isinstance(own, (dict, list)):
            continue
        if str(own) in seen:
            problems.append(problem(f"players[{n}]", "tournament_same_id", id=str(own)))
        seen.add(str(own))
    raise_all(problems)


def entrant(value: Any, path: str) -> Entrant:
    """A player or team of the file: a name, or facts."""
    if not isinstance(value, dict):
        name = _name(value, path)
        return Entrant(PlayerId(name), name)
    asked = Fields(value, path, PLAYER_KEYS)
    name = asked.must("name", _name, "")
    described = Entrant(
        id=PlayerId(asked.must("id", _name, "") if "id" in value else name),
        name=name,
        club=asked.get("club", shape.name),
        seed=asked.get("seed", number, None, 1, MAX_NUMBER),
        table=asked.get("table", number, None, 1, MAX_NUMBER),
        heroes=tuple(asked.get("heroes", _heroes, [])),
        given_id="id" in value,
        group=asked.get("group", number, None, 1, MAX_GROUPS),
        members=tuple(asked.get("members", _members, [])),
    )
    asked.done()
    return described


def _members(value: Any, path: str) -> list[Member]:
    members = each(listing(value, path, MAX_MEMBERS), path, _member)
    names = [member.name for member in members]
    raise_all(
        [
            problem(f"{path}[{n}]", "tournament_twice_in_list", word=name)
            for n, name in enumerate(names, start=1)
            if name in names[: n - 1]
        ]
    )
    return members


def _member(value: Any, path: str) -> Member:
    """A member of a team: a name, or a name with heroes."""
    if not isinstance(value, dict):
        return Member(_name(value, path))
    asked = Fields(value, path, MEMBER_KEYS)
    member = Member(asked.must("name", _name, ""), tuple(asked.get("heroes", _heroes, [])))
    asked.done()
    return member


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


def _rounds_by_player(value: Any, key: str, names: Names) -> dict[PlayerId, tuple[int, ...]]:
    """`{Ana: [1, 2]}`: lists of rounds by player."""
    result: dict[PlayerId, tuple[int, ...]] = {}
    problems: list[Problem] = []
    for name, written in mapping(value, key).items():
        path = at(key, str(name)[: shape.MAX_NAME])
        try:
            who = player(name, path, names)
            result[who] = tuple(each(listing(written, path), path, number, 1, MAX_ROUNDS))
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
    asked = Fields(value, path, MATCH_KEYS)
    entry = asked.entry
    table = asked.get("table", number, None, 1, MAX_NUMBER)
    if entry.get("scores") is not None or entry.get("players") is not None:
        return _pod(asked, names, table)
    if entry.get("a") is None:
        asked.fault("a", "key_missing")
    result = asked.get("result", one_of, None, RESULTS)
    match = Match(
        a=asked.get("a", player, None, names),
        b=asked.get("b", player, None, names),
        result=None if result is None else Result(result),
        health=asked.get("health", _health),
        games=asked.get("games", _games),
        table=table,
        first=asked.get("first", side),
        how=asked.get("how", one_of, None, HOWS),
        selection=asked.get("selection", read_selection),
    )
    asked.done()
    return match


def _pod(asked: Fields, names: Names, table: int | None) -> Match:
    """A table of three or more: its scores, or its players while it is being played."""
    content = "players" if asked.entry.get("scores") is None else "scores"
    for key in MATCH_KEYS:
        if key in asked.entry and key not in (content, "table"):
            asked.fault(key, "tournament_not_with_scores")
    if content == "players":
        match = Match(seats=asked.get("players", seats, (), names), table=table)
    else:
        match = Match(scores=asked.get("scores", _scores, {}, names), table=table)
    asked.done()
    return match


def seats(value: Any, path: str, names: Names) -> tuple[PlayerId, ...]:
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
