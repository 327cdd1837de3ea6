"""The start page, and the demo event that it offers."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, abort, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from judge.services.accounts.accounts import is_first_start, role_of
from judge.services.accounts.roles import may
from judge.services.event.demo import find_demo, load_demo, may_offer, remove_demo
from judge.web.accounts.access import actor, current_account, signed_in
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import session

pages = Blueprint("pages", __name__)


@pages.get("/")
def start() -> str:
    demo, account = find_demo(session()), current_account()
    return render_template(
        "frame/start.html",
        demo=demo,
        may_remove=demo is not None and may(role_of(session(), demo, account), "edit-event"),
        offers_demo=demo is None and may_offer(session()),
        is_first_start=account is None and is_first_start(session()),
    )


@pages.post("/demo")
@signed_in
def demo_load() -> ResponseReturnValue:
    account = current_account()
    if account is None or not account.may_create:
        abort(403)
    event = load_demo(session(), account, datetime.now(UTC)).result
    flash(gettext("The demo event is loaded. Change whatever you like: nothing of it is real."), "good")
    return redirect(url_for("desk.dashboard", slug=event.slug))


@pages.post("/demo/remove")
@signed_in
def demo_remove() -> ResponseReturnValue:
    event = find_demo(session())
    if event is not None:
        if not may(role_of(session(), event, current_account()), "edit-event"):
            abort(403)
        remove_demo(session(), event, actor(), datetime.now(UTC))
        flash(gettext("The demo event has been removed."), "good")
    return redirect(url_for("pages.start"))
