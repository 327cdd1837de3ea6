"""Health: whether the process lives and can work, counters for monitoring, and a page for the organiser."""

from __future__ import annotations

import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from flask import Blueprint, Response, abort, current_app, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from sqlalchemy.exc import SQLAlchemyError

from judge import __version__
from judge.services.log.chain import Walk, walk
from judge.storage.auto_backup import backups_in, newest_age
from judge.storage.migrate import newest_revision, revision
from judge.web.accounts.access import current_account, signed_in
from judge.web.frame import metrics
from judge.web.frame.transaction import database, session

health = Blueprint("health", __name__)
STARTED = time.time()
OLD_BACKUP = 3600 * 24  # seconds; before that an event may simply be quiet
LITTLE_ROOM = 500 * 1024 * 1024


@health.get("/healthz")
def healthz() -> ResponseReturnValue:
    return jsonify(status="ok")


@health.get("/readyz")
def readyz() -> ResponseReturnValue:
    """200 if the database answers and has this version's tables, else 503 with the reason."""
    try:
        current = revision(database())
    except SQLAlchemyError:
        return jsonify(status="unavailable", database="unreachable"), 503
    if current != newest_revision():
        return jsonify(status="unavailable", database="needs migration", found=current), 503
    return jsonify(status="ok", database="ok", revision=current)


def _backups() -> Path:
    folder: Path = current_app.config["JUDGE_BACKUPS"]
    return folder


def _gauges() -> dict[str, float]:
    age = newest_age(_backups())
    return {
        "up_seconds": time.time() - STARTED,
        "writers": database().writers,
        "writers_refused": database().writers_refused,
        "backup_age_seconds": -1 if age is None else age,
        "disk_free_bytes": shutil.disk_usage(_backups().parent).free,
    }


@health.get("/metrics")
def counters() -> Response:
    """For Prometheus on this machine, and for staff; nobody else."""
    is_near = request.remote_addr in ("127.0.0.1", "::1") and "X-Forwarded-For" not in request.headers
    if not is_near and current_account() is None:
        abort(404)
    text = "\n".join(metrics.lines(_gauges())) + "\n"
    return Response(text, content_type="text/plain; version=0.0.4; charset=utf-8")


@dataclass(frozen=True, slots=True)
class Well:
    """What the organiser should know of the server."""

    revision: str | None
    database: str
    backup_age: float | None
    backups: int
    free: int
    log: Walk
    refused: float
    slow: float
    writers_refused: int
    up: float

    @property
    def faults(self) -> set[str]:
        """The lines that need somebody."""
        lines = {
            "database": self.revision != newest_revision(),
            "backup": self.backup_age is None or self.backup_age > OLD_BACKUP,
            "room": self.free < LITTLE_ROOM,
            "log": self.log.broken_at is not None,
        }
        return {name for name, is_bad in lines.items() if is_bad}


@health.get("/well")
@signed_in
def well() -> str:
    """Is all well? For organisers."""
    account = current_account()
    if account is None or not account.may_create:
        abort(403)
    took = metrics.counted("took")
    state = Well(
        revision=revision(database()),
        database=database().version(),
        backup_age=newest_age(_backups()),
        backups=len(backups_in(_backups())),
        free=shutil.disk_usage(_backups().parent).free,
        log=walk(session()),
        refused=sum(metrics.counted("refused_work").values()),
        slow=sum(metrics.counted("requests").values()) - took.get("1.0", 0),
        writers_refused=database().writers_refused,
        up=time.time() - STARTED,
    )
    return render_template("frame/well.html", well=state, version=__version__)
