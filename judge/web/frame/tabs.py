"""The tabs of an event's desk: `{% include "event/_tabs.html" %}` on every page that is given `event`.

A tab is shown if its page exists and the reader's role may open it. A page below a tab (a match, a preview)
belongs to the tab of its blueprint, or names it: `{% set tab = "rounds" %}` before the include.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flask import Flask, current_app, g, request, url_for

from judge.services.accounts.roles import may
from judge.services.event.event_view import EventView
from judge.services.play.calls import count_waiting
from judge.web.frame.texts import LazyText, lazy_gettext
from judge.web.frame.transaction import session


@dataclass(frozen=True, slots=True)
class Tab:
    name: str
    endpoint: str
    label: LazyText
    action: str


@dataclass(frozen=True, slots=True)
class TabLink:
    """A tab as the page draws it; `counts` is the endpoint that updates its `count`."""

    label: LazyText
    href: str
    is_current: bool
    count: int | None = None
    counts: str | None = None


TABS = (
    Tab("desk", "desk.dashboard", lazy_gettext("Desk"), "see-desk"),
    Tab("players", "players.roster", lazy_gettext("Players"), "see-desk"),
    Tab("rounds", "rounds.current", lazy_gettext("Rounds"), "see-desk"),
    Tab("results", "results.entry", lazy_gettext("Results"), "enter-result"),
    Tab("standings", "desk.standings", lazy_gettext("Standings"), "see-desk"),
    Tab("judging", "calls.queue", lazy_gettext("Judging"), "see-desk"),
    Tab("clock", "clock.desk", lazy_gettext("Clock"), "run-clock"),
    Tab("files", "files.index", lazy_gettext("Print and files"), "print"),
    Tab("log", "log.index", lazy_gettext("Log"), "see-log"),
    Tab("connect", "connect.page", lazy_gettext("Connect"), "connect"),
    Tab("staff", "staff.page", lazy_gettext("Staff"), "manage-staff"),
    Tab("settings", "events.settings", lazy_gettext("Settings"), "edit-event"),
)


# The pages of the tab "Judging", each with its own address.
JUDGING = (
    Tab("calls", "calls.queue", lazy_gettext("Calls"), "see-desk"),
    Tab("rulings", "rulings.index", lazy_gettext("Rulings"), "rule"),
    Tab("answers", "own_answers.index", lazy_gettext("Answers"), "see-desk"),
    Tab("penalties", "penalties.index", lazy_gettext("Penalties"), "see-desk"),
    Tab("catalogue", "catalogue.index", lazy_gettext("Catalogue"), "see-desk"),
)


def init_tabs(app: Flask) -> None:
    app.jinja_env.globals.update(tabs_of=tabs_of, judging_of=judging_of, endpoints=app.view_functions)


def tabs_of(event: EventView, current: str | None = None) -> Iterator[TabLink]:
    current = current or next((t.name for t in TABS if t.endpoint == request.endpoint), request.blueprint)
    for tab in TABS:
        if tab.endpoint in current_app.view_functions and may(g.get("role"), tab.action):
            waits = tab.name == "judging"
            yield TabLink(
                tab.label,
                url_for(tab.endpoint, slug=event.slug),
                tab.name == current,
                count_waiting(session(), event) if waits else None,
                "calls.count" if waits else None,
            )


def judging_of(event: EventView) -> Iterator[TabLink]:
    for tab in JUDGING:
        if tab.endpoint in current_app.view_functions and may(g.get("role"), tab.action):
            address = url_for(tab.endpoint, slug=event.slug)
            is_current = request.blueprint == tab.endpoint.partition(".")[0]
            yield TabLink(tab.label, address, is_current)
