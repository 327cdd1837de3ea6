"""Compares a ruling with the part of it that a table file expects (`expect:`).

Mappings must contain the keys named; lists match element by element, except `rules` and `may`, which only
have to contain the items named; numbers and words match exactly; a count of 0 matches absence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from judge.core.json_types import JsonObject

_MISSING = object()


@dataclass(frozen=True, slots=True)
class Difference:
    path: str
    expected: Any
    found: Any = None

    def as_json(self) -> JsonObject:
        return {"path": self.path, "expected": self.expected, "found": self.found}


def differences(expected: Any, actual: Any, path: str = "") -> Iterator[Difference]:
    if isinstance(expected, dict):
        if not isinstance(actual, dict):
            if actual is _MISSING and all(_is_nothing(item) for item in expected.values()):
                return
            yield Difference(path, expected, None if actual is _MISSING else actual)
            return
        for key, item in expected.items():
            here = f"{path}.{key}" if path else str(key)
            value = actual.get(key, _MISSING)
            if key == "rules" or path.rpartition(".")[2] == "may":
                yield from _contains(item, [] if value is _MISSING else value, here)
            else:
                yield from differences(item, value, here)
    elif isinstance(expected, list):
        if actual is _MISSING:
            actual = []
        if not isinstance(actual, list) or len(actual) != len(expected):
            yield Difference(path, expected, actual)
            return
        for n, (item, value) in enumerate(zip(expected, actual, strict=True), start=1):
            yield from differences(item, value, f"{path}[{n}]")
    elif actual is _MISSING:
        if not _is_nothing(expected):
            yield Difference(path, expected)
    elif isinstance(expected, bool) != isinstance(actual, bool) or expected != actual:
        yield Difference(path, expected, actual)


def _contains(expected: Any, actual: Any, path: str) -> Iterator[Difference]:
    wanted = expected if isinstance(expected, list) else [expected]
    missing = [item for item in wanted if item not in actual]
    if missing:
        yield Difference(path, missing, actual)


def _is_nothing(value: Any) -> bool:
    return value is None or (value == 0 and not isinstance(value, bool)) or value == {} or value == []
