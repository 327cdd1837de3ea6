"""Work for visitors without an account has a budget, so that the threads stay free for the hall.

Rulings, pairings and papers from a file take the longest of all requests. For people without an account at
most `AT_ONCE` of them run at the same time and `WAITING` wait for a moment; everybody else is told at once
to come back (503 with Retry-After). What takes longer than its seconds of computing is refused as too much
(422). The body has been read by then, so a slow sender holds no place.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import BoundedSemaphore

from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import ServiceUnavailable

from judge.config import Settings
from judge.core.budget import Budget, TooMuchWork, limited
from judge.web.accounts.access import current_account
from judge.web.frame.errors import answer
from judge.web.frame.metrics import count
from judge.web.frame.texts import gettext

AT_ONCE, WAITING = 2, 3  # of the eight threads of `judge serve`, three always stay free
WAIT_SECONDS = 0.4
HEAVY = ("api", "rule", "kept", "game")  # blueprints whose requests compute
READS_FAST = ("api.rules", "api.one_rule", "api.heroes", "api.one_hero", "api.openapi", "api.manual")


class Gate:
    """Lets a few in at once, a few more wait a moment, and turns everybody else away."""

    def __init__(self, at_once: int = AT_ONCE, waiting: int = WAITING, seconds: float = WAIT_SECONDS) -> None:
        self.seconds = seconds
        self._inside, self._line = BoundedSemaphore(at_once), BoundedSemaphore(at_once + waiting)

    def enter(self) -> bool:
        if not self._line.acquire(blocking=False):
            return False
        if self._inside.acquire(timeout=self.seconds):
            return True
        self._line.release()
        return False

    def leave(self) -> None:
        self._inside.release()
        self._line.release()


def init_work(app: Flask, settings: Settings) -> None:
    app.extensions["judge.gate"] = Gate()
    app.config["JUDGE_WORK_SECONDS"] = settings.work_seconds
    app.before_request(_enter)
    app.teardown_request(_leave)
    app.register_error_handler(TooMuchWork, _too_much)


def is_heavy() -> bool:
    if request.endpoint in READS_FAST:
        return False
    return request.blueprint in HEAVY or request.path.endswith(".pdf") or request.path.startswith("/tools/")


def _is_anonymous() -> bool:
    return request.blueprint == "api" or current_account() is None


def _enter() -> None:
    # A page shown inside an answer has been let in with it.
    if "leave_gate" in g or not is_heavy() or not _is_anonymous():
        return
    if request.blueprint == "api":
        request.get_data()
    gate: Gate = current_app.extensions["judge.gate"]
    if not gate.enter():
        count("refused_work", "busy")
        error = ServiceUnavailable(retry_after=1)
        error.shown = gettext(  # type: ignore[attr-defined]  # ours, on an exception of Werkzeug
            "Many are asking for rulings and pairings just now, and the hall goes first. "
            "Nothing is lost; try again in a moment."
        )
        raise error
    g.leave_gate = gate.leave
    block = limited(Budget(current_app.config["JUDGE_WORK_SECONDS"], time.thread_time))
    block.__enter__()
    g.end_budget = lambda: block.__exit__(None, None, None)


def _leave(_error: BaseException | None) -> None:
    for name in ("end_budget", "leave_gate"):
        leave: Callable[[], None] | None = g.pop(name, None)
        if leave is not None:
            leave()


def _too_much(_error: TooMuchWork) -> Response:
    count("refused_work", "too_much")
    return answer(
        422,
        gettext(
            "This takes longer than the server works for somebody without an account. "
            "Send a smaller file, or run the judge command on your own computer."
        ),
    )
