"""Identifies the account of a request and checks its rights. A route for an event's staff has `@needs`:

@results.post("/e/<slug>/desk/results") @needs("enter-result") def enter(event: EventView) ->
ResponseReturnValue: ...

The route gets the event; `g.role` and `actor()` say who acts. Without an account the request goes to the
sign-in page and back; with an account that lacks the right it is answered with 403.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from typing import Any

from flask import Flask, Request, Response, abort, current_app, g, request, url_for
from flask import session as cookie
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from itsdangerous import BadSignature, URLSafeSerializer

from judge.core.json_types import JsonObject
from judge.services.accounts.account_view import AccountView
from judge.services.accounts.accounts import at_the_desk, make_token, read_token, role_of
from judge.services.accounts.roles import may
from judge.services.accounts.sessions import begin_session, end_session, find_account, note_seen
from judge.services.accounts.signing_in import folded
from judge.services.event.event_view import EventView, get_event
from judge.services.log.changes import Actor
from judge.web.frame.links import redirect
from judge.web.frame.transaction import session


class PatientSessions(SecureCookieSessionInterface):
    """Flask's cookie, but a server clock that was set back signs nobody out."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        signer = self.get_signing_serializer(app)
        value = request.cookies.get(self.get_cookie_name(app))
        if signer is None or not value:
            return self.session_class() if signer else None
        try:
            data, signed_at = signer.loads(value, return_timestamp=True)
        except BadSignature:
            return self.session_class()
        is_old = datetime.now(UTC) - signed_at > app.permanent_session_lifetime
        return self.session_class() if is_old else self.session_class(data)


def init_access(app: Flask) -> None:
    app.context_processor(_variables)
    app.after_request(_mark_device)
    app.session_interface = PatientSessions()


def _variables() -> JsonObject:
    """Template variables: the account, and what it may do at this event."""
    return {"account": current_account(), "may": lambda action: may(g.get("role"), action)}


def current_account() -> AccountView | None:
    """The account that is signed in on this browser."""
    if "account" not in g:
        key = _cookie_key()
        g.account = find_account(session(), *key) if key else None
        if g.account and key and key[2] and request.method == "POST":
            note_seen(session(), key[2], datetime.now(UTC))
    account: AccountView | None = g.account
    return account


def _cookie_key() -> tuple[int, int, str] | None:
    """The id and epoch of the account in the cookie, and the token of this browser's session."""
    key, token = cookie.get("account"), cookie.get("session", "")
    if not (isinstance(key, list) and len(key) == 2 and isinstance(token, str)):
        return None
    return key[0], key[1], token


def session_token() -> str:
    key = _cookie_key()
    return key[2] if key else ""


def remember(account: AccountView, now: datetime, how: str = "account.signed-in") -> None:
    """Sign this browser in with a new session, so that an older one cannot be reused; the log says so."""
    cookie.clear()
    cookie["account"] = [account.id, account.epoch]
    browser = request.headers.get("User-Agent", "")
    cookie["session"] = begin_session(session(), account, browser, how, now).result
    cookie.permanent = True
    g.account, g.device = account, account.login


def forget(now: datetime) -> None:
    """Sign this browser out; a copy of its cookie is worth nothing from now on."""
    if token := session_token():
        end_session(session(), token, now)
    cookie.clear()
    g.account = None


# A browser in which a name has signed in before carries a signed mark of it, which outlives signing out: its
# attempts are counted for themselves, whatever strangers try with the same name.
DEVICE, DEVICE_SECONDS = "judge_device", 365 * 24 * 3600


def device_of(login: str) -> str:
    """The mark of this browser for this name; empty if the name never signed in here."""
    try:
        marks = _marks().loads(request.cookies.get(DEVICE, ""))
    except BadSignature:
        return ""
    mark = marks.get(folded(login)) if isinstance(marks, dict) else None
    return mark if isinstance(mark, str) else ""


def _marks() -> URLSafeSerializer:
    return URLSafeSerializer(str(current_app.secret_key), salt="judge-device")


def _mark_device(response: Response) -> Response:
    login = g.get("device")
    if login and not device_of(login):
        marks = {folded(login): secrets.token_urlsafe(12)}
        value, secure = _marks().dumps(marks), request.is_secure
        response.set_cookie(
            DEVICE, value, max_age=DEVICE_SECONDS, samesite="Lax", httponly=True, secure=secure
        )
    return response


def actor() -> Actor:
    account = current_account()
    assert account is not None, "only asked for behind @needs or @signed_in"
    return Actor(account.name, account.id)


def signed_in(route: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(route)
    def checked(*args: Any, **kwargs: Any) -> Any:
        return route(*args, **kwargs) if current_account() else to_sign_in()

    checked.needs = "signed-in"  # type: ignore[attr-defined]  # a mark for the access matrix
    return checked


def needs(action: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def decorate(route: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(route)
        def checked(slug: str, **kwargs: Any) -> Any:
            event = _step_up(slug)
            if current_account() is None:
                return to_sign_in()
            if not may(g.role, action):
                abort(403)
            return route(event, **kwargs)

        checked.needs = action  # type: ignore[attr-defined]  # a mark for the access matrix
        return checked

    return decorate


def _step_up(slug: str) -> EventView:
    """The event with this slug, or 404; sets `g.account` and `g.role`."""
    key = _cookie_key()
    if key is None or "account" in g:
        event = find_event(slug)
        g.role = role_of(session(), event, current_account())
        return event
    event, g.account, g.role = at_the_desk(session(), slug, *key)
    return event


def find_event(slug: str) -> EventView:
    """The event with this slug, or 404."""
    return get_event(session(), slug)


def to_sign_in() -> Response:
    address = request.full_path.rstrip("?") if request.method == "GET" else url_for("pages.start")
    return redirect(url_for("accounts.sign_in", next=address))


def link_token(kind: str, *numbers: int) -> str:
    return make_token(str(current_app.secret_key), kind, *numbers)


def read_link(kind: str, token: str) -> tuple[int, ...]:
    """The numbers in a private link, or 404: a forged link is a mistyped address."""
    numbers = read_token(str(current_app.secret_key), kind, token)
    if numbers is None:
        abort(404)
    return numbers
