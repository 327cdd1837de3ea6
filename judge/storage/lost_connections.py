"""Finds connections that PostgreSQL has closed before they are used, so that a restarted server causes
no error page.

SQLAlchemy can ask the server before each use, but five hundred phones ask for little else. A server that ends
a connection says so, and nobody else writes on it while it waits: only one with something to read, or one not
used for long, is asked whether it still works.
"""

from __future__ import annotations

import select
import time
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.exc import InvalidatePoolError

LONG_UNUSED = 30.0  # seconds; a network may drop a connection without a word


def refuse_lost_connections(engine: Engine) -> None:
    """Replace connections that no longer work when they are taken from the pool."""

    def check(connection: Any, record: Any, _proxy: Any) -> None:
        since = record.info.get("used_at")
        if since is None:  # a new one
            return
        is_doubtful = time.monotonic() - since > LONG_UNUSED or has_news(connection.fileno())
        if is_doubtful and not engine.dialect._do_ping_w_event(connection):
            raise InvalidatePoolError

    def note_use(_connection: Any, record: Any) -> None:
        record.info["used_at"] = time.monotonic()

    event.listen(engine, "checkout", check)
    event.listen(engine, "checkin", note_use)


def has_news(socket: int) -> bool:
    """Whether the other side has sent something or closed the connection."""
    if not hasattr(select, "poll"):  # Windows, where `select` takes any number of a socket
        return bool(select.select([socket], [], [], 0)[0])
    poll = select.poll()
    poll.register(socket, select.POLLIN)
    return bool(poll.poll(0))
