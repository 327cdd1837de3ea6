"""One database transaction per request. It begins when it is first needed and is committed before the answer
is sent.

An answer below 400 commits; any other rolls back. A write that must survive a refusal (a counted sign-in
attempt) uses its own `database().transaction()`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask, Response, current_app, g, request
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from judge.storage.database import Database

LOG = logging.getLogger("judge.database")
READS = ("GET", "HEAD", "OPTIONS")
DatabaseTrouble = SQLAlchemyError  # whatever goes wrong with the database


def database() -> Database:
    opened: Database = current_app.extensions["judge.database"]
    return opened


def session() -> Session:
    """The session of this request; read-only for GET requests."""
    if "session" not in g:
        g.session = database().session(writes=request.method not in READS)
        g.session.expire_on_commit = False  # pages use stored rows without reading them again
    current: Session = g.session
    return current


def store() -> None:
    """Commit before the answer is drawn, so that the next writer need not wait for it."""
    session().commit()


def roll_back() -> None:
    """Roll back everything this request has done so far."""
    if "session" in g:
        g.session.rollback()


@contextmanager
def looking_aside() -> Iterator[Session]:
    """A second session that only reads; while it is open, this request blocks no other writer."""
    session().commit()
    with database().session() as aside:
        yield aside


def init_transactions(app: Flask, opened: Database) -> None:
    app.extensions["judge.database"] = opened
    app.after_request(_finish)
    app.teardown_request(_leave)


def _finish(response: Response) -> Response:
    if "session" not in g:
        return response
    if response.status_code < 400:
        g.session.commit()
        return response
    try:
        g.session.rollback()
    except SQLAlchemyError:  # the answer is a refusal already, and nothing was stored
        LOG.warning("a connection to the database was lost")
    return response


def _leave(_error: BaseException | None) -> None:
    if "session" in g:
        try:
            g.pop("session").close()
        except SQLAlchemyError:  # the connection is gone, and with it whatever was not committed
            LOG.warning("a connection to the database was lost")
