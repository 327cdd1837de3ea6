"""One database transaction per request: begun when it is first needed, stored before the answer leaves.

An answer below 400 is stored; any other leaves no trace. A write that must survive a refusal (a counted
sign-in attempt) uses `database().transaction()` of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask, Response, current_app, g, request
from sqlmodel import Session

from judge.storage.database import Database

READS = ("GET", "HEAD", "OPTIONS")


def database() -> Database:
    found: Database = current_app.extensions["judge.database"]
    return found


def session() -> Session:
    """The session of this request; its transaction can write unless the request only reads."""
    if "session" not in g:
        g.session = database().session(writes=request.method not in READS)
        g.session.expire_on_commit = False  # what was stored may be drawn without being read again
    found: Session = g.session
    return found


def store() -> None:
    """Store what was done before the answer is drawn: whoever writes next need not wait for that."""
    session().commit()


def roll_back() -> None:
    """Take back what this request has done so far: the answer refuses it and shows how things stand."""
    session().rollback()


@contextmanager
def looking_aside() -> Iterator[Session]:
    """Another session that only reads. Until it is left, this request holds up no other writer."""
    session().commit()
    with database().session() as aside:
        yield aside


def init_transactions(app: Flask, opened: Database) -> None:
    app.extensions["judge.database"] = opened
    app.after_request(_finish)
    app.teardown_request(_leave)


def _finish(response: Response) -> Response:
    if "session" in g:
        g.session.commit() if response.status_code < 400 else g.session.rollback()
    return response


def _leave(_error: BaseException | None) -> None:
    if "session" in g:
        g.pop("session").close()
