"""Counters of this process, as Prometheus reads them at /metrics: requests, how long they took, refused work,
waiting writers, the age of the newest backup.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from threading import Lock

BUCKETS = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0)  # seconds
_COUNTS: Counter[tuple[str, str]] = Counter()
_LOCK = Lock()


def count(name: str, label: str = "", by: float = 1) -> None:
    with _LOCK:
        _COUNTS[name, label] += by  # type: ignore[assignment]  # seconds are no whole number


def counted(name: str) -> dict[str, float]:
    with _LOCK:
        return {label: value for (counter, label), value in sorted(_COUNTS.items()) if counter == name}


def note_request(status: int, seconds: float) -> None:
    count("requests", f"{status // 100}xx")
    count("seconds", by=seconds)
    for edge in BUCKETS:
        if seconds <= edge:
            count("took", str(edge))


def lines(gauges: dict[str, float]) -> Iterator[str]:
    """Everything counted, in Prometheus' text format."""
    yield "# TYPE judge_requests_total counter"
    for label, value in counted("requests").items():
        yield f'judge_requests_total{{status="{label}"}} {value:g}'
    yield "# TYPE judge_request_seconds histogram"
    took = counted("took")
    total = sum(counted("requests").values())
    for edge in BUCKETS:
        yield f'judge_request_seconds_bucket{{le="{edge}"}} {took.get(str(edge), 0):g}'
    yield f'judge_request_seconds_bucket{{le="+Inf"}} {total:g}'
    yield f"judge_request_seconds_sum {sum(counted('seconds').values()):.6f}"
    yield f"judge_request_seconds_count {total:g}"
    yield "# TYPE judge_refused_work_total counter"
    for label in ("busy", "too_much"):
        yield f'judge_refused_work_total{{why="{label}"}} {counted("refused_work").get(label, 0):g}'
    for name, value in gauges.items():
        yield f"# TYPE judge_{name} gauge"
        yield f"judge_{name} {value:g}"
