"""Public pages against the trivial JSON endpoint (/healthz), all in one process by Flask's test client.

Requests of the kinds compared take turns, and the fastest of each kind counts: the others were disturbed.
Before every one of them, trivial or not, somebody else enters a result: in the hall whose page is asked for
if the page is to be a changed one (one of its tables is new), else in another hall.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from judge.app import create_app
from judge.config import Settings
from judge.storage.migrate import migrate
from tests.builders import make_event, make_players, make_round

TURNS = 600
HALLS = {"hall-32": 32, "hall-512": 512, "elsewhere": 32}  # with so many tables
Ratio = tuple[str, float, float | None, str]


def ratios() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        app = _app(Path(folder))
        try:
            yield from _measure(app)
        finally:
            app.extensions["judge.database"].close()


def _app(folder: Path) -> Any:
    url = f"sqlite:///{folder / 'judge.sqlite3'}"
    app = create_app(Settings(instance=folder, database_url=url, secret_key="a secret for the bench"))
    database = app.extensions["judge.database"]
    migrate(database, folder / "backups")
    with database.transaction() as session:
        for slug, tables in HALLS.items():
            event = make_event(session, slug=slug, name=f"Hall of {tables}")
            players = make_players(session, event, tables * 2)
            make_round(session, event, list(zip(players[::2], players[1::2], strict=True)))
    return app


def _measure(app: Any) -> Iterator[Ratio]:
    client = app.test_client()
    tag = client.get("/e/hall-32").headers["ETag"]
    kinds: dict[str, tuple[str, Callable[[], int], int]] = {
        "trivial": ("elsewhere", lambda: client.get("/healthz").status_code, 200),
        "unchanged": (
            "elsewhere",
            lambda: client.get("/e/hall-32", headers={"If-None-Match": tag}).status_code,
            304,
        ),
        "32": ("hall-32", lambda: client.get("/e/hall-32").status_code, 200),
        "512": ("hall-512", lambda: client.get("/e/hall-512").status_code, 200),
    }
    best = dict.fromkeys(kinds, float("inf"))
    with sqlite3.connect(app.extensions["judge.database"].file) as somebody_else:
        for turn in range(TURNS):
            tag = client.get("/e/hall-32").headers["ETag"]
            for name, (hall, ask, expected) in kinds.items():
                _enter(somebody_else, hall, turn)
                took, status = _seconds(ask)
                assert status == expected, (name, status)
                best[name] = min(best[name], took)
    note = ", ".join(f"{name} {seconds * 1000:.2f} ms" for name, seconds in best.items())
    trivial = best["trivial"]
    yield "unchanged page (304) / trivial answer, time", best["unchanged"] / trivial, 1 / 0.60, note
    yield "changed pairings of 32 tables / trivial answer, time", best["32"] / trivial, 1 / 0.40, ""
    yield "changed pairings of 512 tables / of 32, time", best["512"] / best["32"], 8, ""


def _enter(somebody_else: sqlite3.Connection, hall: str, turn: int) -> None:
    """A result at one of the first 32 tables, another health each time."""
    somebody_else.execute(
        "update match set result = 'a', health_a = ?, health_b = 0"
        " where table_no = ? and event_id = (select id from event where slug = ?)",
        (turn % 50, turn % 32 + 1, hall),
    )
    somebody_else.execute("update event set version = version + 1 where slug = ?", (hall,))
    somebody_else.commit()


def _seconds(ask: Callable[[], int]) -> tuple[float, int]:
    start = time.perf_counter()
    status = ask()
    return time.perf_counter() - start, status
