"""The dashboard of an event's desk: the state of the event, and the next step."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, render_template

from judge.services.event.event_view import EventView
from judge.services.play.dashboard import overview
from judge.services.play.outcomes import house_rules
from judge.web.accounts.access import needs
from judge.web.frame.forms import say
from judge.web.frame.preferences import language
from judge.web.frame.transaction import session

desk = Blueprint("desk", __name__)


@desk.get("/e/<slug>/desk")
@needs("see-desk")
def dashboard(event: EventView) -> str:
    return render_template("play/dashboard.html", **_variables(event))


@desk.get("/e/<slug>/desk/now")
@needs("see-desk")
def now(event: EventView) -> str:
    """The part of the dashboard that changes during play; browsers ask for it every few seconds."""
    return render_template("play/parts/_now.html", **_variables(event))


def _variables(event: EventView) -> dict[str, object]:
    desk = overview(session(), event, datetime.now(UTC), language())
    return {"event": event, "desk": desk, "rules": house_rules(event, desk.stage), "say": say}
