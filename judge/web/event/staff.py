"""The staff page of an event: members, roles, invite links with QR codes, new password links."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import SelectField, StringField

from judge.services.accounts.account_view import InviteView
from judge.services.accounts.roles import ROLES, may
from judge.services.event.event_view import EventView
from judge.services.event.staff import (
    change_role,
    invite_staff,
    new_password_link,
    remove_member,
    revoke_invite,
    staff_of,
)
from judge.web.accounts.access import actor, needs
from judge.web.frame.errors import refuse
from judge.web.frame.forms import PageForm, at_most, choices_of, is_sent, stripped
from judge.web.frame.links import absolute_url
from judge.web.frame.texts import gettext, lazy_gettext
from judge.web.frame.transaction import session

staff = Blueprint("staff", __name__, url_prefix="/e/<slug>/desk/staff")

ROLE_NAMES = {
    "scorekeeper": lazy_gettext("scorekeeper"),
    "judge": lazy_gettext("judge"),
    "head-judge": lazy_gettext("head judge"),
    "organiser": lazy_gettext("organiser"),
}


ACTIONS = {
    "see-desk": lazy_gettext("See the desk"),
    "enter-result": lazy_gettext("Enter results"),
    "check-in": lazy_gettext("Check players in"),
    "run-clock": lazy_gettext("Run the clock"),
    "print": lazy_gettext("Print"),
    "extend-time": lazy_gettext("Give a table more time"),
    "select-heroes": lazy_gettext("Enter bans and picks"),
    "edit-players": lazy_gettext("Add and change players"),
    "pair": lazy_gettext("Pair and publish rounds"),
    "correct-result": lazy_gettext("Correct earlier results"),
    "undo": lazy_gettext("Take changes back"),
    "rule": lazy_gettext("Give rulings"),
    "see-log": lazy_gettext("Read the log"),
    "answer-call": lazy_gettext("Answer calls for a judge"),
    "give-penalty": lazy_gettext("Give penalties"),
    "edit-catalogue": lazy_gettext("Add words to the catalogue"),
    "decide-appeal": lazy_gettext("Decide appeals"),
    "announce": lazy_gettext("Announce something to everybody"),
    "edit-event": lazy_gettext("Change the settings"),
    "manage-staff": lazy_gettext("Invite and remove staff"),
    "delete-event": lazy_gettext("Delete the event"),
    "connect": lazy_gettext("Connect other programs"),
    "erase-player": lazy_gettext("Erase a player’s name"),
    "export": lazy_gettext("Download the event’s files"),
}


class InviteForm(PageForm):
    role = SelectField(lazy_gettext("Role"), choices=choices_of(ROLE_NAMES))
    note = StringField(lazy_gettext("For whom"), [at_most(120)], filters=[stripped])


def invite_link(invite: InviteView) -> str:
    return absolute_url("accounts.join", token=invite.token)


@staff.get("")
@needs("manage-staff")
def page(event: EventView) -> ResponseReturnValue:
    return _page(event, InviteForm())


def _page(event: EventView, form: InviteForm, password_link: str | None = None) -> ResponseReturnValue:
    staff = staff_of(session(), event, datetime.now(UTC))
    links = [(invite, invite_link(invite)) for invite in staff.invites]
    html = render_template(
        "event/staff.html",
        event=event,
        form=form,
        members=staff.members,
        links=links,
        role_names=ROLE_NAMES,
        rights=[(words, [may(role, action) for role in ROLES]) for action, words in ACTIONS.items()],
        password_link=password_link,
    )
    return html, 422 if form.errors else 200


@staff.post("/invites")
@needs("manage-staff")
def invite(event: EventView) -> ResponseReturnValue:
    form = InviteForm(request.form)
    if not is_sent(form):
        return _page(event, form)
    role, for_whom = form.role.data, form.note.data or ""
    invited = invite_staff(session(), event, actor(), role, for_whom, datetime.now(UTC))
    flash(gettext("The link is made: send it, or let it be scanned."), "good")
    return redirect(url_for("staff.page", slug=event.slug, _anchor=f"invite-{invited.result.id}"))


@staff.post("/invites/<int:number>/revoke")
@needs("manage-staff")
def revoke(event: EventView, number: int) -> ResponseReturnValue:
    revoke_invite(session(), event, actor(), number, datetime.now(UTC))
    flash(gettext("The link no longer works."), "good")
    return redirect(url_for("staff.page", slug=event.slug))


@staff.post("/<int:number>/role")
@needs("manage-staff")
def role(event: EventView, number: int) -> ResponseReturnValue:
    new_role = request.form.get("role", "")
    if new_role not in ROLES:
        refuse(422, gettext("There is no such role."))
    change_role(session(), event, actor(), number, new_role)
    flash(gettext("Saved."), "good")
    return redirect(url_for("staff.page", slug=event.slug))


@staff.post("/<int:number>/remove")
@needs("manage-staff")
def remove(event: EventView, number: int) -> ResponseReturnValue:
    remove_member(session(), event, actor(), number)
    flash(gettext("No longer on the staff."), "good")
    return redirect(url_for("staff.page", slug=event.slug))


@staff.post("/<int:number>/password-link")
@needs("manage-staff")
def password_link(event: EventView, number: int) -> ResponseReturnValue:
    """Issue a password link and show it once, in this answer only."""
    change = new_password_link(session(), event, actor(), number, datetime.now(UTC))
    return _page(event, InviteForm(), invite_link(change.result))
