"""Pages for signing in and out, the account, and invite links."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import urlsplit

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, lazy_gettext
from wtforms import PasswordField, StringField

from judge.core.errors import Refused
from judge.services.accounts.account_view import InviteView
from judge.services.accounts.accounts import (
    SHORTEST_PASSWORD,
    accept_organiser_invite,
    accept_password_invite,
    create_account,
    find_invite,
    get_account,
    is_first_start,
    rename,
)
from judge.services.accounts.accounts import change_password as change_own_password
from judge.services.accounts.accounts import sign_in as check_sign_in
from judge.services.event.event_view import get_event_numbered
from judge.services.event.staff import join_staff
from judge.web.accounts.access import current_account, forget, remember, signed_in
from judge.web.frame.errors import refuse
from judge.web.frame.forms import PageForm, add_fault, at_most, is_sent, required_text, say, sent, stripped
from judge.web.frame.transaction import database, session

accounts = Blueprint("accounts", __name__)


class SignInForm(PageForm):
    login = StringField(lazy_gettext("Sign-in name"), [required_text(), at_most(80)])
    password = PasswordField(lazy_gettext("Password"), [required_text(), at_most(200)])


class NewPasswordForm(PageForm):
    password = PasswordField(lazy_gettext("New password"), [required_text(), at_most(200)])


class NewAccountForm(PageForm):
    name = StringField(lazy_gettext("Your name"), [required_text(), at_most(80)], filters=[stripped])
    login = StringField(lazy_gettext("Sign-in name"), [required_text(), at_most(80)], filters=[stripped])
    password = PasswordField(lazy_gettext("Password"), [required_text(), at_most(200)])


class NameForm(PageForm):
    name = StringField(lazy_gettext("Your name"), [required_text(), at_most(80)], filters=[stripped])


class ChangePasswordForm(PageForm):
    old = PasswordField(lazy_gettext("Password until now"), [required_text(), at_most(200)])
    password = PasswordField(lazy_gettext("New password"), [required_text(), at_most(200)])


def local_path(address: str | None) -> str | None:
    """The address if it is on this server, else None, so that no link leads elsewhere after signing in."""
    if not address or not address.startswith("/") or address.startswith("//") or "\\" in address:
        return None
    parts = urlsplit(address)
    if parts.scheme or parts.netloc or any(ord(letter) < 32 for letter in address):
        return None
    return address


@accounts.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> ResponseReturnValue:
    next_page = local_path(request.values.get("next")) or url_for("events.mine")
    if request.method == "GET" and current_account():
        return redirect(next_page)
    form, refusal = SignInForm(sent()), None
    if is_sent(form):
        with database().transaction() as own:  # counted even though the request is refused
            try:
                account = check_sign_in(
                    own, form.login.data, form.password.data, request.remote_addr or "", datetime.now(UTC)
                )
                refusal = None if account else gettext("Name or password is not right.")
            except Refused as error:
                account, refusal = None, say(error.reasons[0])
        if account:
            remember(account)
            return redirect(next_page)
    status = 422 if refusal or form.errors else 200
    first = request.method == "GET" and is_first_start(session())
    return render_template(
        "accounts/sign_in.html", form=form, next=next_page, refusal=refusal, first=first
    ), status


@accounts.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    forget()
    flash(gettext("You are signed out."), "good")
    return redirect(url_for("pages.start"))


@accounts.get("/account")
@signed_in
def account() -> ResponseReturnValue:
    return _account_page(NameForm(obj=current_account()), ChangePasswordForm())


def _account_page(name: NameForm, password: ChangePasswordForm) -> ResponseReturnValue:
    page = render_template(
        "accounts/account.html", name_form=name, password_form=password, least=SHORTEST_PASSWORD
    )
    return page, 422 if name.errors or password.errors else 200


@accounts.post("/account/name")
@signed_in
def change_name() -> ResponseReturnValue:
    form, me = NameForm(sent()), current_account()
    if me is None or not is_sent(form):
        return _account_page(form, ChangePasswordForm())
    rename(session(), me.id, form.name.data)
    flash(gettext("Your name is changed."), "good")
    return redirect(url_for("accounts.account"))


@accounts.post("/account/password")
@signed_in
def change_password() -> ResponseReturnValue:
    form, me = ChangePasswordForm(sent()), current_account()
    if me is not None and is_sent(form):
        try:
            account = change_own_password(session(), me.id, form.old.data, form.password.data)
            if account is not None:
                remember(account)
                flash(gettext("Your password is changed. Everywhere else you are signed out."), "good")
                return redirect(url_for("accounts.account"))
            form.old.errors = [gettext("This is not your password.")]
        except Refused as error:
            add_fault(form, "password", error)
    return _account_page(NameForm(obj=me), form)


@accounts.route("/join/<token>", methods=["GET", "POST"])
def join(token: str) -> ResponseReturnValue:
    """The page of an invite link: for the first organiser, for staff, or for a new password."""
    now = datetime.now(UTC)
    invite = find_invite(session(), token, now, to_use=request.method == "POST")
    if invite is None:
        refuse(410, gettext("This link has been used, revoked, or is too old. Ask for a new one."))
    if invite.kind == "password":
        return _new_password(invite, token, now)
    if invite.kind == "staff" and current_account():
        return _join_as_myself(invite, token, now)
    return _new_account(invite, token, now)


def _new_password(invite: InviteView, token: str, now: datetime) -> ResponseReturnValue:
    form = NewPasswordForm(sent())
    if is_sent(form):
        try:
            remember(accept_password_invite(session(), invite, form.password.data, now))
            flash(gettext("Your password is changed. Everywhere else you are signed out."), "good")
            return redirect(url_for("events.mine"))
        except Refused as error:
            add_fault(form, "password", error)
    account = get_account(session(), invite.account_id)
    page = render_template(
        "accounts/new_password.html", form=form, known=account, token=token, least=SHORTEST_PASSWORD
    )
    return page, 422 if form.errors else 200


def _join_as_myself(invite: InviteView, token: str, now: datetime) -> ResponseReturnValue:
    me = current_account()
    assert me is not None
    if request.method == "POST":
        event = join_staff(session(), invite, me, now).result
        flash(gettext("You are on the staff of %(event)s.", event=event.name), "good")
        return redirect(url_for("events.one", slug=event.slug))
    event = get_event_numbered(session(), invite.event_id)
    return render_template("accounts/join.html", event=event, invite=invite, token=token, form=None)


def _new_account(invite: InviteView, token: str, now: datetime) -> ResponseReturnValue:
    form = NewAccountForm(sent())
    if is_sent(form):
        try:
            return _enter(invite, form, now)
        except Refused as error:
            about = "login" if error.reasons[0].key == "login_taken" else "password"
            add_fault(form, about, error)
    event = get_event_numbered(session(), invite.event_id) if invite.event_id else None
    page = render_template(
        "accounts/join.html", event=event, invite=invite, token=token, form=form, least=SHORTEST_PASSWORD
    )
    return page, 422 if form.errors else 200


def _enter(invite: InviteView, form: NewAccountForm, now: datetime) -> ResponseReturnValue:
    entries = (form.login.data, form.name.data, form.password.data)
    if invite.kind == "organiser":
        remember(accept_organiser_invite(session(), invite, *entries, now))
        flash(gettext("Welcome. Your first event is one form away."), "good")
        return redirect(url_for("events.mine"))
    account = create_account(session(), *entries, now)
    event = join_staff(session(), invite, account, now).result
    remember(account)
    flash(gettext("You are on the staff of %(event)s.", event=event.name), "good")
    return redirect(url_for("events.one", slug=event.slug))
