"""Identifies the account of a request and checks its rights. A route for an event's staff has `@needs`:

@results.post("/e/<slug>/desk/results") @needs("enter-result") def enter(event: EventView) ->
ResponseReturnValue: ...

The route gets the event; `g.role` and `actor()` say who acts. Without an account the request goes to the
sign-in page and back; with an account that lacks the right it is answered with 403.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Flask, Response, abort, current_app, g, request, url_for
from flask import session as cookie

from judge.core.json_types import JsonObject
from judge.services.accounts.account_view import AccountView
from judge.services.accounts.accounts import at_the_desk, find_account, make_token, read_token, role_of
from judge.services.accounts.roles import may
from judge.services.event.event_view import EventView, get_event
from judge.services.log.changes import Actor
from judge.web.frame.links import redirect
from judge.web.frame.transaction import session


def init_access(app: Flask) -> None:
    app.context_processor(_variables)


def _variables() -> JsonObject:
    """Template variables: the account, and what it may do at this event."""
    return {"account": current_account(), "may": lambda action: may(g.get("role"), action)}


def current_account() -> AccountView | None:
    """The account that is signed in on this browser."""
    if "account" not in g:
        key = _cookie_key()
        g.account = find_account(session(), *key) if key else None
    account: AccountView | None = g.account
    return account


def _cookie_key() -> list[int] | None:
    """The id and epoch of the account in the cookie."""
    key = cookie.get("account")
    return key if isinstance(key, list) and len(key) == 2 else None


def remember(account: AccountView) -> None:
    """Sign this browser in with a new session, so that an older one cannot be reused."""
    cookie.clear()
    cookie["account"] = [account.id, account.epoch]
    cookie.permanent = True
    g.account = account


def forget() -> None:
    cookie.clear()
    g.account = None


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
