"""Tournament file <-> dataclasses (docs/files.md, section 3). Every fault names its path.

Settings are kept as the file wrote them beside what they mean, so writing a file that was read gives the same
file again. What is wrong with the *story* a file tells is found in `tournament_checks`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, TypeVar

from judge.core.errors import fail
from judge.core.games import GAME_IDS, OTHER_GAME
from judge.schemas.tournament.checks import check_story
from judge.schemas.tournament.presets import Preset, presets
from judge.tournament.formats import DEFAULT, FORMATS
from judge.tournament.model import (
    COUNTS,
    DEFAULT_FLOOR,
    GRAND_FINALS,
    PATTERNS,
    Entrant,
    Format,
    Match,
    PlayerId,
    Result,
    Round,
    Scoring,
    Tournament,
)  # fmt: skip
from judge.tournament.tiebreaks import TIEBREAKERS

SETTINGS = (
    "tournament", "name", "game", "preset", "format", "stages", "scoring", "best_of", "floor", "tiebreakers",
    "at_time", "place_points", "forbidden",
)  # fmt: skip
KEYS = (*SETTINGS, "players", "drops", "late", "rounds")
GAMES = (*GAME_IDS, OTHER_GAME)
AT_TIME = ("tie", "most-health")
MAX_PLAYERS = 20_000
MAX_POINTS = 1000
# Points per place where the file gives none (4-2-1-0 with ties averaged is in use at UK Games Expo).
DEFAULT_PLACE_POINTS = {4: (4, 2, 1, 0), 3: (4, 2, 0)}

T = TypeVar("T")


def read_tournament(data: Any) -> Tournament:
    mapping(data, "", KEYS)
    if data.get("tournament", 1) != 1:
        raise fail("tournament", "expected_one_of", words=["1"])
    preset = _preset(data)
    if data.get("players") is None:
        raise fail("players", "key_missing")
    entrants = _entrants(data["players"])
    names = Names(entrants)
    kind = _format(data, preset, len(entrants))
    one_of(data.get("at_time", "tie"), "at_time", AT_TIME)
    tournament = Tournament(
        name=text(data.get("name", ""), "name"),
        game=one_of(data.get("game", "other"), "game", GAMES),
        preset=preset.id if preset else None,
        format=kind,
        scoring=_scoring(data, preset),
        best_of=whole(_given(data, preset, "best_of", 1), "best_of", low=1),
        floor=_floor(_given(data, preset, "floor", None)),
        tiebreakers=_tiebreakers(_given(data, preset, "tiebreakers", FORMATS[kind.kind].tiebreakers(kind))),
        entrants=entrants,
        drops=_by_player(data, "drops", names, low=0),
        late=_by_player(data, "late", names, low=1),
        rounds=_rounds(data.get("rounds"), names),
        place_points=_place_points(_given(data, preset, "place_points", None)),
        forbidden=_forbidden(data.get("forbidden"), names),
        given={key: data[key] if key in SETTINGS else None for key in data},
        labels=names.labels(),
    )
    check_story(tournament)
    return tournament


# -- shapes -----------------------------------------------------------------------------------------------


def at(path: str, key: object) -> str:
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else str(key)


def mapping(value: Any, path: str, keys: Iterable[str] | None = None) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise fail(path, "expected_mapping")
    for key in value if keys is not None else ():
        if key not in tuple(keys or ()):
            raise fail(at(path, key), "unknown_key")
    return value


def listed(value: Any, path: str, read: Callable[[Any, str], T]) -> tuple[T, ...]:
    """Nothing given is an empty list."""
    if value is None:
        return ()
    if not isinstance(value, (list, tuple)):
        raise fail(path, "expected_list")
    return tuple(read(item, at(path, n)) for n, item in enumerate(value, start=1))


def text(value: Any, path: str) -> str:
    """A word; a name such as 7 is a word too."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise fail(path, "expected_text")
    return str(value)


def name_of(value: Any, path: str) -> str:
    name = text(value, path)
    if not name.strip():
        raise fail(path, "tournament_empty_name")
    return name


def whole(value: Any, path: str, low: int | None = None) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise fail(path, "expected_integer")
    if low is not None and value < low:
        raise fail(path, "expected_at_least", low=low)
    return value


def exact(value: Any, path: str) -> Fraction:
    """A number or a fraction such as 1/3, as written: 0.33 is 33/100."""
    written = "" if isinstance(value, bool) else str(value)
    try:
        if not _NUMBER.fullmatch(written):
            raise ValueError
        return Fraction(written)
    except (ValueError, ZeroDivisionError):
        raise fail(path, "tournament_expected_number") from None


_NUMBER = re.compile(r"-?\d{1,12}(\.\d{1,12}|/\d{1,12})?")


def points(value: Any, path: str) -> Fraction:
    """Points for a result: 0 to 1000, in steps no finer than a thousandth, so that sums stay exact."""
    number = exact(value, path)
    if not 0 <= number <= MAX_POINTS or number.denominator > 1000:
        raise fail(path, "tournament_expected_points", high=MAX_POINTS)
    return number


def one_of(value: Any, path: str, words: Iterable[T]) -> T:
    allowed = tuple(words)
    if value not in allowed:
        raise fail(path, "expected_one_of", words=[str(w) for w in allowed])
    return allowed[allowed.index(value)]


# -- settings ---------------------------------------------------------------------------------------------


def _preset(data: dict[str, Any]) -> Preset | None:
    if data.get("preset") is None:
        return None
    return presets()[one_of(data["preset"], "preset", presets())]


def _given(data: dict[str, Any], preset: Preset | None, key: str, default: Any) -> Any:
    if data.get(key) is not None:
        return data[key]
    return preset.get(key, default) if preset else default


def _format(data: dict[str, Any], preset: Preset | None, players: int) -> Format:
    given = data.get("format")
    given = {"kind": given} if isinstance(given, str) else given
    keys = ("kind", "rounds", "stages", *_FORMAT_WORDS, *_FORMAT_COUNTS)
    asked = mapping({} if given is None else given, "format", keys)
    values = {**(preset.get("format", {}) if preset else {}), **asked}
    rounds = values.get("rounds")
    if rounds in (None, "auto"):
        rounds = preset.rounds_for(players) if preset else None
    return Format(
        kind=one_of(values.get("kind", DEFAULT.id), "format.kind", FORMATS),
        rounds=None if rounds is None else whole(rounds, "format.rounds", low=1),
        **{
            key: one_of(values[key], f"format.{key}", _FORMAT_WORDS[key])
            for key in _FORMAT_WORDS
            if key in values
        },
        **{
            key: whole(values[key], f"format.{key}", low=low)
            for key, low in _FORMAT_COUNTS.items()
            if values.get(key) is not None
        },
    )


_FORMAT_WORDS: dict[str, tuple[Any, ...]] = {
    "pattern": PATTERNS, "third_place": (False, True), "grand_final": GRAND_FINALS,
    "counts": COUNTS,
}  # fmt: skip
# how many groups, players in a group, players at a table: each with the least there may be
_FORMAT_COUNTS = {"groups": 1, "group_size": 3, "pod_size": 3}


def _scoring(data: dict[str, Any], preset: Preset | None) -> Scoring:
    given = data.get("scoring")
    asked = mapping({} if given is None else given, "scoring", ("win", "draw", "loss", "bye"))
    values = {**(preset.get("scoring", {}) if preset else {}), **asked}
    worth = {key: points(value, f"scoring.{key}") for key, value in values.items()}
    if "win" in asked and "bye" not in asked:
        worth["bye"] = worth["win"]  # a bye is worth a win unless the event says otherwise
    scoring = Scoring(**worth)
    if not scoring.win > scoring.loss:
        raise fail("scoring", "tournament_win_not_above_loss", win=scoring.win, loss=scoring.loss)
    if not scoring.win >= scoring.draw >= scoring.loss:
        raise fail("scoring.draw", "tournament_draw_out_of_order")
    if scoring.bye > scoring.win:
        raise fail("scoring.bye", "tournament_bye_out_of_order")
    return scoring


def _floor(value: Any) -> Fraction:
    floor = DEFAULT_FLOOR if value is None else exact(value, "floor")
    if not 0 <= floor <= 1:
        raise fail("floor", "tournament_expected_share")
    return floor


def _tiebreakers(value: Any) -> tuple[str, ...]:
    names = listed(value, "tiebreakers", lambda word, path: one_of(word, path, TIEBREAKERS))
    for n, name in enumerate(names):
        if name in names[:n]:
            raise fail(f"tiebreakers[{n + 1}]", "tournament_twice_in_list", word=name)
    return names


def _place_points(value: Any) -> dict[int, tuple[Fraction, ...]]:
    if value is None:
        return {size: tuple(map(Fraction, points)) for size, points in DEFAULT_PLACE_POINTS.items()}
    result = {}
    for key, points in mapping(value, "place_points").items():
        path = at("place_points", key)
        if not str(key).isdigit():
            raise fail(path, "expected_integer")
        result[int(key)] = listed(points, path, exact)
        if len(result[int(key)]) != int(key):
            raise fail(path, "tournament_one_value_per_place", n=int(key))
    return result


# -- players ----------------------------------------------------------------------------------------------


class Names:
    """What the file may call an entrant: the id, or the name where only one has it."""

    def __init__(self, entrants: tuple[Entrant, ...]) -> None:
        self.entrants = entrants
        self.used: set[str] = set()
        count = Counter(e.name for e in entrants)
        self.unique = {e.name: e.id for e in entrants if count[e.name] == 1}
        self.ids = {e.id: e.id for e in entrants}

    def find(self, name: str) -> PlayerId | None:
        self.used.add(name)
        return self.ids.get(PlayerId(name)) or self.unique.get(name)

    def labels(self) -> dict[PlayerId, str]:
        """Players go by their name, unless two share it or the file itself uses the id."""
        return {
            own: name
            for name, own in self.unique.items()
            if name != own and name not in self.ids and (own not in self.used or name in self.used)
        }


def _entrants(value: Any) -> tuple[Entrant, ...]:
    entrants = listed(value, "players", _entrant)
    if len(entrants) > MAX_PLAYERS:
        raise fail("players", "tournament_too_many_players", n=len(entrants), high=MAX_PLAYERS)
    seen: set[PlayerId] = set()
    for n, entrant in enumerate(entrants, start=1):
        if entrant.id in seen:
            raise fail(f"players[{n}]", "tournament_same_id", id=entrant.id)
        seen.add(entrant.id)
    return entrants


def _entrant(value: Any, path: str) -> Entrant:
    if not isinstance(value, dict):
        return Entrant(PlayerId(name_of(value, path)), str(value))
    mapping(value, path, ("name", "id", "club", "seed", "table", "heroes", "group"))
    if "name" not in value:
        raise fail(at(path, "name"), "key_missing")
    name = name_of(value["name"], at(path, "name"))
    return Entrant(
        id=PlayerId(name_of(value["id"], at(path, "id")) if "id" in value else name),
        name=name,
        club=None if value.get("club") is None else text(value["club"], at(path, "club")),
        seed=None if value.get("seed") is None else whole(value["seed"], at(path, "seed"), low=1),
        table=None if value.get("table") is None else whole(value["table"], at(path, "table"), low=1),
        heroes=listed(value.get("heroes"), at(path, "heroes"), text),
        given_id="id" in value,
        group=None if value.get("group") is None else whole(value["group"], at(path, "group"), low=1),
    )


def player(value: Any, path: str, names: Names) -> PlayerId:
    name = text(value, path)
    found = names.find(name)
    if found is None:
        raise fail(path, "tournament_unknown_player", name=name)
    return found


def _by_player(data: dict[str, Any], key: str, names: Names, low: int) -> dict[PlayerId, int]:
    given = data.get(key)
    return {
        player(name, at(key, name), names): whole(number, at(key, name), low=low)
        for name, number in mapping({} if given is None else given, key).items()
    }


def _forbidden(value: Any, names: Names) -> tuple[tuple[PlayerId, PlayerId], ...]:
    def pair(item: Any, path: str) -> tuple[PlayerId, PlayerId]:
        both = listed(item, path, lambda one, where: player(one, where, names))
        if len(both) != 2 or both[0] == both[1]:
            raise fail(path, "tournament_expected_two_players")
        return both[0], both[1]

    return listed(value, "forbidden", pair)


# -- rounds -----------------------------------------------------------------------------------------------


def _rounds(value: Any, names: Names) -> tuple[Round, ...]:
    return listed(
        value, "rounds", lambda matches, path: listed(matches, path, lambda m, where: _match(m, where, names))
    )


def _match(value: Any, path: str, names: Names) -> Match:
    mapping(value, path, ("a", "b", "result", "health", "games", "table", "first", "scores", "players"))
    table = None if value.get("table") is None else whole(value["table"], at(path, "table"), low=1)
    if value.get("scores") is not None or value.get("players") is not None:
        return _pod(value, path, names, table)
    if value.get("a") is None:
        raise fail(at(path, "a"), "key_missing")
    result, first = value.get("result"), value.get("first")
    return Match(
        a=player(value["a"], at(path, "a"), names),
        b=None if value.get("b") is None else player(value["b"], at(path, "b"), names),
        result=None
        if result is None
        else Result(one_of(result, at(path, "result"), [r.value for r in Result])),
        health=_counts(value.get("health"), at(path, "health"), 2, low=None),
        games=_counts(value.get("games"), at(path, "games"), 3, low=0),
        table=table,
        first=None if first is None else one_of(first, at(path, "first"), ("a", "b")),
    )


def _pod(value: dict[str, Any], path: str, names: Names, table: int | None) -> Match:
    """A table of three and more: its scores; or who sits there, while it is being played."""
    given = "players" if value.get("scores") is None else "scores"
    for key in value.keys() - {given, "table"}:
        raise fail(at(path, key), "tournament_not_with_scores")
    where = at(path, given)
    if given == "players":
        seats = listed(value["players"], where, lambda one, place: player(one, place, names))
        if len(set(seats)) < len(seats):
            raise fail(where, "tournament_player_twice_at_table")
        return Match(seats=seats, table=table)
    scores = mapping(value["scores"], where)
    found = {player(k, at(where, k), names): exact(v, at(where, k)) for k, v in scores.items()}
    if len(found) < len(scores):
        raise fail(where, "tournament_player_twice_at_table")
    return Match(scores=found, table=table)


def _counts(value: Any, path: str, length: int, low: int | None) -> Any:
    if value is None:
        return None
    counts = listed(value, path, lambda n, where: whole(n, where, low=low))
    if length == 3 and len(counts) == 2:
        counts = (*counts, 0)
    if len(counts) != length:
        raise fail(path, "tournament_expected_length", n=length)
    return counts
