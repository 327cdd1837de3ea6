"""Pages of the clock at the desk: start, pause, more or less time, extra time for one table, and the end of a
game when time is called.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response, abort, render_template, request, url_for

from judge.core.errors import InputError
from judge.core.json_types import JsonObject
from judge.core.messages import Message
from judge.schemas.shape import whole
from judge.services.event.event_view import EventView, MatchView, RoundView
from judge.services.event.tournament_files import phrasebook
from judge.services.log.changes import Change
from judge.services.play import clock as service
from judge.services.play.results import get_match, names_of, read_match
from judge.services.play.running_tables import tables_now
from judge.services.play.selection import SIDES
from judge.tournament.end_of_time import EndOfTime
from judge.tournament.model import Side
from judge.web.accounts.access import actor, needs
from judge.web.frame.links import redirect
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import session
from judge.web.log.undo_offer import back_to, done

clock = Blueprint("clock", __name__)


@clock.get("/e/<slug>/desk/clock")
@needs("run-clock")
def desk(event: EventView) -> str:
    now = datetime.now(UTC)
    clock = service.read_clock(session(), event, now)
    tables = [t for t in tables_now(session(), event, now) if t.is_missing] if clock.round else []
    return render_template(
        "play/clock.html",
        event=event,
        round=clock.round,
        face=clock.face,
        moment=clock.moment,
        timer=clock.timer,
        tables=tables,
        now=now,
        is_paused_together=service.is_paused_together(session(), event),
    )


@clock.post("/e/<slug>/desk/clock")
@needs("run-clock")
def change(event: EventView) -> Response:
    round_ = service.get_round_to_time(session(), event, request.form.get("version", 0, type=whole))
    act = ACTS.get(request.form.get("do", ""))
    if act is None:
        abort(400)
    act(session(), event, round_, actor(), datetime.now(UTC))
    return redirect(url_for("clock.desk", slug=event.slug))


@clock.post("/e/<slug>/desk/clock/all")
@needs("run-clock")
def change_all(event: EventView) -> Response:
    """Pause every clock at once, or let those go on."""
    acts = {"pause": service.pause_all, "resume": service.resume_all}
    act = acts.get(request.form.get("do", ""))
    if act is None:
        abort(400)
    changed = act(session(), event, actor(), datetime.now(UTC))
    is_pause = act is service.pause_all
    done(event, changed, gettext("All clocks stand still.") if is_pause else gettext("The clocks go on."))
    return redirect(back_to(url_for("clock.desk", slug=event.slug)))


def _add(*args: Any) -> Change[None]:
    minutes = request.form.get("minutes", type=whole)
    if minutes is None or not -240 <= minutes <= 240:
        abort(400)
    return service.add(*args, minutes=minutes)


ACTS: dict[str, Callable[..., Change[None]]] = {
    "start": service.start,
    "start-round": lambda *args: service.start(*args, setup=False),
    "begin": service.begin_round,
    "pause": service.pause,
    "resume": service.resume,
    "add": _add,
    "close": service.close,
    "reset": lambda session, event, round_, who, now: service.reset(session, event, round_, who),
}


@clock.post("/e/<slug>/desk/clock/tables/<int:match_id>")
@needs("extend-time")
def extend(event: EventView, match_id: int) -> Response:
    match, _ = get_match(session(), event, match_id)
    minutes = request.form.get("minutes", type=whole)
    if minutes is None:
        abort(400)
    service.extend(session(), event, match, actor(), minutes, request.form.get("why", "").strip()[:200])
    return redirect(url_for("clock.desk", slug=event.slug))


@clock.get("/e/<slug>/desk/clock/tables/<int:match_id>")
@needs("run-clock")
def time_called(event: EventView, match_id: int) -> str:
    """The equal-turns assistant: works out the end of a game without changing anything."""
    match, round_ = read_match(session(), event, match_id)
    if match.b_id is None or match.more:
        abort(404)
    names = dict(zip("ab", names_of(session(), match), strict=True))
    entered = _entered(match)
    end, says, fault = _answer(event, round_, entered, names)
    return render_template(
        "play/time_called.html",
        event=event,
        match=match,
        round=round_,
        names=names,
        asked=entered.as_values(),
        end=end,
        says=says,
        fault=fault,
        extends=match.extension_s // 60,
    )


@dataclass(frozen=True, slots=True)
class Entered:
    """The values of the form; None for what is not entered yet."""

    turns_a: int | None
    turns_b: int | None
    health_a: int | None
    health_b: int | None
    started: Side | None

    def as_values(self) -> JsonObject:
        return asdict(self)


def _entered(match: MatchView) -> Entered:
    """The values of the form; the selection knows who started if heroes were picked here."""
    args = request.args
    started = args.get("started") or match.selection.get("first")
    return Entered(
        args.get("turns_a", type=whole),
        args.get("turns_b", type=whole),
        args.get("health_a", type=whole),
        args.get("health_b", type=whole),
        next((side for side in SIDES if side == started), None),
    )


def _answer(
    event: EventView, round_: RoundView, entered: Entered, names: dict[str, str]
) -> tuple[EndOfTime | None, str, str]:
    turns, health = _both(entered.turns_a, entered.turns_b), _both(entered.health_a, entered.health_b)
    if turns is None or health is None or entered.started is None:
        missing = gettext("Fill in who started, the turns and the health of both.") if request.args else ""
        return None, "", missing
    book = phrasebook(language())
    try:
        end = service.time_called(event, round_.stage, entered.started, turns, health)
    except InputError as error:
        return None, "", " ".join(book.say(_named(p.message, names)) for p in error.problems)
    return end, book.say(_named(end.says, names)), ""


def _both(a: int | None, b: int | None) -> tuple[int, int] | None:
    return None if a is None or b is None else (a, b)


def _named(message: Message, names: dict[str, str]) -> Message:
    """The message with the players' names in place of the engine's a and b."""
    params = {k: names.get(v, v) if isinstance(v, str) else v for k, v in message.params.items()}
    return Message(message.key, **params)
