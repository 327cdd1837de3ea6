"""The steps in which a table was entered. Each step stores only what it changed, so a long game stays small.

The first step holds the whole table file; every later one holds the keys that changed and, of the events,
only the part that was exchanged. `once` is a mark from the sender, so that a change sent twice is applied
once. Undo, redo and pinning make no step; their marks are kept with the first step (`moves`).
"""

from __future__ import annotations

from typing import TypedDict

from judge.core.json_types import EventEntry, JsonObject, TableFile

MARKS_KEPT = 32


class Step(TypedDict, total=False):
    """What one step changed."""

    table: TableFile  # the whole table, in the first step only
    once: str
    set: JsonObject
    gone: list[str]
    events: tuple[int, int, list[EventEntry]]  # where, how many were removed, which were inserted
    moves: list[str]  # marks of undo, redo and pinning, in the first step only


Steps = list[Step]


def first_step(table: TableFile) -> Steps:
    return [{"table": table}]


def table_at(steps: Steps, at: int) -> TableFile:
    """The table file after that step."""
    table = dict(steps[0]["table"])
    for step in steps[1 : at + 1]:
        table.update(step.get("set", {}))
        for key in step.get("gone", ()):
            table.pop(key, None)
        if "events" in step:
            start, removed, added = step["events"]
            events = list(table.get("events") or [])
            table["events"] = events[:start] + added + events[start + removed :]
    return table


def fewer_steps(steps: Steps, most: int) -> Steps:
    """The same steps; if there are more, the earliest are taken together, so what they did stays."""
    extra = len(steps) - most
    if extra <= 0:
        return steps
    return [{**steps[0], "table": table_at(steps, extra)}, *steps[extra + 1 :]]


def step_between(before: TableFile, after: TableFile, once: str = "") -> Step:
    step: Step = {"once": once} if once else {}
    changed = {k: v for k, v in after.items() if k != "events" and (k not in before or before[k] != v)}
    gone = [key for key in before if key not in after]
    if changed:
        step["set"] = changed
    if gone:
        step["gone"] = gone
    old, new = before.get("events") or [], after.get("events") or []
    if old != new:
        step["events"] = _exchange(old, new)
    return step


def _exchange(old: list[EventEntry], new: list[EventEntry]) -> tuple[int, int, list[EventEntry]]:
    """Where the lists begin to differ, how many events were removed there, and which replaced them."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return start, len(old) - end - start, new[start : len(new) - end]


def is_known(steps: Steps, once: str) -> bool:
    return bool(once) and (
        once in steps[0].get("moves", ()) or any(step.get("once") == once for step in steps)
    )


def with_move(steps: Steps, once: str) -> Steps:
    """The steps with the mark of an action that makes no step. The last few marks are enough: a browser sends
    in order, so only the newest can arrive twice."""
    if not once:
        return steps
    marks = [*steps[0].get("moves", ()), once][-MARKS_KEPT:]
    return [{**steps[0], "moves": marks}, *steps[1:]]
