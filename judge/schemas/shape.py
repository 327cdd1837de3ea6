"""Checks of shape and size for all input: files, request bodies and forms.

Each check names the place and what was expected; lists are counted from 1. A reader of a mapping or a list
continues after a fault, so that all of them can be fixed at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeVar, overload

from judge.core.errors import InputError, Problem, fail, problem

T = TypeVar("T")
D = TypeVar("D")
Word = TypeVar("Word", bound=str)

# ------------------------------------------------------------------ limits
#
# The limits of a file or a form. The databases and the engines can hold all of it, and no real game comes
# near. A field with a narrower range states it where it is read.

MAX_BYTES = 8 * 1024 * 1024  # of a whole file
MAX_VALUES = 500_000  # in a whole file, aliases unfolded
MAX_DEPTH = 60  # lists and mappings inside one another
MAX_TEXT = 4_000  # characters of a note or any other text
MAX_NAME = 200  # characters of a name or an id
MAX_DIGITS = 18  # of a number; a longer row of digits is a word
MAX_STORED = 2**31 - 1  # INTEGER of PostgreSQL, the narrower of the two databases
MAX_COUNT = 9_999  # health, CP, gold, glory, cards, tokens
MAX_DECIMALS = 18  # behind the point of a fraction
MAX_EVENTS = 5_000  # of a table
MAX_CHOICES = 24  # of one event: faces taken, options chosen, dice copied
MAX_COLLIDING = 20  # events that meet
MAX_CLAIMS = 200  # of a table: more than everybody can say about everybody
MAX_EFFECTS = 100  # of one text
MAX_PROBLEMS = 1_000  # faults named at once

# Characters that a database or JSON cannot hold, and those that no text needs (a note has lines and tabs).
_UNUSABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_FRACTION = re.compile(
    rf"[-+]?([0-9]{{1,12}}(/[0-9]{{1,12}}|\.[0-9]{{0,{MAX_DECIMALS}}})?|\.[0-9]{{1,{MAX_DECIMALS}}})"
)


def is_usable(written: str) -> bool:
    """Whether both databases can hold a text: no NUL, no lone surrogate, no control character."""
    return written.isprintable() or not _UNUSABLE.search(written)


def is_digits(written: str) -> bool:
    """Whether a word consists of plain digits, few enough for an INTEGER column."""
    return written.isascii() and written.isdecimal() and len(written) < 10


def whole(written: str) -> int:
    """The whole number in a form or an address; ValueError if it is none or too large for a database."""
    written = written.strip()
    digits = written[1:] if written[:1] in ("-", "+") else written
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= MAX_DIGITS):
        raise ValueError("not a whole number")
    value = int(written)
    if abs(value) > MAX_STORED:
        raise ValueError("a whole number that is too large")
    return value


def check_size(data: Any) -> None:
    """Refuse input with too many values, too deep nesting, or values too large to store."""
    level, depth, count = [data], 0, 0
    while level:
        count += len(level)
        if count > MAX_VALUES:
            raise fail("", "too_many_values", limit=MAX_VALUES)
        if depth > MAX_DEPTH:
            raise fail("", "too_deep", limit=MAX_DEPTH)
        below: list[Any] = []
        for value in level:
            kind = type(value)
            if kind is str:
                if not is_usable(value):
                    raise fail(_path_to(value, data) or "", "text_unusable")
            elif kind is dict:
                below += value
                below += value.values()
            elif kind is list:
                below += value
        level, depth = below, depth + 1


def _path_to(written: str, data: Any, path: str = "") -> str | None:
    """The path of this text; the path of a key is that of its mapping."""
    if data is written:
        return path
    items = data.items() if isinstance(data, dict) else enumerate(data, 1) if isinstance(data, list) else ()
    for key, value in items:
        if key is written:
            return path
        place = _path_to(written, value, at(path, key))
        if place is not None:
            return place
    return None


def check_text(written: str, path: str, most: int = MAX_TEXT) -> str:
    if len(written) > most:
        raise fail(path, "text_too_long", most=most)
    if not is_usable(written):
        raise fail(path, "text_unusable")
    return written


# ------------------------------------------------------------------ single values


def at(path: str, key: str | int) -> str:
    if isinstance(key, int):
        return f"{path}[{key}]"
    return f"{path}.{key}" if path else key


def _has_few_digits(value: str | int | float) -> bool:
    """Whether a number is short enough to be written out cheaply."""
    return not isinstance(value, int) or abs(value) < 10**MAX_DIGITS


def mapping(value: Any, path: str, keys: Collection[str] | None = None) -> dict[str, Any]:
    """A mapping, empty if nothing is given; with `keys`, every other key is a fault."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise fail(path, "expected_mapping")
    if keys is not None:
        strangers = [key for key in value if key not in keys]
        if strangers:
            raise InputError(*(problem(at(path, str(key)), "unknown_key") for key in strangers))
    return value


def listing(value: Any, path: str, most: int = MAX_VALUES) -> list[Any]:
    """A list, empty if nothing is given."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise fail(path, "expected_list")
    if len(value) > most:
        raise fail(path, "expected_at_most_items", most=most)
    return value


def text(value: Any, path: str, most: int = MAX_TEXT) -> str:
    """A text. A number is taken as text, because a player may be called 1."""
    if type(value) is str and len(value) <= most and value.isprintable():  # nearly all are
        return value
    if isinstance(value, bool) or not isinstance(value, (str, int)) or not _has_few_digits(value):
        raise fail(path, "expected_text")
    return check_text(str(value), path, most)


def name(value: Any, path: str) -> str:
    """A name or an id."""
    return text(value, path, MAX_NAME)


def player_name(value: Any, path: str) -> str:
    """The name of a player at a table: anything that is not blank."""
    who = name(value, path)
    if not who.strip():
        raise fail(path, "expected_text")
    return who


def number(value: Any, path: str, low: int = 0, high: int | None = None) -> int:
    """A whole number; without a given range, a count that is possible at a table."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise fail(path, "expected_integer")
    if high is None and value < low:
        raise fail(path, "expected_at_least", low=low)
    high = MAX_COUNT if high is None else high
    if not low <= value <= high:
        raise fail(path, "expected_between", low=low, high=high)
    return value


def truth(value: Any, path: str) -> bool:
    if not isinstance(value, bool):
        raise fail(path, "expected_truth")
    return value


def one_of(value: Any, path: str, words: Collection[Word]) -> Word:
    if not isinstance(value, str) or value not in words:
        raise fail(path, "expected_one_of", words=list(words))
    word: Word = value  # type: ignore[assignment]  # it is one of them
    return word


def exact(value: Any, path: str, key: str = "expected_fraction") -> Fraction:
    """A number as it is written, never rounded: `1/3`, `0.33` or a whole number. `key` says what is wrong."""
    is_number = isinstance(value, (str, int, float)) and not isinstance(value, bool)
    written = str(value) if is_number and _has_few_digits(value) else ""
    if not _FRACTION.fullmatch(written.strip()):
        raise fail(path, key)
    try:
        return Fraction(written)
    except ZeroDivisionError:
        raise fail(path, key) from None


def fraction(value: Any, path: str) -> Fraction:
    """A share of something: `1/2`, `0.5`, or a small whole number."""
    result = exact(value, path)
    if not 0 <= result <= 100:
        raise fail(path, "expected_fraction")
    return result


def dice(value: Any, path: str, most: int = 5, least: int = 1) -> tuple[int, ...]:
    rolled = value if isinstance(value, list) else [value]
    if not least <= len(rolled) <= most:
        raise fail(path, "expected_dice", low=least, high=most)
    return tuple(each(rolled, path, number, 1, 6))


# ------------------------------------------------------------------ many values, all faults


def each(values: Iterable[Any], path: str, read: Callable[..., T], *args: Any) -> list[T]:
    """`read(item, path, *args)` of every item, with the faults of all items."""
    result: list[T] = []
    problems: list[Problem] = []
    for n, value in enumerate(values, start=1):
        try:
            result.append(read(value, at(path, n), *args))
        except InputError as error:
            problems += error.problems
            if len(problems) > MAX_PROBLEMS:
                break
    raise_all(problems)
    return result


def each_key(value: Any, path: str, read: Callable[..., T], *args: Any) -> dict[str, T]:
    """`read(item, path, *args)` of every item of a mapping by its name, with the faults of all items."""
    result: dict[str, T] = {}
    problems: list[Problem] = []
    for key, item in mapping(value, path).items():
        try:
            result[name(key, path)] = read(item, at(path, str(key)), *args)
        except InputError as error:
            problems += error.problems
            if len(problems) > MAX_PROBLEMS:
                break
    raise_all(problems)
    return result


def counts(value: Any, path: str) -> dict[str, int]:
    """`{protect: 1}`"""
    return each_key(value, path, number)


def gathered(readers: Mapping[str, Callable[[], Any]]) -> dict[str, Any]:
    """The result of every reader by name; raises the faults of all together."""
    result: dict[str, Any] = {}
    problems: list[Problem] = []
    for key, read in readers.items():
        try:
            result[key] = read()
        except InputError as error:
            problems += error.problems
    raise_all(problems)
    return result


def joined(error: InputError, check: Callable[[], Any]) -> InputError:
    """The faults found already, and those of a further check."""
    try:
        check()
    except InputError as further:
        return InputError(*error.problems, *further.problems)
    return error


def raise_all(problems: list[Problem]) -> None:
    """Raise the faults, if there are any."""
    if problems:
        raise InputError(*problems[:MAX_PROBLEMS])


class Fields:
    """The fields of one mapping. A fault is kept and reading goes on with the default; `done` raises all."""

    __slots__ = ("_is_readable", "entry", "path", "problems")

    def __init__(self, value: Any, path: str, keys: Collection[str] | None = None) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self._is_readable = value is None or isinstance(value, dict)
        self.entry: dict[str, Any] = value if value and self._is_readable else {}
        if not self._is_readable:
            self.problems.append(problem(path, "expected_mapping"))
        elif keys is not None:
            strangers = [key for key in self.entry if key not in keys]
            self.problems += [problem(at(path, str(key)), "unknown_key") for key in strangers]

    @overload
    def get(self, key: str, read: Callable[..., T]) -> T | None: ...
    @overload
    def get(self, key: str, read: Callable[..., T], default: D, *args: Any) -> T | D: ...

    def get(self, key: str, read: Callable[..., Any], default: Any = None, *args: Any) -> Any:
        """`read(value, path, *args)`, or the default where the field is absent, null or wrong."""
        value = self.entry.get(key)
        if value is None:
            return default
        try:
            return read(value, at(self.path, key), *args)
        except InputError as error:
            self.problems += error.problems
            return default

    def must(self, key: str, read: Callable[..., T], default: D, *args: Any) -> T | D:
        """Like `get`, for a required field."""
        if key not in self.entry:
            self.fault(key, "key_missing")
            return default
        return self.read(key, read, default, *args)

    def read(self, key: str, read: Callable[..., T], default: D, *args: Any) -> T | D:
        """Like `get`, for a field whose reader itself reports a missing value."""
        try:
            return read(self.entry.get(key), at(self.path, key), *args)
        except InputError as error:
            self.problems += error.problems
            return default

    def fault(self, key: str, message: str, /, **params: object) -> None:
        """Keep one more fault, at a field, or with "" at the mapping itself."""
        if self._is_readable:
            self.problems.append(problem(at(self.path, key) if key else self.path, message, **params))

    def check(self, check: Callable[..., Any], *args: Any) -> None:
        """Run a check of several fields together and keep its faults."""
        try:
            check(*args)
        except InputError as error:
            self.problems += error.problems

    def done(self) -> None:
        raise_all(self.problems)


# ------------------------------------------------------------------ order of faults

_STEP = re.compile(r"\[([0-9]+)\]|\.?([^.\[]+)")


def in_order(error: InputError, data: Any, path: str = "") -> InputError:
    """The same faults in the order of their places in the file; each is said once."""
    empty: dict[str, Any] = {}
    positions: dict[int, dict[str, int]] = {}  # of the keys in each mapping

    def place(fault: Problem) -> tuple[int, ...]:
        """At each step the position in the mapping or list; missing keys come last."""
        steps: list[int] = []
        inside = data
        for step in _STEP.finditer(fault.path.removeprefix(path)):
            if step[1]:
                here = int(step[1][:MAX_DIGITS]) - 1
                inside = inside[here] if isinstance(inside, list) and here < len(inside) else None
            else:
                keys = inside if isinstance(inside, dict) else empty
                if id(keys) not in positions:
                    positions[id(keys)] = {key: n for n, key in enumerate(keys)}
                here = positions[id(keys)].get(step[2], len(keys))
                inside = keys.get(step[2])
            steps.append(here)
        return tuple(steps)

    once = {(fault.path, fault.message.key): fault for fault in error.problems}
    return InputError(*sorted(once.values(), key=place))
