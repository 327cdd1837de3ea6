"""Comparing a ruling with the part of it that a table file expects (`expect:`).

Mappings must contain what is named; lists match element by element, except `rules` and `may`, which only
have to contain what is named; numbers and words exactly; a count of 0 matches absence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_MISSING = object()


@dataclass(frozen=True, slots=True)
class Difference:
    path: str
    expected: Any
    found: Any = None

    def as_json(self) -> dict[str, Any]:
        return {"path": self.path, "expected": self.expected, "found": self.found}


def differences(expected: Any, found: Any, path: str = "") -> Iterator[Difference]:
    if isinstance(expected, dict):
        if not isinstance(found, dict):
            if found is _MISSING and all(_is_nothing(item) for item in expected.values()):
                return
            yield Difference(path, expected, None if found is _MISSING else found)
            return
        for key, item in expected.items():
            here = f"{path}.{key}" if path else str(key)
            value = found.get(key, _MISSING)
            if key == "rules" or path.rpartition(".")[2] == "may":
                yield from _contains(item, [] if value is _MISSING else value, here)
            else:
                yield from differences(item, value, here)
    elif isinstance(expected, list):
        if found is _MISSING:
            found = []
        if not isinstance(found, list) or len(found) != len(expected):
            yield Difference(path, expected, found)
            return
        for n, (item, value) in enumerate(zip(expected, found, strict=True), start=1):
            yield from differences(item, value, f"{path}[{n}]")
    elif found is _MISSING:
        if not _is_nothing(expected):
            yield Difference(path, expected)
    elif isinstance(expected, bool) != isinstance(found, bool) or expected != found:
        yield Difference(path, expected, found)


def _contains(expected: Any, found: Any, path: str) -> Iterator[Difference]:
    wanted = expected if isinstance(expected, list) else [expected]
    missing = [item for item in wanted if item not in found]
    if missing:
        yield Difference(path, missing, found)


def _is_nothing(value: Any) -> bool:
    return value is None or (value == 0 and not isinstance(value, bool)) or value == {} or value == []
