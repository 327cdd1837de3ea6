"""Reads the settings of a tournament file: format, points, tie-breakers. The preset fills gaps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from judge.core.errors import InputError, Problem, fail, problem
from judge.schemas.shape import (
    MAX_COUNT,
    Fields,
    at,
    each,
    exact,
    gathered,
    listing,
    mapping,
    number,
    one_of,
    raise_all,
    truth,
)
from judge.schemas.tournament.pairing_rules import read_pattern, readers
from judge.schemas.tournament.presets import Preset, presets
from judge.tournament.formats import DEFAULT, FORMATS, FormatKind
from judge.tournament.model import (
    COUNTS,
    DEFAULT_FLOOR,
    GRAND_FINALS,
    PER,
    Format,
    Rules,
    Scoring,
)
from judge.tournament.tiebreaks import TIEBREAKERS

MAX_ROUNDS = 999
MAX_GROUPS = 999
MAX_SEATS = 999  # in a group
MAX_AT_TABLE = 24
MAX_GAMES = 99  # of a match
MAX_CYCLES = 9  # of a round robin
MAX_POINTS = 1000
SCORED = ("win", "draw", "loss", "bye", "half_bye")
# Points per place if the file gives none (UK Games Expo uses 4-2-1-0 with ties averaged).
DEFAULT_PLACE_POINTS = {4: (4, 2, 1, 0), 3: (4, 2, 0)}
# The keys of a format besides its kind and number of rounds, and how each is read.
FORMAT_KEYS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "third_place": (truth, ()),
    "grand_final": (one_of, (GRAND_FINALS,)),
    "counts": (one_of, (COUNTS,)),
    "groups": (number, (1, MAX_GROUPS)),
    "group_size": (number, (3, MAX_SEATS)),
    "pod_size": (number, (3, MAX_AT_TABLE)),
    "repeat_weight": (number, (0, MAX_COUNT)),
    "cycles": (number, (1, MAX_CYCLES)),
    "until_wins": (number, (1, MAX_ROUNDS)),
    "until_losses": (number, (1, MAX_ROUNDS)),
}


def read_rules(data: dict[str, Any], players: int) -> Rules:
    """The rules in the file, for this many players; raises the faults of all settings together."""
    preset = find_preset(data)

    def given(key: str) -> Any:
        return data[key] if data.get(key) is not None else preset.get(key) if preset else None

    more = readers(given)
    rules = gathered(
        {
            "preset": lambda: check_preset(data),
            "format": lambda: _format(data.get("format"), preset, players),
            "scoring": lambda: _scoring(data.get("scoring"), preset),
            "best_of": lambda: number(_or(given("best_of"), 1), "best_of", 1, MAX_GAMES),
            "floor": lambda: _floor(given("floor")),
            "tiebreakers": lambda: _tiebreakers(given("tiebreakers")),
            "place_points": lambda: _place_points(given("place_points")),
            **more,
        }
    )
    shape: Format = rules["format"]
    usual = FORMATS[shape.kind].tiebreakers(shape)
    return Rules(
        format=shape,
        scoring=rules["scoring"],
        best_of=rules["best_of"],
        floor=rules["floor"],
        tiebreakers=usual if rules["tiebreakers"] is None else rules["tiebreakers"],
        place_points=rules["place_points"],
        **{key: rules[key] for key in more},
    )


def check_used(data: dict[str, Any], kinds: Sequence[FormatKind]) -> None:
    """Refuse settings of the file that none of its formats reads."""
    of_some = {key for kind in FORMATS.values() for key in kind.settings}
    read = {key for kind in kinds for key in kind.settings}
    unused = [key for key in data if key in of_some - read and data[key] is not None]
    names = ", ".join(kind.id for kind in kinds)
    raise_all([problem(key, "tournament_key_unused", kind=names) for key in unused])


def find_preset(data: dict[str, Any]) -> Preset | None:
    name = data.get("preset")
    return presets().get(name) if isinstance(name, str) else None


def check_preset(data: dict[str, Any]) -> None:
    if data.get("preset") is not None:
        one_of(data["preset"], "preset", presets())


def _or(value: Any, default: Any) -> Any:
    return default if value is None else value


def _format(value: Any, preset: Preset | None, players: int) -> Format:
    value = {"kind": value} if isinstance(value, str) else value
    asked = Fields(value, "format", ("kind", "rounds", "pattern", *FORMAT_KEYS))
    named = {key for key, written in asked.entry.items() if written is not None}
    usual = preset.get("format", {}) if preset else {}
    is_of_preset = asked.entry.get("kind") in (None, usual.get("kind", DEFAULT.id))
    if is_of_preset:  # another kind than the preset's has its own number of rounds and its own keys
        asked.entry = {**usual, **asked.entry}
    by_attendance = preset.rounds_for(players) if preset and is_of_preset else None
    if asked.entry.get("rounds") == "auto":
        asked.entry["rounds"] = None
    pattern, patterns = asked.get("pattern", read_pattern, (None, ()), MAX_ROUNDS)
    own: dict[str, Any] = {
        key: asked.get(key, read, None, *args)
        for key, (read, args) in FORMAT_KEYS.items()
        if asked.entry.get(key) is not None
    }
    if "rounds" not in named and own.get("until_wins"):
        by_attendance = own["until_wins"] + own.get("until_losses", own["until_wins"]) - 1
        asked.entry["rounds"] = None
    shape = Format(
        kind=asked.get("kind", one_of, DEFAULT.id, FORMATS),
        rounds=asked.get("rounds", number, by_attendance, 1, MAX_ROUNDS),
        pattern=pattern,
        patterns=patterns,
        **own,
    )
    if shape.until_losses and not shape.until_wins:
        asked.fault("until_losses", "tournament_until_losses_alone")
    reads = FORMATS[shape.kind].reads
    for key in ("rounds", "pattern", *FORMAT_KEYS):
        if key in named and asked.entry.get("kind", shape.kind) == shape.kind and key not in reads:
            asked.fault(key, "tournament_key_unused", kind=shape.kind)
    asked.done()
    return shape


def _scoring(value: Any, preset: Preset | None) -> Scoring:
    asked = Fields(value, "scoring", (*SCORED, "per"))
    is_bye_a_win = (
        asked.entry.get("win") is not None and "bye" not in asked.entry
    )  # unless the event says otherwise
    asked.entry = {**(preset.get("scoring", {}) if preset else {}), **asked.entry}
    worth: dict[str, Any] = {
        key: asked.get(key, points) for key in SCORED if asked.entry.get(key) is not None
    }
    worth["per"] = asked.get("per", one_of, "match", PER)
    asked.done()
    if is_bye_a_win:
        worth["bye"] = worth["win"]
    scoring = Scoring(**worth)
    asked.check(_check_order, scoring)
    if scoring.bye > scoring.win:
        asked.fault("bye", "tournament_bye_out_of_order")
    asked.done()
    return scoring


def _check_order(scoring: Scoring) -> None:
    if not scoring.win > scoring.loss:
        raise fail("scoring", "tournament_win_not_above_loss", win=scoring.win, loss=scoring.loss)
    if not scoring.win >= scoring.draw >= scoring.loss:
        raise fail("scoring.draw", "tournament_draw_out_of_order")


def score(value: Any, path: str) -> Fraction:
    """A number or a fraction such as 1/3, as written; no finer than a thousandth, so that sums stay small."""
    result = exact(value, path, "tournament_expected_number")
    if result.denominator > 1000:
        raise fail(path, "tournament_expected_number")
    return result


def points(value: Any, path: str) -> Fraction:
    """Points for a result: 0 to 1000, in steps no finer than a thousandth."""
    result = exact(value, path, "tournament_expected_number")
    if not 0 <= result <= MAX_POINTS or result.denominator > 1000:
        raise fail(path, "tournament_expected_points", high=MAX_POINTS)
    return result


def _floor(value: Any) -> Fraction:
    floor = DEFAULT_FLOOR if value is None else exact(value, "floor", "tournament_expected_number")
    if not 0 <= floor <= 1:
        raise fail("floor", "tournament_expected_share")
    return floor


def _tiebreakers(value: Any) -> tuple[str, ...] | None:
    if value is None:
        return None
    names = each(listing(value, "tiebreakers"), "tiebreakers", one_of, TIEBREAKERS)
    raise_all(
        [
            problem(f"tiebreakers[{n}]", "tournament_twice_in_list", word=name)
            for n, name in enumerate(names, start=1)
            if name in names[: n - 1]
        ]
    )
    return tuple(names)


def _place_points(value: Any) -> dict[int, tuple[Fraction, ...]]:
    """`{4: [4, 2, 1, 0], 3: [4, 2, 0]}`: for each size of a table, the points of every place."""
    if value is None:
        return {size: tuple(map(Fraction, by_place)) for size, by_place in DEFAULT_PLACE_POINTS.items()}
    result: dict[int, tuple[Fraction, ...]] = {}
    problems: list[Problem] = []
    for key, by_place in mapping(value, "place_points").items():
        path = at("place_points", str(key)[:20])
        try:
            size = _size(key, path)
            result[size] = tuple(each(listing(by_place, path), path, score))
            if len(result[size]) != size:
                raise fail(path, "tournament_one_value_per_place", n=size)
        except InputError as error:
            problems += error.problems
    raise_all(problems)
    return result


def _size(key: Any, path: str) -> int:
    """The size of a table as a key: 4 or "4"."""
    is_number = isinstance(key, str) and key.isascii() and key.isdecimal() and len(key) < 5
    return number(int(key) if is_number else key, path, 1, MAX_SEATS)
