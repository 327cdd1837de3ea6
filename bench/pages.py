"""What the frame costs: a whole page against the smallest possible answer of the same app."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench import fastest
from judge.app import create_app
from judge.config import Settings
from judge.storage.migrate import migrate


def ratios() -> Iterator[tuple[str, float, float | None, str]]:
    logging.disable()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        app = create_app(
            Settings(folder, f"sqlite:///{folder / 'judge.sqlite3'}", "only for this measurement")
        )
        database = app.extensions["judge.database"]
        migrate(database, folder)
        client = app.test_client()
        health = fastest(lambda: client.get("/healthz"))
        start = fastest(lambda: client.get("/"))
        ready = fastest(lambda: client.get("/readyz"))
        database.close()
    logging.disable(logging.NOTSET)
    yield "start page / smallest answer", start / health, None, f"smallest {health * 1000:.2f} ms"
    yield "answer that asks the database / smallest answer", ready / health, 5, f"{ready * 1000:.2f} ms"
