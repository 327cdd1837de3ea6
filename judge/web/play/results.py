"""Pages of results at the desk: the entry line, one tap on a list, the page of a match, corrections."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

from flask import Blueprint, Response, abort, g, make_response, render_template, request, url_for

from judge.core.errors import Conflict, Refused
from judge.core.json_types import JsonObject
from judge.core.messages import Message
from judge.services.accounts.roles import may
from judge.services.event.event_view import EventView
from judge.services.event.stage_format import best_of, has_games, pod_counts
from judge.services.play import results as service
from judge.services.play.corrections import consequences
from judge.services.play.entry_line import Line, PodLine, pod_outcome, read_line, read_pod_line, turned
from judge.services.play.match_page import match_page
from judge.services.play.missing_health import counts_health, health_missing
from judge.services.play.outcomes import PLAYED, Outcome, describe
from judge.services.play.running_tables import (
    Table,
    find_table,
    is_on_side_b,
    newest_round,
    newest_stage,
    open_tables,
    tables_now,
    tables_numbered,
)
from judge.storage.reader import reading
from judge.web.accounts.access import actor, needs
from judge.web.frame.errors import refuse
from judge.web.frame.links import redirect
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import database, roll_back, session, store
from judge.web.log.undo_offer import back_to, done, number_from_form, spoken
from judge.web.play.outcome_form import ask_if_sure, is_sure, read_outcome
from judge.web.public.page_cache import draw_each

results = Blueprint("results", __name__)


# -- the keyboard -------------------------------------------------------------------------------------------


@results.get("/e/<slug>/desk/results")
@needs("enter-result")
def entry(event: EventView) -> str:
    return render_template(
        "play/results.html", **_line_variables(event, says=request.args.get("said", "")), **_open(event)
    )


@results.get("/e/<slug>/desk/results/missing")
@needs("enter-result")
def missing(event: EventView) -> str:
    """The list of tables without a result; browsers ask for it after every entry and every few seconds."""
    return render_template("play/parts/_missing.html", event=event, **_open(event))


@results.post("/e/<slug>/desk/results")
@needs("enter-result")
def enter_line(event: EventView) -> Response:
    typed = request.form.get("line", "")
    try:
        obeyed = _obey(event, typed)
    except Refused as refused:
        return _line_refused(event, typed, refused)
    return _answer(event, _line_variables(event, obeyed.entry, says=obeyed.says, help=obeyed.wants_help))


class Obeyed(NamedTuple):
    """What a typed line did. entry: the log entry of the result it entered."""

    says: str
    wants_help: bool = False
    entry: int | None = None


def _obey(event: EventView, typed: str) -> Obeyed:
    """Carry out the typed line."""
    counts = _counts(event)
    line = read_pod_line(typed) if counts else read_line(typed, _best_of(event))
    if line is None or line == "help":
        return Obeyed("", wants_help=True)
    if line == "undo":
        return Obeyed(spoken(_take_back(event)))
    table = find_table(_candidates(event, line), line.table, line.name)
    outcome = pod_outcome(line.values, counts or "") if isinstance(line, PodLine) else line.outcome
    if isinstance(line, Line) and line.is_own and is_on_side_b(table, line.name):
        outcome = turned(outcome)
    entered = service.enter(session(), event, actor(), table.id, outcome, is_sure=line.is_sure)
    says = f"{table.number}: {spoken(entered.result)}"
    if (
        outcome.health is None
        and outcome.how is None
        and outcome.result in PLAYED
        and counts_health(event, table.stage)
    ):
        says += " " + gettext("Health breaks ties here: add it as “%(line)s”.", line=f"{table.number} 22 0")
    return Obeyed(says, entry=entered.entry if entered.what == "result.entered" else None)


def _take_back(event: EventView) -> Message:
    """Undo the entry that the form names: sent twice it is the same one."""
    return service.take_back_last(session(), event, actor(), number_from_form("entry") or None).result


def _counts(event: EventView) -> str | None:
    """What is recorded at a pod, scores or places; None in other formats."""
    return pod_counts(event, newest_stage(session(), event)) if pod_counts(event, 1) else None


def _best_of(event: EventView) -> int:
    """How many games a match of the stage being played has."""
    return best_of(event, newest_stage(session(), event)) if has_games(event) else 1


def _candidates(event: EventView, line: Line | PodLine) -> list[Table]:
    """The tables with the typed number; for a name all tables."""
    now = datetime.now(UTC)
    if line.table is not None:
        return tables_numbered(session(), event, line.table, now)
    return tables_now(session(), event, now)


def _line_refused(event: EventView, typed: str, refused: Refused) -> Response:
    roll_back()
    doubtful = isinstance(refused, service.Doubtful)
    fault = " ".join(map(spoken, refused.reasons))
    if doubtful:
        fault += " " + gettext("If it is meant, press Enter once more (the ! says so).")
    confirmed = f"{typed.rstrip(' !')} !" if doubtful else typed
    status = 409 if isinstance(refused, Conflict) else 422
    return _answer(event, _line_variables(event, fault=fault, typed=confirmed), status)


def _answer(event: EventView, variables: JsonObject, status: int = 200) -> Response:
    """The answer to an entered line. The list of missing tables can be long, so the browser asks for it
    later."""
    if not request.headers.get("HX-Request"):
        return make_response(render_template("play/results.html", **variables, **_open(event)), status)
    return make_response(render_template("play/parts/_entry.html", **variables), status)


def _line_variables(event: EventView, entered: int | None = None, **more: Any) -> JsonObject:
    """The template variables of the entry line. The change is stored first, so that drawing delays nobody.
    entered: the log entry of the result just entered, which is the last."""
    last = entered or service.last_entered(session(), event, actor().account_id)
    counts = _counts(event)
    store()
    empty = {"says": "", "fault": "", "typed": "", "help": False}
    return {"event": event, "last": last, "counts": counts, **empty, **more}


def _open(event: EventView) -> JsonObject:
    """The tables without a result."""
    with reading(database().engine) as reader:
        tables = open_tables(reader, event, datetime.now(UTC))
        newest = newest_round(reader, event)
        lacking = health_missing(reader, event)
    page = url_for("results.match", slug=event.slug, match_id=0)[:-1]
    lines = draw_each("play/parts/_missing_line.html", "line", (_missing(t, page, newest) for t in tables))
    return {"newest": newest, "count": len(tables), "lines": lines, "lacking": lacking}


class Missing(NamedTuple):
    """A line in the list of tables without a result."""

    page: str
    number: int | None
    players: tuple[str, str | None]
    round: int | None  # if it is an earlier one
    is_disputed: bool
    is_late: bool
    is_reported: bool
    minutes: int


def _missing(t: Table, page: str, newest: int | None) -> Missing:
    minutes = (t.overdue_s or 0) // 60 if t.is_late else 0
    earlier = t.round if t.round != newest else None
    return Missing(
        f"{page}{t.id}", t.number, (t.a, t.b), earlier, t.is_disputed, t.is_late, t.is_reported, minutes
    )


@results.post("/e/<slug>/desk/results/undo")
@needs("enter-result")
def undo_last(event: EventView) -> Response:
    says = spoken(_take_back(event))
    return redirect(url_for("results.entry", slug=event.slug, said=says))


# -- one match ----------------------------------------------------------------------------------------------


@results.get("/e/<slug>/desk/matches/<int:match_id>")
@needs("see-desk")
def match(event: EventView, match_id: int) -> str:
    page = match_page(session(), event, match_id, language())
    if page is None:
        abort(404)
    return render_template("play/match.html", event=event, page=page)


@results.post("/e/<slug>/desk/matches/<int:match_id>/result")
@needs("enter-result")
def enter(event: EventView, match_id: int) -> Response | str:
    try:
        entered = service.enter(session(), event, actor(), match_id, read_outcome(), is_sure=is_sure())
    except service.Doubtful as doubtful:
        action = url_for("results.enter", slug=event.slug, match_id=match_id)
        return ask_if_sure(doubtful, action, back_to(url_for("desk.dashboard", slug=event.slug)))
    done(event, entered, spoken(entered.result))
    return redirect(back_to(url_for("desk.dashboard", slug=event.slug)))


def _check_may_correct(event: EventView, match_id: int) -> None:
    """Whoever enters results corrects those of the newest round; earlier ones are a judge's."""
    if not may(g.role, "correct-result") and not service.is_of_newest_round(session(), event, match_id):
        refuse(403, gettext("The round is over: a judge corrects its results. Call one."))


@results.get("/e/<slug>/desk/matches/<int:match_id>/correct")
@needs("enter-result")
def correct_form(event: EventView, match_id: int) -> str:
    _check_may_correct(event, match_id)
    page = match_page(session(), event, match_id, language())
    if page is None or page.b is None:
        abort(404)
    return render_template("play/correct.html", event=event, page=page, consequences=None)


@results.post("/e/<slug>/desk/matches/<int:match_id>/correct")
@needs("enter-result")
def correct(event: EventView, match_id: int) -> Response | str:
    """Show the consequences of a correction, then apply it."""
    _check_may_correct(event, match_id)
    is_again = request.form.get("result") == "none" or request.form.get("again")
    outcome = None if is_again else read_outcome()
    if request.form.get("step") != "apply":
        return _show_consequences(event, match_id, outcome)
    try:
        corrected = service.correct(
            session(), event, actor(), match_id, number_from_form("version"), outcome,
            request.form.get("why", ""), is_sure=is_sure(),
        )  # fmt: skip
    except service.Doubtful as doubtful:
        return ask_if_sure(doubtful, request.path, request.path)
    says = spoken(corrected.result)
    text = gettext("Corrected: %(result)s. Later rounds stay as they were played.", result=says)
    done(event, corrected, text)
    return redirect(url_for("results.match", slug=event.slug, match_id=match_id))


def _show_consequences(event: EventView, match_id: int, outcome: Outcome | None) -> str:
    page = match_page(session(), event, match_id, language())
    if page is None or page.b is None:
        abort(404)
    if page.version != number_from_form("version"):
        current = Message("outcome_none") if page.outcome is None else page.describes
        raise Conflict(Message("result_changed_meanwhile", table=page.number or 0, now=current))
    if not request.form.get("why", "").strip():
        raise Refused(Message("correction_needs_reason"))
    if outcome is not None:
        service.check_outcome(event, page.stage, outcome, True, len(page.names))
    return render_template(
        "play/correct.html",
        event=event,
        page=page,
        new=spoken(describe(page.names, outcome, page.rules.counts)),
        kept={k: v for k, v in request.form.items() if k not in ("csrf_token", "step")},
        consequences=consequences(session(), event, match_id, outcome),
    )
