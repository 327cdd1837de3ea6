"""What the organiser says to everybody, and the schedule with the end as it is expected."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, Response, render_template, request, url_for

from judge.services.event.announcements import LONGEST, announce, announcements_of, take_off
from judge.services.event.event_rows import read_rows
from judge.services.event.event_view import EventView
from judge.services.event.timetable import timetable
from judge.web.accounts.access import actor, needs
from judge.web.frame.links import redirect
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import session
from judge.web.log.undo_offer import done

announcements = Blueprint("announcements", __name__, url_prefix="/e/<slug>/desk/announcements")


@announcements.get("")
@needs("see-desk")
def index(event: EventView) -> str:
    return render_template(
        "event/announcements.html",
        event=event,
        announced=announcements_of(session(), event),
        longest=LONGEST,
        times=timetable(read_rows(session(), event), datetime.now(UTC)),
    )


@announcements.post("")
@needs("announce")
def make(event: EventView) -> Response:
    change = announce(session(), event, actor(), request.form.get("text", ""), datetime.now(UTC))
    done(event, change, gettext("Announced: every phone and screen shows it."))
    return redirect(url_for("announcements.index", slug=event.slug))


@announcements.post("/<int:number>/off")
@needs("announce")
def off(event: EventView, number: int) -> Response:
    change = take_off(session(), event, actor(), number)
    done(event, change, gettext("The announcement is taken off."))
    return redirect(url_for("announcements.index", slug=event.slug))
