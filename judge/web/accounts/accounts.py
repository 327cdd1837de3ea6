"""Pages for signing in and out, the account, and invite links."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import PasswordField, StringField

from judge.core.errors import Refused
from judge.services.accounts.account_view import AccountView, InviteView
from judge.services.accounts.accounts import (
    accept_organiser_invite,
    accept_password_invite,
    create_account,
    find_invite,
    get_account,
    is_first_start,
    rename,
)
from judge.services.accounts.accounts import change_password as change_password_of
from judge.services.accounts.codes import codes_of
from judge.services.accounts.passkeys import passkeys_of
from judge.services.accounts.passwords import SHORTEST_PASSWORD, hashed
from judge.services.accounts.sessions import end_everywhere, end_one, sessions_of, sign_out_everywhere
from judge.services.accounts.signing_in import check_password, forgive
from judge.services.event.event_view import get_event_numbered
from judge.services.event.staff import join_staff
from judge.web.accounts.access import (
    current_account,
    device_of,
    forget,
    remember,
    session_token,
    signed_in,
)
from judge.web.accounts.passkeys import passkey_place
from judge.web.accounts.proof import count_attempt, enter_or_ask, few_at_once, is_own_password
from judge.web.frame.errors import refuse
from judge.web.frame.forms import PageForm, add_fault, at_most, is_sent, required_text, say, sent, stripped
from judge.web.frame.links import local_path
from judge.web.frame.texts import gettext, lazy_gettext
from judge.web.frame.transaction import database, roll_back, session

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


@accounts.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> ResponseReturnValue:
    next_page = local_path(request.values.get("next")) or url_for("events.mine")
    if request.method == "GET" and current_account():
        return redirect(next_page)
    form, refusal = SignInForm(sent()), None
    if is_sent(form):
        try:
            if entered := _sign_in(form.login.data, form.password.data, next_page):
                return entered
            refusal = gettext("Name or password is not right.")
        except Refused as error:
            refusal = say(error.reasons[0])
    status = 422 if refusal or form.errors else 200
    first = request.method == "GET" and is_first_start(session())
    return render_template(
        "accounts/sign_in.html",
        form=form,
        next=next_page,
        refusal=refusal,
        first=first,
        place=passkey_place(),
    ), status


def _sign_in(login: str, password: str, next_page: str) -> Response | None:
    """Count the attempt, look at the password outside any transaction, then sign in or ask for a code."""
    now = datetime.now(UTC)
    with few_at_once(login):
        counted = count_attempt(login, now, device_of(login))
        with database().session() as reading:
            account = check_password(reading, login, password)
    if account is None:
        return None
    entered = enter_or_ask(account, now, "account.signed-in", next_page)
    if current_account():  # somebody who has yet to type a code is forgiven nothing
        forgive(session(), counted)
    return entered


@accounts.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    forget(datetime.now(UTC))
    flash(gettext("You are signed out."), "good")
    return redirect(url_for("pages.start"))


@accounts.get("/account")
@signed_in
def account() -> ResponseReturnValue:
    return _account_page(NameForm(obj=current_account()), ChangePasswordForm())


def _account_page(name: NameForm, password: ChangePasswordForm) -> ResponseReturnValue:
    me = current_account()
    assert me is not None
    page = render_template(
        "accounts/account.html",
        name_form=name,
        password_form=password,
        least=SHORTEST_PASSWORD,
        browsers=sessions_of(session(), me.id, session_token()),
        passkeys=passkeys_of(session(), me.id),
        codes=codes_of(session(), me.id),
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
    assert me is not None
    if is_sent(form):
        try:
            if _change_password(me, form.old.data, form.password.data):
                flash(gettext("Your password is changed. Everywhere else you are signed out."), "good")
                return redirect(url_for("accounts.account"))
            form.old.errors = [gettext("This is not your password.")]
        except Refused as error:
            add_fault(form, "password", error)
    return _account_page(NameForm(obj=me), form)


def _change_password(me: AccountView, old: str, new: str) -> bool:
    now = datetime.now(UTC)
    if not is_own_password(me, old, now):
        return False
    new_hash = hashed(new, me.login, me.name)
    end_everywhere(session(), me.id, now)
    remember(change_password_of(session(), me.id, new_hash), now, "account.password")
    return True


@accounts.post("/account/sessions/<int:number>/end")
@signed_in
def end_browser(number: int) -> ResponseReturnValue:
    me = current_account()
    assert me is not None
    end_one(session(), me.id, number, datetime.now(UTC))
    flash(gettext("That browser is signed out."), "good")
    return redirect(url_for("accounts.account"))


@accounts.post("/account/sessions/end")
@signed_in
def end_all_browsers() -> ResponseReturnValue:
    """Sign out everywhere, here too."""
    now, me = datetime.now(UTC), current_account()
    assert me is not None
    sign_out_everywhere(session(), me, now)
    forget(now)
    flash(gettext("You are signed out everywhere."), "good")
    return redirect(url_for("pages.start"))


@accounts.route("/join/<token>", methods=["GET", "POST"])
def join(token: str) -> ResponseReturnValue:
    """The page of an invite link: for the first organiser, for staff, or for a new password."""
    now = datetime.now(UTC)
    with database().session() as reading:
        invite = find_invite(reading, token, now)
    if invite is None:
        refuse(410, str(GONE))
    if invite.kind == "password":
        return _new_password(invite, token, now)
    if invite.kind == "staff" and current_account():
        return _join_as_myself(invite, token, now)
    return _new_account(invite, token, now)


GONE = lazy_gettext("This link has been used, revoked, or is too old. Ask for a new one.")


def _taken(token: str, now: datetime) -> InviteView:
    """The invite, locked for this transaction, unless somebody else was faster."""
    return find_invite(session(), token, now, to_use=True) or refuse(410, str(GONE))


def _new_password(invite: InviteView, token: str, now: datetime) -> ResponseReturnValue:
    form = NewPasswordForm(sent())
    account = get_account(session(), invite.account_id)
    roll_back()
    if is_sent(form):
        try:
            new_hash = hashed(form.password.data, account.login, account.name)
            known = accept_password_invite(session(), _taken(token, now), new_hash, now).result
            entered = enter_or_ask(known, now, "account.signed-in", url_for("events.mine"))
            flash(gettext("Your password is changed. Everywhere else you are signed out."), "good")
            return entered
        except Refused as error:
            add_fault(form, "password", error)
    page = render_template(
        "accounts/new_password.html", form=form, known=account, token=token, least=SHORTEST_PASSWORD
    )
    return page, 422 if form.errors else 200


def _join_as_myself(invite: InviteView, token: str, now: datetime) -> ResponseReturnValue:
    me = current_account()
    assert me is not None
    if request.method == "POST":
        event = join_staff(session(), _taken(token, now), me, now).result
        flash(gettext("You are on the staff of %(event)s.", event=event.name), "good")
        return redirect(url_for("events.one", slug=event.slug))
    event = get_event_numbered(session(), invite.event_id)
    return render_template("accounts/join.html", event=event, invite=invite, token=token, form=None)


def _new_account(invite: InviteView, token: str, now: datetime) -> ResponseReturnValue:
    form = NewAccountForm(sent())
    if is_sent(form):
        try:
            return _enter(token, form, now)
        except Refused as error:
            about = "login" if error.reasons[0].key == "login_taken" else "password"
            add_fault(form, about, error)
    event = get_event_numbered(session(), invite.event_id) if invite.event_id else None
    page = render_template(
        "accounts/join.html", event=event, invite=invite, token=token, form=form, least=SHORTEST_PASSWORD
    )
    return page, 422 if form.errors else 200


def _enter(token: str, form: NewAccountForm, now: datetime) -> ResponseReturnValue:
    login, name = form.login.data, form.name.data
    roll_back()  # others need not wait while the password is hashed
    entries = (login, name, hashed(form.password.data, login, name))
    invite = _taken(token, now)
    if invite.kind == "organiser":
        remember(accept_organiser_invite(session(), invite, *entries, now), now, "account.made")
        flash(gettext("Welcome. Your first event is one form away."), "good")
        return redirect(url_for("events.mine"))
    account = create_account(session(), *entries, now)
    event = join_staff(session(), invite, account, now).result
    remember(account, now, "account.made")
    flash(gettext("You are on the staff of %(event)s.", event=event.name), "good")
    return redirect(url_for("events.one", slug=event.slug))
