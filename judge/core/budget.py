"""How much work one answer may cost. Whoever asks an engine hands out a `Budget`; the engine's loops spend
from it, and work that goes on for too long ends with `TooMuchWork` instead of holding a thread.

Engines read no clock: the budget brings its own. Without one (a command, a test) work is not limited.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

CHECKED_EVERY = 16  # steps between two looks at the clock


class TooMuchWork(Exception):
    """The input is well-formed, but would take longer than this place allows."""


class Budget:
    __slots__ = ("_clock", "_ends", "_steps")

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._clock, self._ends, self._steps = clock, clock() + seconds, 0

    def spend(self, steps: int) -> None:
        self._steps += steps
        if self._steps >= CHECKED_EVERY:
            self._steps = 0
            if self._clock() > self._ends:
                raise TooMuchWork


_CURRENT: ContextVar[Budget | None] = ContextVar("budget", default=None)


def current() -> Budget | None:
    """The budget that work in this place spends from, for a loop of many small steps."""
    return _CURRENT.get()


def spend(steps: int = 1) -> None:
    """One more step of work; a long one counts as several."""
    budget = _CURRENT.get()
    if budget is not None:
        budget.spend(steps)


@contextmanager
def limited(budget: Budget | None) -> Iterator[None]:
    """Work inside this block spends from the budget."""
    token = _CURRENT.set(budget)
    try:
        yield
    finally:
        _CURRENT.reset(token)
