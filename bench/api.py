"""What a ruling over HTTP costs beside the smallest JSON answer of the same app, by the test client."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from judge.app import create_app
from judge.config import Settings
from judge.web.api.openapi import DISPUTE

ROUNDS, CALLS = 400, 1


def ratios() -> Iterator[tuple[str, float, float | None, str]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        app = create_app(
            Settings(folder, f"sqlite:///{folder / 'x.sqlite3'}", "only for measuring", api_rate=10**9)
        )
        client = app.test_client()
        plain = {key: value for key, value in DISPUTE.items() if key != "claims"}
        trivial, ruling, claimed = _alternating(
            lambda: client.get("/healthz"),
            lambda: client.post("/api/v1/rulings", json=plain),
            lambda: client.post("/api/v1/rulings", json=DISPUTE),
        )
        app.extensions["judge.database"].close()
    yield (
        "POST /api/v1/rulings with the worked dispute / smallest answer, time",
        ruling / trivial,
        4,
        f"{trivial / ruling:.2f} of its requests per second",
    )
    yield (
        "the same with a wrong claim, whose mistake is searched for / smallest answer, time",
        claimed / trivial,
        10,
        f"{trivial / claimed:.2f} of its requests per second",
    )


def _alternating(*calls: Callable[[], Any]) -> list[float]:
    """The shortest time of each call, measured in turns: the others were disturbed."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(ROUNDS):
        for kept, call in zip(times, calls, strict=True):
            start = time.perf_counter()
            for _ in range(CALLS):
                assert call().status_code == 200
            kept.append(time.perf_counter() - start)
    return [min(kept) for kept in times]
