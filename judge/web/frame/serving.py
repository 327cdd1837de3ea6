"""Tunes a serving process after its app is created. Programs call it; importing the app does not."""

from __future__ import annotations

import gc
import importlib
import sys

SWITCH_SECONDS = 0.0002
YOUNG, MIDDLE, OLD = 5_000, 80, 100  # a collection of the young takes a millisecond or two
# Loaded only when needed by commands; loading them in the middle of a round would hold everybody up.
SLOW_TO_LOAD = (
    "judge.tournament.pods.search",
    "judge.tournament.swiss.solver",
    "judge.tournament.outlook.needs",
)


def settle() -> None:
    """Keep one long task, such as pairing five hundred players, from delaying everybody else.

    Threads switch five thousand times a second instead of two hundred, so a short request passes a long one:
    each time it hears from the database it waits for a turn.
    The objects of the app are frozen, so that the garbage collector does not scan them again and again (that
    took a tenth of a second and more); garbage of requests is still collected.
    """
    for name in SLOW_TO_LOAD:
        importlib.import_module(name)
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
