"""The desk's page of hero boxes."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request, url_for

from judge.core.errors import Refused
from judge.schemas.shape import whole
from judge.services.boxes import boxes as service
from judge.services.event.event_view import EventView
from judge.services.event.events import settings_of
from judge.services.rulebook.heroes import heroes_to_choose
from judge.web.accounts.access import actor, needs
from judge.web.frame.errors import status_of
from judge.web.frame.links import redirect
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import roll_back, session
from judge.web.log.undo_offer import done, spoken

boxes = Blueprint("boxes", __name__, url_prefix="/e/<slug>/desk/boxes")
Answer = Response | str | tuple[str, int]


def _page(event: EventView, fault: str = "") -> str:
    return render_template(
        "boxes/boxes.html",
        event=event,
        boxes=service.read_boxes(session(), event),
        owners=service.names_of(session(), event),
        groups=heroes_to_choose(event.game, settings_of(event).heroes.allowed, language()),
        fault=fault,
        form=request.form,
    )


@boxes.get("")
@needs("see-desk")
def shelf(event: EventView) -> str:
    return _page(event)


@boxes.post("")
@needs("edit-players")
def add(event: EventView) -> Answer:
    form = request.form
    try:
        change = service.add_boxes(
            session(), event, actor(), form.get("hero", ""), form.get("count", 0, type=whole),
            form.get("label", ""), form.get("owner", type=whole) or None,
        )  # fmt: skip
    except Refused as refused:
        roll_back()
        return _page(event, " ".join(map(spoken, refused.reasons))), status_of(refused)
    done(event, change, gettext("Saved."))
    return redirect(url_for("boxes.shelf", slug=event.slug))


@boxes.post("/<int:box_id>/remove")
@needs("edit-players")
def remove(event: EventView, box_id: int) -> Answer:
    change = service.remove_box(session(), event, actor(), box_id)
    done(event, change, gettext("Removed."))
    return redirect(url_for("boxes.shelf", slug=event.slug))
