"""One log line a request: when, its id, method, path, status, time. Never bodies, queries or cookies."""

from __future__ import annotations

import logging
import re
import time
import uuid
from urllib.parse import quote

from flask import Flask, Response, g, request

LOG = logging.getLogger("judge.request")
FORMAT = "%(asctime)s %(levelname)s %(message)s"
PRIVATE = re.compile(r"^(/(?:join|me|table)/|/e/[^/]+/register/)[^/]+")  # whoever reads the log gets no keys
GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


def init_log(app: Flask) -> None:
    app.before_request(_start)
    app.after_request(_write)


def configure_logging(level: str = "INFO") -> None:
    """For programs that run the app (`judge serve`, wsgi.py); libraries and tests set up their own."""
    logging.basicConfig(format=FORMAT, datefmt="%Y-%m-%dT%H:%M:%S%z", level=level)
    for noisy in ("alembic", "waitress.queue"):  # a full queue of a second is no news
        logging.getLogger(noisy).setLevel("ERROR")


def request_id() -> str:
    """The proxy's id for this request if it sent a sound one, else ours."""
    if "request_id" not in g:
        given = request.headers.get("X-Request-ID", "")
        g.request_id = given if GIVEN_ID.fullmatch(given) else uuid.uuid4().hex[:12]
    found: str = g.request_id
    return found


def _start() -> None:
    g.started = time.perf_counter()


def _write(response: Response) -> Response:
    took = (time.perf_counter() - g.get("started", time.perf_counter())) * 1000
    path = quote(request.path, safe="/:@-._~")  # a line break in a path must not make a second line
    path = PRIVATE.sub(r"\1…", path)
    LOG.info("%s %s %s %s %.0fms", request_id(), request.method, path, response.status_code, took)
    response.headers["X-Request-ID"] = request_id()
    return response
