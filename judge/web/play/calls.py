"""Pages of calls for a judge. Players call from their page or the table's code, without an account; a judge
claims a call from the queue and resolves it; the minutes it took are offered as the table's extension.
"""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, Response, flash, g, make_response, render_template, request, url_for

from judge.core.errors import Conflict, Refused
from judge.core.json_types import JsonObject
from judge.schemas.shape import whole
from judge.services.accounts.roles import may
from judge.services.event.event_view import EventView, MatchView
from judge.services.play import calls as service
from judge.services.play.reports import SEATS, display_names_of, match_to_report
from judge.services.play.results import get_match, names_of, read_match
from judge.web.accounts.access import actor, needs
from judge.web.frame.errors import status_of
from judge.web.frame.forms import stripped
from judge.web.frame.limits import within_limits
from judge.web.frame.links import redirect
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import roll_back, session
from judge.web.log.undo_offer import back_to, done, spoken
from judge.web.public.private_links import match_of, player_of

calls = Blueprint("calls", __name__)


# -- at the table -------------------------------------------------------------------------------------------


@calls.route("/me/<token>/call", methods=["GET", "POST"])
def mine(token: str) -> Response | str:
    event, player = player_of(token)
    match = match_to_report(session(), player)
    back = f"/me/{token}"
    if match is None or match.b_id is None:
        return render_template("play/call_none.html", event=event, back=back)
    return _page(event, match, f"/me/{token}/call", back, player.name)


@calls.route("/table/<token>/call", methods=["GET", "POST"])
def table(token: str) -> Response | str:
    event, match = match_of(token)
    side = request.values.get("side", "")
    caller = dict(zip(SEATS, names_of(session(), match), strict=False)).get(side, "")
    here = f"/table/{token}/call" + (f"?side={side}" if caller else "")
    return _page(event, match, here, f"/table/{token}", caller)


def _page(event: EventView, match: MatchView, here: str, back: str, caller: str) -> Response | str:
    if request.method == "POST":
        within_limits("call", back)
        return _called(event, match, here, caller)
    call = service.read_table_call(session(), match.id, datetime.now(UTC))
    if "part" in request.args:
        return render_template("play/parts/_call_judge.html", event=event, call=call, address=here)
    _, round_ = read_match(session(), event, match.id)
    names = display_names_of(session(), match.seats)
    return render_template(
        "play/call.html",
        event=event,
        match=match,
        round=round_,
        names=names,
        call=call,
        address=here,
        back=back,
    )


def _called(event: EventView, match: MatchView, here: str, caller: str) -> Response:
    now = datetime.now(UTC)
    try:
        if request.form.get("what") == "withdraw":
            service.withdraw(session(), event, match.id, caller, now)
        else:
            note = stripped(request.form.get("note", "")) or ""
            service.call_judge(session(), event, match.id, caller, note, now)
    except Refused as refused:
        roll_back()
        flash(" ".join(map(spoken, refused.reasons)), "warn")
    return redirect(here)


# -- at the desk --------------------------------------------------------------------------------------------


@calls.get("/e/<slug>/desk/calls")
@needs("see-desk")
def queue(event: EventView) -> str:
    return render_template("play/calls.html", **_queue(event))


@calls.get("/e/<slug>/desk/calls/list")
@needs("see-desk")
def listed(event: EventView) -> str:
    """The queue without its page; browsers ask for it every few seconds."""
    return render_template("play/parts/_calls.html", **_queue(event))


@calls.get("/e/<slug>/desk/calls/count")
@needs("see-desk")
def count(event: EventView) -> str:
    """The number on the tab."""
    return render_template("play/parts/_count.html", count=service.count_waiting(session(), event))


@calls.get("/e/<slug>/desk/calls/banner")
@needs("answer-call")
def banner(event: EventView) -> str:
    """The calls that wait for this judge; every page of the desk asks for them every few seconds."""
    is_head = may(g.role, "decide-appeal")
    waiting = service.calls_for(session(), event, datetime.now(UTC), is_head=is_head)
    return render_template("play/parts/_calls_banner.html", event=event, calls=waiting)


@calls.post("/e/<slug>/desk/matches/<int:match_id>/call")
@needs("enter-result")
def call_from_desk(event: EventView, match_id: int) -> Response:
    """Call a judge to a table from the desk."""
    get_match(session(), event, match_id)
    who, note = actor().name, (request.form.get("note", "")).strip()[:300]
    change = service.call_judge(session(), event, match_id, who, note, datetime.now(UTC))
    done(event, change, gettext("A judge is called."))
    return redirect(back_to(url_for("desk.dashboard", slug=event.slug)))


@calls.post("/e/<slug>/desk/calls/<int:call_id>/pass-on")
@needs("answer-call")
def pass_on(event: EventView, call_id: int) -> Response:
    """Ask the head judge to come."""
    change = service.pass_on(session(), event, actor(), call_id)
    done(event, change, gettext("The head judge is called."))
    return _to_queue(event)


def _queue(event: EventView, fault: str = "") -> JsonObject:
    waiting, resolved = service.read_calls(session(), event, datetime.now(UTC))
    return {"event": event, "waiting": waiting, "resolved": resolved, "fault": fault}


@calls.post("/e/<slug>/desk/calls/<int:call_id>/claim")
@needs("answer-call")
def claim(event: EventView, call_id: int) -> Response:
    try:
        service.claim(session(), event, actor(), call_id, datetime.now(UTC))
    except Conflict as conflict:
        return _refused(event, conflict)
    return _to_queue(event)


@calls.post("/e/<slug>/desk/calls/<int:call_id>/release")
@needs("answer-call")
def release(event: EventView, call_id: int) -> Response:
    try:
        service.release(session(), event, actor(), call_id)
    except Conflict as conflict:
        return _refused(event, conflict)
    return _to_queue(event)


@calls.post("/e/<slug>/desk/calls/<int:call_id>/resolve")
@needs("answer-call")
def resolve(event: EventView, call_id: int) -> Response:
    """Resolve a call; `minutes` is the table's total extension, if it gets one."""
    minutes = request.form.get("minutes", type=whole)
    try:
        change = service.resolve(session(), event, actor(), call_id, datetime.now(UTC), minutes)
    except Refused as refused:
        return _refused(event, refused)
    if minutes is not None:
        done(event, change, gettext("Resolved. The table has %(n)d extra minutes in all.", n=minutes))
    else:
        done(event, change, gettext("The call is resolved."))
    return _to_queue(event)


@calls.post("/e/<slug>/desk/calls/<int:call_id>/extend")
@needs("extend-time")
def extend(event: EventView, call_id: int) -> Response:
    """Give a table its extension after the call was resolved without one."""
    minutes = request.form.get("minutes", 0, type=whole)
    try:
        change = service.extend_after(session(), event, actor(), call_id, minutes)
    except Refused as refused:
        return _refused(event, refused)
    done(event, change, gettext("The table has %(n)d extra minutes in all.", n=minutes))
    return _to_queue(event)


def _refused(event: EventView, refused: Refused) -> Response:
    """The current queue with the reason for the refusal."""
    roll_back()
    fault = " ".join(map(spoken, refused.reasons))
    page = render_template("play/calls.html", **_queue(event, fault))
    return make_response(page, status_of(refused))


def _to_queue(event: EventView) -> Response:
    return redirect(url_for("calls.queue", slug=event.slug))
