"""Backups by themselves: after every published round and every few minutes in which something changed.

A thread of the server looks now and then. Of several processes one does the work, the one that holds the lock
file. The newest `KEPT` stay, and of earlier days one each; a second folder, if set, gets a copy.
"""

from __future__ import annotations

import logging
import os
import shutil
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event as Signal
from threading import Thread
from typing import Any

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from judge.storage.backup import BackupError, write_backup
from judge.storage.database import Database

LOG = logging.getLogger("judge.backup")
LABEL = "auto"
KEPT, KEPT_DAYS = 24, 14
LOOK_SECONDS = 15.0
CHANGES = text(
    "SELECT COALESCE(MAX(id), 0), COALESCE(MAX(CASE WHEN what = 'round.published' THEN id END), 0) FROM audit"
)


def backups_in(folder: Path) -> list[Path]:
    """The backups that were made by themselves, newest first."""
    return sorted(folder.glob(f"judge-*-{LABEL}.judge.gz"), reverse=True)


def newest_age(folder: Path, now: float | None = None) -> float | None:
    """Seconds since the newest backup of any kind; None if there is none."""
    times = [file.stat().st_mtime for file in folder.glob("*.judge.gz")]
    return (now or time.time()) - max(times) if times else None


def rotate(folder: Path, now: datetime) -> None:
    """Remove what is no longer needed: all but the newest, and of earlier days the last one each."""
    files, days = backups_in(folder), set()
    for file in files[KEPT:]:
        day = file.name.split("-")[1]
        is_recent = day >= f"{now - timedelta(days=KEPT_DAYS):%Y%m%d}"
        if not is_recent or day in days:
            file.unlink(missing_ok=True)
        days.add(day)


@dataclass(slots=True)
class Keeper:
    """Looks whether a backup is due and writes it."""

    database: Database
    folder: Path
    minutes: float
    second: Path | None = None
    last: tuple[int, int] = (0, 0)
    written_at: float = 0.0

    def look(self, now: float) -> Path | None:
        """Write a backup if one is due."""
        with self.database.engine.connect() as connection:
            entry, round_ = connection.execute(CHANGES).one()
        has_round = round_ > self.last[1]
        is_due = entry > self.last[0] and now - self.written_at >= self.minutes * 60
        if not (has_round or is_due):
            return None
        path = write_backup(self.database, self.folder, LABEL)
        self.last, self.written_at = (entry, round_), now
        rotate(self.folder, datetime.now(UTC))
        if self.second:
            self._copy(path, self.second)
        LOG.info("backup written: %s", path)
        return path

    def _copy(self, path: Path, second: Path) -> None:
        try:
            second.mkdir(parents=True, exist_ok=True)
            draft = second / f"{path.name}.part"
            shutil.copy2(path, draft)
            draft.replace(second / path.name)
            rotate(second, datetime.now(UTC))
        except OSError as error:
            LOG.error("no copy of the backup in %s: %s", second, error)

    def run(self, stopped: Signal) -> None:
        """Look again and again until the server stops; a failure is logged and tried again."""
        lock: Any = None
        while not stopped.wait(LOOK_SECONDS):
            try:
                lock = lock or _locked(self.folder / ".keeper")
                if lock:
                    self.look(time.monotonic())
            except (SQLAlchemyError, BackupError, OSError, ValueError) as error:
                LOG.error("no backup was written: %s", getattr(error, "orig", None) or error)
                self.written_at = time.monotonic()  # not at once again


def _locked(path: Path) -> Any:
    """The lock file, open and ours; None while another process has it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = open(path, "w")  # noqa: SIM115 - it is held as long as the process lives
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # Windows has one process
        pass
    except OSError:
        file.close()
        return None
    file.write(str(os.getpid()))
    file.flush()
    return file


def keep_backups(database: Database, folder: Path, minutes: float, second: Path | None = None) -> Signal:
    """Start the thread; setting the returned signal stops it."""
    stopped = Signal()
    if minutes > 0:
        keeper = Keeper(database, folder, minutes, second)
        Thread(target=keeper.run, args=(stopped,), name="backups", daemon=True).start()
    return stopped
