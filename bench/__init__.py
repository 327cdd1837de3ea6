"""Speed as ratios of two things measured in the same run: `make bench`. A number of seconds says more about
the machine than about the code; how many times longer one thing takes than another travels well.

A module in this folder with a function `ratios()` takes part: it yields (name, value, goal, note); the goal
is the highest value that is still good, or None for a figure that is only watched.
"""

from __future__ import annotations

import time
from collections.abc import Callable


def fastest(work: Callable[[], object], seconds: float = 1.0) -> float:
    """The shortest time one call took: the others were disturbed."""
    best, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best
