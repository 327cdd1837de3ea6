"""An organiser's pages of events: the list, a new event from a preset, settings, clone, delete."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import BooleanField, DateField, StringField

from judge.core.errors import Refused
from judge.core.games import DICE_THRONE
from judge.schemas.books import newest
from judge.schemas.tournament.event_settings import settings_of_preset
from judge.schemas.tournament.presets import Preset, presets
from judge.services.accounts.account_view import AccountView
from judge.services.event.event_view import EventView
from judge.services.event.events import (
    change_event,
    clone_event,
    create_event,
    delete_event,
    events_of,
    fingerprint,
    is_locked,
    settings_of,
)
from judge.web.accounts.access import actor, current_account, needs, signed_in
from judge.web.event.event_form import EventForm, completed, facts_of, fields_of, form_of, sources_of
from judge.web.frame.forms import (
    PageForm,
    add_fault,
    at_most,
    is_sent,
    required,
    required_text,
    sent,
    stripped,
)
from judge.web.frame.texts import gettext, lazy_gettext
from judge.web.frame.transaction import session

events = Blueprint("events", __name__)


class CloneForm(PageForm):
    name = StringField(lazy_gettext("Name of the event"), [required_text(), at_most(120)], filters=[stripped])
    day = DateField(lazy_gettext("Date"), [required()])
    with_players = BooleanField(lazy_gettext("Take the players along"))


def known_presets() -> list[Preset]:
    """The presets, the most likely choices first."""
    return sorted(presets().values(), key=lambda preset: (preset.order, preset.id))


@events.get("/events")
@signed_in
def mine() -> ResponseReturnValue:
    return render_template("event/mine.html", lines=events_of(session(), organiser()))


def organiser() -> AccountView:
    account = current_account()
    assert account is not None, "only asked for behind @signed_in or @needs"
    return account


@events.route("/events/new", methods=["GET", "POST"])
@signed_in
def new() -> ResponseReturnValue:
    if not organiser().may_create:
        abort(403)
    preset = presets().get(request.values.get("preset", known_presets()[0].id))
    if preset is None:
        abort(404)
    values = fields_of(settings_of_preset(preset), DICE_THRONE)
    edition = preset.get("edition", newest(DICE_THRONE).id)
    form = EventForm(sent(), data={"day": datetime.now(UTC).date(), "edition": edition, **values})
    if is_sent(form) and (facts := facts_of(form, preset.id)):
        event = create_event(session(), facts, organiser(), datetime.now(UTC)).result
        flash(gettext("%(event)s is made. Now the players.", event=event.name), "good")
        return redirect(url_for("players.roster", slug=event.slug))
    page = render_template(
        "event/new.html", form=form, preset=preset, presets=known_presets(), sources=sources_of(preset)
    )
    return page, 422 if form.errors else 200


@events.get("/events/<slug>")
@needs("see-desk")
def one(event: EventView) -> ResponseReturnValue:
    """Redirect an event of the list to its desk."""
    return redirect(url_for("desk.dashboard", slug=event.slug))


@events.route("/e/<slug>/desk/settings", methods=["GET", "POST"])
@needs("edit-event")
def settings(event: EventView) -> ResponseReturnValue:
    locked = is_locked(session(), event)
    form = form_of(event, settings_of(event))
    if request.method == "POST":
        form = EventForm(completed(request.form, event, settings_of(event)) if locked else request.form)
    seen = request.form.get("seen") or fingerprint(event)
    if is_sent(form) and (facts := facts_of(form, event.preset, settings_of(event))):
        try:
            change_event(session(), event, actor(), facts, seen)
            flash(gettext("Saved."), "good")
            return redirect(url_for("events.settings", slug=event.slug))
        except Refused as error:
            if locked and error.reasons[0].key == "settings_locked":
                add_fault(form, "format", error)
            else:
                raise
    page = render_template(
        "event/settings.html",
        event=event,
        form=form,
        locked=locked,
        seen=seen,
        sources=sources_of(presets().get(event.preset)),
    )
    return page, 422 if form.errors else 200


@events.route("/e/<slug>/desk/clone", methods=["GET", "POST"])
@needs("edit-event")
def clone(event: EventView) -> ResponseReturnValue:
    if not organiser().may_create:
        abort(403)
    form = CloneForm(sent(), data={"name": event.name, "day": datetime.now(UTC).date()})
    if is_sent(form):
        copy = clone_event(
            session(),
            event,
            organiser(),
            form.name.data,
            form.day.data,
            datetime.now(UTC),
            with_players=form.with_players.data,
        ).result
        flash(gettext("%(event)s is made from an earlier event.", event=copy.name), "good")
        return redirect(url_for("players.roster", slug=copy.slug))
    page = render_template("event/clone.html", event=event, form=form)
    return page, 422 if form.errors else 200


@events.route("/e/<slug>/desk/delete", methods=["GET", "POST"])
@needs("delete-event")
def delete(event: EventView) -> ResponseReturnValue:
    refusal = None
    if request.method == "POST":
        try:
            name = event.name
            delete_event(session(), event, actor(), request.form.get("name", ""), datetime.now(UTC))
            flash(gettext("%(event)s is deleted.", event=name), "good")
            return redirect(url_for("events.mine"))
        except Refused as error:
            refusal = error.reasons[0]
    page = render_template("event/delete.html", event=event, refusal=refusal)
    return page, 422 if refusal else 200
