"""The dashboard of an event's desk: how things stand, and the one next step."""

from __future__ import annotations

from flask import Blueprint, render_template

from judge.storage.events import Event
from judge.web.access import needs

desk = Blueprint("desk", __name__)


@desk.get("/e/<slug>/desk")
@needs("see-desk")
def dashboard(event: Event) -> str:
    return render_template("desk/dashboard.html", event=event)
