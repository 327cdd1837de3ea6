"""The page of an event's log, with filters and undo."""

from __future__ import annotations

from flask import Blueprint, Response, flash, g, render_template, request, url_for

from judge.schemas.shape import whole
from judge.services.event.event_view import EventView
from judge.services.log.entries import read_log
from judge.services.log.search import Filters
from judge.services.log.undo import take_back as undo_entry
from judge.web.accounts.access import actor, needs
from judge.web.frame.links import redirect
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import session

log = Blueprint("log", __name__)


@log.get("/e/<slug>/desk/log")
@needs("see-log")
def index(event: EventView) -> str:
    args = request.args
    filters = Filters(
        who=args.get("who", ""),
        kind=args.get("kind", ""),
        text=args.get("text", "").strip(),
        subject=args.get("subject", ""),
        before=args.get("before", 0, type=whole),
    )
    return render_template(
        "log/log.html", event=event, wanted=filters, page=read_log(session(), event, filters, language())
    )


@log.post("/e/<slug>/desk/log/<int:entry>/undo")
@needs("undo")
def take_back(event: EventView, entry: int) -> Response:
    undo_entry(session(), event, actor(), g.role, entry)
    flash(gettext("Taken back."), "good")
    return redirect(request.referrer or url_for("log.index", slug=event.slug))
