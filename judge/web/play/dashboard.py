"""The dashboard of an event's desk: the state of the event, and the next step."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import groupby

from flask import Blueprint, render_template, url_for

from judge.services.event.event_view import EventView
from judge.services.play.dashboard import overview
from judge.services.play.outcomes import house_rules
from judge.services.public.read_models import find_stamp
from judge.services.public.standings import read_scores, standing_lines, tiebreaker_names
from judge.storage.reader import reading
from judge.web.accounts.access import needs
from judge.web.frame.forms import say
from judge.web.frame.preferences import language
from judge.web.frame.transaction import database, session
from judge.web.public.page_cache import draw_each

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


@desk.get("/e/<slug>/desk/standings")
@needs("see-desk")
def standings(event: EventView) -> str:
    """The public standings inside the desk."""
    with reading(database().engine) as reader:
        stamp = find_stamp(reader, event.slug)
        assert stamp is not None, "found a moment ago"
        scores = read_scores(reader, stamp)
    lines, at = standing_lines(scores, language()), url_for("public.overview", slug=event.slug)
    tables = [
        (group, draw_each("public/_standings.html", "line", ((at, line) for line in of_group)))
        for group, of_group in groupby(lines, key=lambda line: line.group)
    ]
    names = tiebreaker_names(scores, language())
    return render_template(
        "play/standings.html", event=event, scores=scores, tables=tables, tiebreakers=names
    )


def _variables(event: EventView) -> dict[str, object]:
    desk = overview(session(), event, datetime.now(UTC), language())
    return {"event": event, "desk": desk, "rules": house_rules(event, desk.stage), "say": say}
