"""Reads and writes the finer settings of a tournament: patterns by round, clubs, tables, byes, drops."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from judge.core.errors import fail
from judge.schemas.shape import Fields, at, each, listing, mapping, number, one_of, truth
from judge.tournament.model import (
    DROP_POLICIES,
    PATTERNS,
    UNPLAYED,
    ClubRule,
    Format,
    Pattern,
    TableNumbers,
    Tournament,
)

MAX_TABLE = 99_999
LAST, USUAL = "last", "usual"
_RANGE = re.compile(r"([0-9]{1,5})\s*-\s*([0-9]{1,5})")

# -- patterns ------------------------------------------------------------------------------------------------

Patterns = tuple[tuple[int, Pattern], ...]


def read_pattern(value: Any, path: str, most: int) -> tuple[Pattern | None, Patterns]:
    """A word for all rounds; a list, one word per round, the last for the rest; or words by round:
    `{1: random, last: adjacent, usual: slide}`."""
    if isinstance(value, list):
        *first, rest = each(listing(value, path), path, one_of, PATTERNS) or ["slide"]
        return cast(Pattern, rest), tuple(enumerate(cast(list[Pattern], first), start=1))
    if isinstance(value, dict):
        return _pattern_by_round(value, path, most)
    return one_of(value, path, PATTERNS), ()


def _pattern_by_round(value: dict[Any, Any], path: str, most: int) -> tuple[Pattern | None, Patterns]:
    usual: Pattern | None = None
    by_round: dict[int, Pattern] = {}
    for key, word in mapping(value, path).items():
        here = at(path, str(key)[:20])
        pattern = one_of(word, here, PATTERNS)
        if key == USUAL:
            usual = pattern
        else:
            digits = str(key).isascii() and str(key).isdecimal() and len(str(key)) < 6
            by_round[0 if key == LAST else number(int(key) if digits else key, here, 1, most)] = pattern
    return usual, tuple(sorted(by_round.items()))


def written_pattern(shape: Format) -> Any:
    """The pattern as a file has it; None where nothing is said."""
    if not shape.patterns:
        return shape.pattern
    own = {str(n) if n else LAST: pattern for n, pattern in shape.patterns}
    return own | ({USUAL: shape.pattern} if shape.pattern else {})


# -- clubs and tables ----------------------------------------------------------------------------------------


def read_clubs(value: Any, path: str) -> ClubRule:
    """`{rounds: 3}`: club mates are kept apart in the first three rounds; `{hard: true}`: they never meet."""
    asked = Fields(value, path, ("rounds", "hard"))
    rule = ClubRule(asked.get("rounds", number, None, 0, 999), asked.get("hard", truth, default=False))
    asked.done()
    return rule


def written_clubs(rule: ClubRule) -> dict[str, Any]:
    return ({} if rule.rounds is None else {"rounds": rule.rounds}) | ({"hard": True} if rule.is_hard else {})


def read_tables(value: Any, path: str) -> TableNumbers:
    """`{ranges: [1-20, 31-60], skip: [13]}`: the table numbers that stand in the hall."""
    asked = Fields(value, path, ("ranges", "skip"))
    ranges = asked.get("ranges", _ranges, ())
    skip = asked.get("skip", _numbers, ())
    asked.done()
    return TableNumbers(ranges, frozenset(skip))


def _numbers(value: Any, path: str) -> list[int]:
    return each(listing(value, path), path, number, 1, MAX_TABLE)


def _ranges(value: Any, path: str) -> tuple[tuple[int, int], ...]:
    ranges = tuple(each(listing(value, path), path, _range))
    for n, (low, high) in enumerate(ranges, start=1):
        if any(low <= other and first <= high for first, other in ranges[: n - 1]):
            raise fail(f"{path}[{n}]", "tournament_ranges_overlap")
    return ranges


def _range(value: Any, path: str) -> tuple[int, int]:
    """`31-60`, `[31, 60]` or a single number."""
    match = _RANGE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match:
        low, high = int(match[1]), int(match[2])
    elif isinstance(value, list) and len(value) == 2:
        low, high = _numbers(value, path)
    else:
        low = high = number(value, path, 1, MAX_TABLE)
    if not 1 <= low <= high:
        raise fail(path, "tournament_expected_range")
    return low, high


def written_tables(tables: TableNumbers) -> dict[str, Any]:
    ranges = {"ranges": [f"{low}-{high}" for low, high in tables.ranges]} if tables.ranges else {}
    return ranges | ({"skip": sorted(tables.skip)} if tables.skip else {})


# -- all of them ---------------------------------------------------------------------------------------------

# The settings beside format, scoring and tie-breakers: how each is read.
READERS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "byes_in_omw": (truth, ()),
    "unplayed": (one_of, (UNPLAYED,)),
    "drop_policy": (one_of, (DROP_POLICIES,)),
    "clubs": (read_clubs, ()),
    "tables": (read_tables, ()),
}
WRITERS: Mapping[str, Callable[[Any], Any]] = {"clubs": written_clubs, "tables": written_tables}


def readers(value_of: Callable[[str], Any]) -> dict[str, Callable[[], Any]]:
    """A reader for each of these settings that has a value."""

    def reader(key: str, value: Any) -> Callable[[], Any]:
        read, args = READERS[key]
        return lambda: read(value, key, *args)

    return {key: reader(key, value_of(key)) for key in READERS if value_of(key) is not None}


def written(tournament: Tournament) -> dict[str, Any]:
    """Those of the settings that are not as usual."""
    usual = {key: Tournament.__dataclass_fields__[key].default for key in READERS}
    return {
        key: WRITERS.get(key, lambda value: value)(getattr(tournament, key))
        for key in READERS
        if getattr(tournament, key) != usual[key]
    }
