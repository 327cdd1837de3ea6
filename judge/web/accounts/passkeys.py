"""Pages for passkeys: making, naming and removing them, and signing in with one.

static/passkeys.js asks the browser. The challenge that its answer must contain waits in the signed cookie.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import Blueprint, current_app, flash, jsonify, render_template, request, url_for
from flask import session as cookie
from flask.typing import ResponseReturnValue
from wtforms import PasswordField, StringField

from judge.config import is_loopback
from judge.core.errors import Refused
from judge.core.messages import Message
from judge.services.accounts.passkeys import (
    CHALLENGE_SECONDS,
    Site,
    add_passkey,
    credential_in,
    options_to_make,
    options_to_sign_in,
    passkeys_of,
    remove_passkey,
    sign_in_with,
)
from judge.services.accounts.signing_in import forgive
from judge.web.accounts.access import current_account, remember, signed_in
from judge.web.accounts.proof import count_attempt, is_own_password
from judge.web.frame.errors import refuse
from judge.web.frame.forms import PageForm, at_most, required_text, stripped
from judge.web.frame.links import local_path, origin, redirect
from judge.web.frame.texts import gettext, lazy_gettext
from judge.web.frame.transaction import session

passkeys = Blueprint("passkeys", __name__)
CHALLENGE = "challenge"


class PasskeyForm(PageForm):
    name = StringField(
        lazy_gettext("Name of the passkey"), [required_text(), at_most(60)], filters=[stripped]
    )
    password = PasswordField(lazy_gettext("Your password"), [required_text(), at_most(200)])


@dataclass(frozen=True, slots=True)
class Place:
    """Whether browsers allow passkeys at the address this page was opened at, and where else they would."""

    works: bool
    instead: str = ""


def passkey_place() -> Place:
    """Browsers allow them over https at a name, and at localhost: never at a number."""
    parts = urlsplit(request.host_url)
    host = parts.hostname or ""
    try:
        ip_address(host)
    except ValueError:
        return Place(parts.scheme == "https" or is_loopback(host))
    port = f":{parts.port}" if parts.port else ""
    return Place(works=False, instead=f"http://localhost{port}{request.path}" if is_loopback(host) else "")


def _site() -> Site:
    here = request.host_url.rstrip("/")
    return Site(urlsplit(here).hostname or "", [here, origin()], str(current_app.secret_key))


def _new_challenge(now: datetime) -> bytes:
    challenge = secrets.token_bytes(32)
    cookie[CHALLENGE] = [challenge.hex(), int(now.timestamp())]
    return challenge


def _challenge(now: datetime) -> bytes:
    """The challenge this browser was given a moment ago."""
    kept = cookie.pop(CHALLENGE, None)
    if not (
        isinstance(kept, list) and len(kept) == 2 and abs(now.timestamp() - kept[1]) <= CHALLENGE_SECONDS
    ):
        raise Refused(Message("passkey_too_late"))
    return bytes.fromhex(kept[0])


@passkeys.get("/account/passkeys")
@signed_in
def page() -> ResponseReturnValue:
    me = current_account()
    assert me is not None
    own = passkeys_of(session(), me.id)
    return render_template("accounts/passkeys.html", own=own, form=PasskeyForm(), place=passkey_place())


@passkeys.post("/account/passkeys/options")
@signed_in
def options() -> ResponseReturnValue:
    """What the browser needs to make a passkey; asks for the password again."""
    now, me, form = datetime.now(UTC), current_account(), PasskeyForm(request.form)
    assert me is not None
    if not form.validate():
        refuse(422, " ".join(f"{field.label.text}: {field.errors[0]}" for field in form if field.errors))
    if not is_own_password(me, form.password.data, now):
        refuse(422, gettext("This is not your password."))
    return jsonify(options_to_make(session(), _site(), me, _new_challenge(now)))


@passkeys.post("/account/passkeys")
@signed_in
def add() -> ResponseReturnValue:
    now, me = datetime.now(UTC), current_account()
    assert me is not None
    name = stripped(request.form.get("name", ""))[:60] or gettext("A passkey")
    answer = request.form.get("credential", "")
    add_passkey(session(), _site(), me, name, answer, _challenge(now), now)
    flash(gettext("From now on you can sign in here with this passkey."), "good")
    return redirect(url_for("passkeys.page"))


@passkeys.post("/account/passkeys/<int:number>/remove")
@signed_in
def remove(number: int) -> ResponseReturnValue:
    me = current_account()
    assert me is not None
    remove_passkey(session(), me, number, datetime.now(UTC))
    flash(gettext("The passkey is removed: it opens nothing here any more."), "good")
    return redirect(url_for("passkeys.page"))


@passkeys.post("/sign-in/passkey/options")
def sign_in_options() -> ResponseReturnValue:
    challenge = _new_challenge(datetime.now(UTC))
    return jsonify(options_to_sign_in(session(), _site(), request.form.get("login", "")[:80], challenge))


@passkeys.post("/sign-in/passkey")
def sign_in() -> ResponseReturnValue:
    """Sign in by the answer of a passkey: no name, no password, no code."""
    now, answer = datetime.now(UTC), request.form.get("credential", "")
    next_page = local_path(request.form.get("next")) or url_for("events.mine")
    challenge = _challenge(now)
    counted = count_attempt(f"passkey {credential_in(answer)}", now)
    account = sign_in_with(session(), _site(), answer, challenge, now)
    forgive(session(), counted)
    remember(account, now, "account.signed-in-by-passkey")
    return redirect(next_page)
