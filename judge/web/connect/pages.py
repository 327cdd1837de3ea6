"""The desk's page for other programs: addresses of public data, tokens, webhooks and their deliveries, and
the lines to embed standings and bracket elsewhere."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, Response, current_app, flash, render_template, request, url_for

from judge.core.errors import Refused
from judge.core.json_types import JsonObject
from judge.services.connect import tokens, webhooks
from judge.services.connect.outbox import TOPICS
from judge.services.event.event_view import EventView
from judge.web.accounts.access import actor, needs
from judge.web.frame.errors import status_of
from judge.web.frame.links import absolute_url, redirect, url_for_phones
from judge.web.frame.texts import gettext, lazy_gettext
from judge.web.frame.transaction import roll_back, session
from judge.web.log.undo_offer import done, spoken

connect = Blueprint("connect", __name__)
TOPIC_NAMES = {
    "results": lazy_gettext("Results, bans and picks"),
    "rounds": lazy_gettext("Rounds paired and published"),
    "players": lazy_gettext("Players"),
    "clock": lazy_gettext("Clock and extensions"),
    "event": lazy_gettext("The event itself, announcements"),
}
SCOPE_NAMES = {
    "read": lazy_gettext("Read players as the desk knows them"),
    "results": lazy_gettext("Also enter results"),
}
Answer = Response | str | tuple[str, int]


def _page(event: EventView, **more: object) -> str:
    values: JsonObject = {
        "tokens": tokens.read_tokens(session(), event),
        "webhooks": webhooks.read_webhooks(session(), event, str(current_app.secret_key)),
        "deliveries": webhooks.read_deliveries(session(), event),
        "topics": {topic: TOPIC_NAMES[topic] for topic in TOPICS},
        "scopes": SCOPE_NAMES,
        "chosen": TOPICS,
        "data": [
            _address(f"data.{name}", slug=event.slug)
            for name in ("pairings", "standings", "bracket", "clock")
        ],
        "calendar": _address("data.ical", slug=event.slug),
        "embeds": [
            (gettext("Standings"), _address("data.embed_standings", slug=event.slug)),
            (gettext("Bracket"), _address("data.embed_bracket", slug=event.slug)),
        ],
        "word": None,
        "fault": "",
        "typed": "",
    }
    return render_template("connect/connect.html", event=event, **{**values, **more})


def _address(endpoint: str, **values: str) -> str:
    """An address for programs elsewhere: in the network if there is one, else as this computer calls it."""
    return url_for_phones(endpoint, **values) or absolute_url(endpoint, **values)


def _refused(event: EventView, refused: Refused, **more: object) -> tuple[str, int]:
    roll_back()
    return _page(event, fault=" ".join(map(spoken, refused.reasons)), **more), status_of(refused)


def _back(event: EventView) -> Response:
    return redirect(url_for("connect.page", slug=event.slug))


@connect.get("/e/<slug>/desk/connect")
@needs("connect")
def page(event: EventView) -> str:
    return _page(event)


@connect.post("/e/<slug>/desk/connect/tokens")
@needs("connect")
def make_token(event: EventView) -> Answer:
    """A new token: the one answer that shows it."""
    name, scope = request.form.get("name", ""), request.form.get("scope", "")
    try:
        change = tokens.make_token(session(), event, actor(), name, scope, datetime.now(UTC))
    except Refused as refused:
        return _refused(event, refused, typed=name)
    return _page(event, word=change.result)


@connect.post("/e/<slug>/desk/connect/tokens/<int:token_id>/revoke")
@needs("connect")
def revoke_token(event: EventView, token_id: int) -> Response:
    change = tokens.revoke_token(session(), event, actor(), token_id)
    done(event, change, gettext("The token no longer works."))
    return _back(event)


@connect.post("/e/<slug>/desk/connect/webhooks")
@needs("connect")
def add_webhook(event: EventView) -> Answer:
    url, topics = request.form.get("url", "").strip(), request.form.getlist("topic")
    try:
        webhooks.add_webhook(
            session(), event, actor(), url, topics, datetime.now(UTC),
            allow_private=current_app.config["JUDGE_PRIVATE_WEBHOOKS"],
        )  # fmt: skip
    except Refused as refused:
        return _refused(event, refused, url=url, chosen=topics)
    flash(gettext("The webhook is added. Check its signatures with the secret below."), "good")
    return _back(event)


@connect.post("/e/<slug>/desk/connect/webhooks/<int:webhook_id>")
@needs("connect")
def change_webhook(event: EventView, webhook_id: int) -> Response:
    """Pause a webhook, let it go on, or remove it."""
    do = request.form.get("do")
    if do == "remove":
        change = webhooks.remove_webhook(session(), event, actor(), webhook_id)
    else:
        change = webhooks.set_active(session(), event, actor(), webhook_id, do == "resume")
    done(event, change, gettext("Saved."))
    return _back(event)


@connect.post("/e/<slug>/desk/connect/deliveries/<int:delivery_id>/again")
@needs("connect")
def send_again(event: EventView, delivery_id: int) -> Answer:
    try:
        webhooks.send_again(session(), event, actor(), delivery_id, datetime.now(UTC))
    except Refused as refused:
        return _refused(event, refused)
    return _back(event)
