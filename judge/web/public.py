"""An event as everybody may see it: pairings, standings, bracket, clock. No sign-in, not for search engines.

Every page here is shared (judge/web/shared.py): it depends on the event's version, the language and the light
or dark, and on nothing else.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from flask import Blueprint, Flask, Response, current_app, request
from flask_babel import gettext

from judge.services.boards import (
    Head,
    Stamp,
    by_name,
    find_tables,
    read_pairings,
    read_players,
)
from judge.storage.reader import Reader
from judge.web.shared import NOT_INDEXED, base, draw_each, shared

public = Blueprint("public", __name__)
LINES = "public/_pairs.html"
NOT_FOR_ROBOTS = ("/e/", "/me/", "/table/", "/join/", "/events", "/account", "/sign-in")


def init_public(app: Flask) -> None:
    app.jinja_env.globals["public_tabs"] = tabs
    app.jinja_env.filters.update(epoch=epoch, clock_time=clock_time, minutes=minutes)
    app.after_request(_keep_from_robots)


def tabs(head: Head) -> list[tuple[str, str]]:
    """The pages that this event has."""
    found = [
        ("public.overview", gettext("Pairings")),
        ("public.standings", gettext("Standings")),
        ("public.bracket", gettext("Bracket")),
        ("public.clock", gettext("Clock")),
    ]
    return [
        tab
        for tab in found
        if tab[0] in current_app.view_functions and (head.has_bracket or tab[0] != "public.bracket")
    ]


def _keep_from_robots(response: Response) -> Response:
    if request.path.startswith(NOT_FOR_ROBOTS):
        response.headers.setdefault("X-Robots-Tag", NOT_INDEXED)
    return response


@public.get("/robots.txt")
def robots() -> Response:
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in NOT_FOR_ROBOTS)]
    return Response("\n".join(lines) + "\n", mimetype="text/plain")


@public.get("/e/<slug>")
def overview(slug: str) -> Response:
    wanted = request.args.get("q", "").strip()[:80]
    return shared(slug, "public/pairings.html", lambda *at: _pairings(*at, wanted), keep=not wanted)


def _pairings(reader: Reader, stamp: Stamp, head: Head, wanted: str) -> dict[str, Any]:
    found = read_pairings(reader, stamp)
    if found is None:
        return {"found": None, "players": read_players(reader, stamp), "frame": False}
    by = "name" if request.args.get("by") == "name" else "table"
    top = draw_each(LINES, "top", [Top(found.round.stage, found.round.number, found.missing)])
    values = {"found": found, "q": wanted, "by": by, "has_rounds": True, "frame": True, "top": top}
    if wanted:
        tables = find_tables(found, wanted)
        return {**values, "count": len(tables), "lines": draw_each(LINES, "pair", tables)}
    values["order"] = draw_each(LINES, "order", [(base(head), by)])
    if by == "name":
        return {**values, "lines": draw_each(LINES, "player", by_name(found))}
    return {**values, "lines": draw_each(LINES, "pair", (*found.tables, *found.byes))}


class Top(NamedTuple):
    """The heading above the pairings."""

    stage: int
    number: int
    missing: int


@public.get("/e/<slug>/clock")
def clock(slug: str) -> Response:
    return shared(slug, "public/clock.html", _clock)


def _clock(reader: Reader, stamp: Stamp, head: Head) -> dict[str, Any]:
    found = read_pairings(reader, stamp)
    playing = [p for p in found.tables if p.extension_s and p.won is None] if found else []
    return {"found": found, "extended": playing}


# -- how templates write times ------------------------------------------------------------------------------


def epoch(moment: datetime) -> int:
    """Milliseconds, as JavaScript counts."""
    return round(moment.timestamp() * 1000)


def clock_time(moment: datetime) -> str:
    """The time of day where the server stands: in the hall."""
    return moment.astimezone().strftime("%H:%M")


def minutes(seconds: int) -> str:
    sign = "−" if seconds < 0 else ""
    return f"{sign}{abs(seconds) // 60}:{abs(seconds) % 60:02d}"
