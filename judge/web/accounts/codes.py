"""Pages for the codes of an authenticator app: setting it up, signing in with one, recovery codes."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import Blueprint, Response, current_app, flash, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import PasswordField, StringField

from judge.core.errors import Refused
from judge.services.accounts.codes import (
    RECOVERY,
    app_set_up,
    begin_app,
    codes_of,
    confirm_app,
    new_recovery_codes,
    refuse_code,
    turn_off,
    use_code,
)
from judge.services.accounts.signing_in import forgive
from judge.web.accounts.access import current_account, device_of, remember, signed_in
from judge.web.accounts.proof import count_attempt, half_signed_in, is_own_password
from judge.web.frame.forms import PageForm, at_most, is_sent, required_text, say, sent
from judge.web.frame.links import local_path, redirect
from judge.web.frame.texts import gettext, lazy_gettext
from judge.web.frame.transaction import database, roll_back, session

codes = Blueprint("codes", __name__)


class CodeForm(PageForm):
    code = StringField(lazy_gettext("Code"), [required_text(), at_most(40)])


class OwnPasswordForm(PageForm):
    password = PasswordField(lazy_gettext("Your password"), [required_text(), at_most(200)])


def _secret() -> str:
    return str(current_app.secret_key)


@codes.get("/account/codes")
@signed_in
def page() -> ResponseReturnValue:
    return _page(CodeForm(), OwnPasswordForm())


def _page(code: CodeForm, password: OwnPasswordForm) -> ResponseReturnValue:
    me = current_account()
    assert me is not None
    state = codes_of(session(), me.id)
    told = app_set_up(session(), _secret(), me.id, me.login, request.host) if state.is_begun else None
    page = render_template(
        "accounts/codes.html", code_form=code, password_form=password, state=state, told=told
    )
    return page, 422 if code.errors or password.errors else 200


@codes.post("/account/codes")
@signed_in
def change() -> ResponseReturnValue:
    """Begin with an app, make new recovery codes, or stop asking for codes: each asks for the password."""
    now, me, form = datetime.now(UTC), current_account(), OwnPasswordForm(sent())
    assert me is not None
    if not is_sent(form):
        return _page(CodeForm(), form)
    if not is_own_password(me, form.password.data, now):
        form.password.errors = [gettext("This is not your password.")]
        return _page(CodeForm(), form)
    what = request.form.get("what")
    if what == "recovery" and codes_of(session(), me.id).is_on:
        return _recovery_codes(new_recovery_codes(session(), me, now).result)
    if what == "off":
        turn_off(session(), me, now)
        flash(gettext("You are no longer asked for codes."), "good")
    else:
        begin_app(session(), me.id, now)
    return redirect(url_for("codes.page"))


@codes.post("/account/codes/confirm")
@signed_in
def confirm() -> ResponseReturnValue:
    """The first code of the app: from now on it is asked for."""
    now, me, form = datetime.now(UTC), current_account(), CodeForm(sent())
    assert me is not None
    if not is_sent(form):
        return _page(form, OwnPasswordForm())
    try:
        counted = count_attempt(me.login, now, device_of(me.login))
        change = confirm_app(session(), _secret(), me, form.code.data, now)
    except Refused as error:
        form.code.errors = [say(reason) for reason in error.reasons]
        return _page(form, OwnPasswordForm())
    forgive(session(), counted)
    return _recovery_codes(change.result)


def _recovery_codes(shown: list[str]) -> ResponseReturnValue:
    return render_template("accounts/recovery_codes.html", codes=shown)


@codes.route("/sign-in/code", methods=["GET", "POST"])
def sign_in() -> ResponseReturnValue:
    """The second step of signing in."""
    now, form = datetime.now(UTC), CodeForm(sent())
    next_page = local_path(request.values.get("next")) or url_for("events.mine")
    if half_signed_in(now) is None:
        return redirect(url_for("accounts.sign_in", next=next_page))
    refusal = None
    if is_sent(form):
        try:
            if entered := _enter(form.code.data, now, next_page):
                return entered
            refusal = gettext("This code is not right, or was used before.")
        except Refused as error:
            refusal = say(error.reasons[0])
    page = render_template("accounts/sign_in_code.html", form=form, next=next_page, refusal=refusal)
    return page, 422 if refusal or form.errors else 200


def _enter(code: str, now: datetime, next_page: str) -> Response | None:
    account = half_signed_in(now)
    assert account is not None
    counted = count_attempt(account.login, now, device_of(account.login))
    use = use_code(session(), _secret(), account, code, now)
    if use is None:
        roll_back()
        with database().transaction() as own:  # whoever got this far knows the password
            refuse_code(own, account, now)
        return None
    forgive(session(), counted)
    remember(account, now)
    if use.result == RECOVERY:
        left = codes_of(session(), account.id).recovery_left
        flash(gettext("You used a recovery code; %(left)s are left.", left=left), "good")
    return redirect(next_page)
