"""Error types: malformed input, refused requests, missing things, conflicts. Illegal play is no error."""

from __future__ import annotations

from dataclasses import dataclass

from judge.core.messages import Message


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault: where (`events[3].tpye`, lists counted from 1; "" is the whole) and what was expected."""

    path: str
    message: Message


class InputError(ValueError):
    """The input does not have the expected form. Carries every problem, in order."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(
            "; ".join(f"{p.path or 'file'}: {p.message.key} {p.message.params}" for p in problems)
        )
        self.problems = problems


def problem(path: str, key: str, /, **params: object) -> Problem:
    return Problem(path, Message(key, **params))


def fail(path: str, key: str, /, **params: object) -> InputError:
    return InputError(problem(path, key, **params))


class Refused(Exception):
    """A request that makes sense but is not possible right now. Carries every reason."""

    def __init__(self, *reasons: Message) -> None:
        super().__init__("; ".join(f"{r.key} {r.params}" for r in reasons))
        self.reasons = reasons


class Missing(Refused):
    """The thing an address names does not exist, or no longer: 404, with what is missing."""


class Conflict(Refused):
    """Somebody else changed it first: 409, with what changed."""
