"""Public pages against the trivial JSON endpoint (/healthz), all in one process by Flask's test client.

Requests of the kinds compared take turns, and the fastest of each kind counts: the others were disturbed. A
changed page is one to which a result has come in since it was last asked for: one of its tables is new.
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

TURNS, EACH = 12, 100
EVENTS = {32: 40, 512: 6}  # tables: how many events of that size are asked for in a turn
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
        for tables, count in EVENTS.items():
            for n in range(count):
                event = make_event(session, slug=f"hall-{tables}-{n}", name=f"Hall of {tables}")
                players = make_players(session, event, tables * 2)
                make_round(session, event, list(zip(players[::2], players[1::2], strict=True)))
    return app


def _measure(app: Any) -> Iterator[Ratio]:
    client = app.test_client()
    results = _results(app.extensions["judge.database"].file)

    def unchanged(tag: str) -> None:
        answer = client.get("/e/hall-32-0", headers={"If-None-Match": tag})
        assert answer.status_code == 304

    def changed(tables: int) -> float:
        pages = [f"/e/hall-{tables}-{n}" for n in range(EVENTS[tables])]
        return min(_seconds(lambda page=page: _expect_page(client, page)) for page in pages)

    best = dict.fromkeys(("trivial", "unchanged", "32", "512"), float("inf"))
    for _ in range(TURNS):
        next(results)
        took = {"32": changed(32), "512": changed(512)}
        tag = client.get("/e/hall-32-0").headers["ETag"]
        took["trivial"] = min(_seconds(lambda: client.get("/healthz")) for _ in range(EACH))
        took["unchanged"] = min(_seconds(lambda tag=tag: unchanged(tag)) for _ in range(EACH))
        best = {name: min(best[name], took[name]) for name in best}
    note = ", ".join(f"{name} {seconds * 1000:.2f} ms" for name, seconds in best.items())
    trivial = best["trivial"]
    yield "unchanged page (304) / trivial answer, time", best["unchanged"] / trivial, 1 / 0.60, note
    yield "changed pairings of 32 tables / trivial answer, time", best["32"] / trivial, 1 / 0.40, ""
    yield "changed pairings of 512 tables / of 32, time", best["512"] / best["32"], 8, ""


def _results(file: Path) -> Iterator[None]:
    """Each time: a result comes in at every event, written by somebody else."""
    with sqlite3.connect(file) as other:
        for health in range(1, 1000):
            other.execute(
                "update match set result = 'a', health_a = ?, health_b = 0 where table_no = ?",
                (health % 50, health % 32 + 1),
            )
            other.execute("update event set version = version + 1")
            other.commit()
            yield


def _expect_page(client: Any, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200


def _seconds(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start
