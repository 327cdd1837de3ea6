"""Who is asking, and whether they may. A route of an event's staff says `@needs("enter-result")`:

    @results.post("/e/<slug>/desk/results")
    @needs("enter-result")
    def enter(event: EventView) -> ResponseReturnValue: ...

It is handed the event as it was read; `g.role` and `actor()` say who acts. Nobody signed in: to the sign-in
page and back again; signed in without the right: 403.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Flask, Response, abort, current_app, g, request, url_for
from flask import session as cookie

from judge.services.accounts.account_view import AccountView
from judge.services.accounts.accounts import at_the_desk, find_account, make_token, read_token, role_of
from judge.services.accounts.roles import may
from judge.services.event.event_view import EventView, get_event
from judge.services.log.changes import Actor
from judge.web.frame.links import redirect
from judge.web.frame.transaction import session


def init_access(app: Flask) -> None:
    app.context_processor(_who)


def _who() -> dict[str, Any]:
    """For templates: who is signed in, and what they may do at this event."""
    return {"account": current_account(), "may": lambda action: may(g.get("role"), action)}


def current_account() -> AccountView | None:
    """Whoever is signed in on this browser."""
    if "account" not in g:
        known = _known()
        g.account = find_account(session(), *known) if known else None
    account: AccountView | None = g.account
    return account


def _known() -> list[Any] | None:
    """Number and epoch of the account in the cookie."""
    known = cookie.get("account")
    return known if isinstance(known, list) and len(known) == 2 else None


def remember(account: AccountView) -> None:
    """Sign this browser in; a fresh session, so that an older one cannot be carried over."""
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
    """The event of this address, or 404; `g` says who asks and what they are there."""
    known = _known()
    if known is None or "account" in g:
        event = find_event(slug)
        g.role = role_of(session(), event, current_account())
        return event
    event, g.account, g.role = at_the_desk(session(), slug, *known)
    return event


def find_event(slug: str) -> EventView:
    """The event of this address, or 404."""
    return get_event(session(), slug)


def to_sign_in() -> Response:
    wanted = request.full_path.rstrip("?") if request.method == "GET" else url_for("pages.start")
    return redirect(url_for("accounts.sign_in", next=wanted))


def link_token(kind: str, *numbers: int) -> str:
    return make_token(str(current_app.secret_key), kind, *numbers)


def read_link(kind: str, token: str) -> tuple[int, ...]:
    """The numbers in a private link, or 404: a forged link is a mistyped address."""
    numbers = read_token(str(current_app.secret_key), kind, token)
    if numbers is None:
        abort(404)
    return numbers
