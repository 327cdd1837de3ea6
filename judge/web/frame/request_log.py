"""Logs each request in one line: time, id, method, path, status, duration. Never bodies, queries or
cookies.
"""

from __future__ import annotations

import logging
import re
import time
import uuid
from typing import Any
from urllib.parse import quote

from flask import Flask, Response, g, request

from judge.web.frame.metrics import note_request

LOG = logging.getLogger("judge.request")
FORMAT = "%(asctime)s %(levelname)s %(message)s"
PRIVATE = re.compile(r"^(/(?:join|me|table|rule)/|/e/[^/]+/register/)[^/]+")  # the log must not contain keys
VALID_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


def init_log(app: Flask) -> None:
    app.before_request(_start)
    app.after_request(_write)
    app.log_exception = _log_exception  # type: ignore[method-assign, assignment]  # Flask's own writes the whole address


def configure_logging(level: str = "INFO") -> None:
    """Set up logging for programs that run the app (`judge serve`, wsgi.py)."""
    logging.basicConfig(format=FORMAT, datefmt="%Y-%m-%dT%H:%M:%S%z", level=level)
    for noisy in ("alembic", "waitress.queue"):  # a queue that is full for a second is normal
        logging.getLogger(noisy).setLevel("ERROR")


def request_id() -> str:
    """The proxy's id for this request if it sent a valid one, else our own."""
    if "request_id" not in g:
        proxy_id = request.headers.get("X-Request-ID", "")
        g.request_id = proxy_id if VALID_ID.fullmatch(proxy_id) else uuid.uuid4().hex[:12]
    current: str = g.request_id
    return current


def _start() -> None:
    g.started = time.perf_counter()


def _log_exception(fault: Any) -> None:
    LOG.error("%s %s %s failed", request_id(), request.method, shown_path(), exc_info=fault)


def shown_path() -> str:
    """The path without the secret of a private link."""
    path = quote(request.path, safe="/:@-._~")  # a line break in a path must not make a second line
    return PRIVATE.sub(r"\1…", path)


def _write(response: Response) -> Response:
    took = (time.perf_counter() - g.get("started", time.perf_counter())) * 1000
    note_request(response.status_code, took / 1000)
    LOG.info("%s %s %s %s %.0fms", request_id(), request.method, shown_path(), response.status_code, took)
    response.headers["X-Request-ID"] = request_id()
    return response
