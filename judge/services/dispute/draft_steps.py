"""The steps a table went through while it was entered, kept as what each changed: a long game stays small.

The first step holds the whole table file; every later one the keys that changed, and of the events only the
piece that was exchanged. `once` is the sender's mark: what was sent twice is done once. Undo, redo
and pinning make no step; their marks lie beside the first one (`moves`).
"""

from __future__ import annotations

from typing import Any

Steps = list[dict[str, Any]]
MARKS_KEPT = 32


def first_step(table: dict[str, Any]) -> Steps:
    return [{"table": table}]


def table_at(steps: Steps, at: int) -> dict[str, Any]:
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


def step_between(before: dict[str, Any], after: dict[str, Any], once: str = "") -> dict[str, Any]:
    step: dict[str, Any] = {"once": once} if once else {}
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


def _exchange(old: list[Any], new: list[Any]) -> list[Any]:
    """Where the lists part, how many events went, and what came instead."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return [start, len(old) - end - start, new[start : len(new) - end]]


def is_known(steps: Steps, once: str) -> bool:
    return bool(once) and (
        once in steps[0].get("moves", ()) or any(step.get("once") == once for step in steps)
    )


def with_move(steps: Steps, once: str) -> Steps:
    """The steps with the mark of what made none. The last few are enough: a browser sends in order, so only
    the newest can come again."""
    if not once:
        return steps
    marks = [*steps[0].get("moves", ()), once][-MARKS_KEPT:]
    return [{**steps[0], "moves": marks}, *steps[1:]]
