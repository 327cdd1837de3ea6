"""Counters of this process, as Prometheus reads them: requests, how long they took, refused work, waiting
writers, the age of the newest backup.
"""

from __future__ import annotations

from collections import Counter
from threading import Lock

_COUNTS: Counter[tuple[str, str]] = Counter()
_LOCK = Lock()


def count(name: str, label: str = "", by: float = 1) -> None:
    with _LOCK:
        _COUNTS[name, label] += by  # type: ignore[assignment]  # seconds are no whole number


def counted(name: str) -> dict[str, float]:
    with _LOCK:
        return {label: value for (counter, label), value in _COUNTS.items() if counter == name}
