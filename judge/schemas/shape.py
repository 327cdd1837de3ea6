"""Small checks of shape, each naming the path and what was expected. Lists are counted from 1."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from judge.core.errors import InputError, Problem, fail

T = TypeVar("T")


def at(path: str, key: str | int) -> str:
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else key


def mapping(value: Any, path: str, keys: Collection[str] | None = None) -> dict[str, Any]:
    """A mapping, empty if nothing is given; with `keys`, one that has no others (every stranger is named)."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise fail(path, "expected_mapping")
    if keys is not None:
        strangers = [key for key in value if key not in keys]
        if strangers:
            raise InputError(*(fail(at(path, str(key)), "unknown_key").problems[0] for key in strangers))
    return value


def listing(value: Any, path: str) -> list[Any]:
    """A list; nothing given is an empty one."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise fail(path, "expected_list")
    return value


def text(value: Any, path: str) -> str:
    """A word. A number is taken as the word it is written as: a player may be called 1."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise fail(path, "expected_text")
    return str(value)


def number(value: Any, path: str, low: int = 0, high: int | None = None) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise fail(path, "expected_integer")
    if high is not None and not low <= value <= high:
        raise fail(path, "expected_between", low=low, high=high)
    if value < low:
        raise fail(path, "expected_at_least", low=low)
    return value


def truth(value: Any, path: str) -> bool:
    if not isinstance(value, bool):
        raise fail(path, "expected_truth")
    return value


def one_of(value: Any, path: str, words: Collection[str]) -> str:
    if not isinstance(value, (str, int)) or value not in words:
        raise fail(path, "expected_one_of", words=list(words))
    return str(value)


def fraction(value: Any, path: str) -> Fraction:
    """`1/2`, `0.5` or a whole number."""
    try:
        if isinstance(value, bool):
            raise ValueError
        if isinstance(value, float):
            value = str(value)
        result = Fraction(value)
        if result < 0 or result > 100:
            raise ValueError
        return result
    except (ValueError, TypeError, ZeroDivisionError):
        raise fail(path, "expected_fraction") from None


def dice(value: Any, path: str, most: int = 5, least: int = 1) -> tuple[int, ...]:
    rolled = value if isinstance(value, list) else [value]
    if not least <= len(rolled) <= most:
        raise fail(path, "expected_dice", low=least, high=most)
    return tuple(number(die, at(path, n), 1, 6) for n, die in enumerate(rolled, start=1))


def each(values: list[Any], path: str, read: Callable[[Any, str], T]) -> list[T]:
    """`read` of every item; the faults of all items are gathered, so that all can be mended at once."""
    result: list[T] = []
    problems: list[Problem] = []
    for n, value in enumerate(values, start=1):
        try:
            result.append(read(value, at(path, n)))
        except InputError as error:
            problems.extend(error.problems)
    if problems:
        raise InputError(*problems)
    return result


def counts(value: Any, path: str) -> dict[str, int]:
    """`{protect: 1}`"""
    return {str(key): number(item, at(path, str(key))) for key, item in mapping(value, path).items()}


def gathered(readers: Mapping[str, Callable[[], Any]]) -> dict[str, Any]:
    """The result of every reader by name; the faults of all are gathered."""
    result: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, read in readers.items():
        try:
            result[name] = read()
        except InputError as error:
            problems.extend(error.problems)
    if problems:
        raise InputError(*problems)
    return result
