"""The public pages of an event: pairings, standings, bracket, clock. No sign-in, not for search engines.

Every page is shared (judge/web/public/page_cache.py): it depends only on the event's version, the language
and the theme.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from typing import NamedTuple

from babel.dates import format_date
from flask import Blueprint, Flask, Response, abort, current_app, request

from judge.core.json_types import JsonObject
from judge.printing.lettering import BOLD, REGULAR, shorten, width
from judge.services.event.timetable import timetable
from judge.services.phone.due import due_of
from judge.services.play.calls import call_of_player, read_open_calls
from judge.services.public.pairing_lists import by_name, find_tables, read_pairings, with_heroes
from judge.services.public.plain_rows import read_plain_rows
from judge.services.public.read_models import Head, Stamp, cached, find_player, read_outline, read_players
from judge.services.public.standings import (
    notes_on_byes,
    player_board,
    read_bracket,
    read_everybody,
    read_scores,
    read_settled,
    standing_lines,
    tiebreaker_names,
    workings,
)
from judge.storage.reader import Reader, reading
from judge.web.frame.preferences import language
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import database
from judge.web.public.page_cache import NOT_INDEXED, Variables, answer, base, draw_each, init_shared, shared
from judge.web.public.private_links import private_numbers

public = Blueprint("public", __name__)
LINES = "public/_pairs.html"
NOT_FOR_ROBOTS = ("/e/", "/me/", "/table/", "/join/", "/events", "/account", "/sign-in")


def init_public(app: Flask) -> None:
    init_shared(app)
    app.jinja_env.globals["public_tabs"] = tabs
    app.jinja_env.filters.update(
        epoch=epoch, clock_time=clock_time, minutes=minutes, day_of=day_of, in_box=in_box
    )
    app.after_request(_keep_from_robots)


def tabs(head: Head) -> list[tuple[str, str]]:
    """The public pages that this event has."""
    pages = [
        ("public.overview", gettext("Pairings")),
        ("public.standings", gettext("Standings")),
        ("public.bracket", gettext("Bracket")),
        ("public.clock", gettext("Clock")),
        ("public.about", gettext("Information")),
    ]
    return [
        tab
        for tab in pages
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
    typed = request.args.get("q", "").strip()[:80]
    return shared(slug, "public/pairings.html", partial(_pairings, typed=typed), keep=not typed)


def _pairings(reader: Reader, stamp: Stamp, head: Head, typed: str) -> Variables:
    pairings = read_pairings(reader, stamp)
    if pairings is None:
        return {"pairings": None, "players": read_players(reader, stamp), "frame": False}
    pairings = with_heroes(pairings, head, language())
    by = "name" if request.args.get("by") == "name" else "table"
    top = draw_each(LINES, "top", [Top(pairings.round.stage, pairings.round.number, pairings.missing)])
    values = {"pairings": pairings, "q": typed, "by": by, "has_rounds": True, "frame": True}
    if typed:
        tables = find_tables(pairings, typed)
        return {**values, "count": len(tables), "top": top, "lines": draw_each(LINES, "pair", tables)}
    if by == "name":
        lines = draw_each(LINES, "player", by_name(pairings))
    else:
        lines = draw_each(LINES, "pair", (*pairings.tables, *pairings.byes))
    return {**values, "shell": pairings.round, "slots": {"top": top, "lines": lines}}


class Top(NamedTuple):
    """The heading above the pairings."""

    stage: int
    number: int
    missing: int


@public.get("/e/<slug>/clock")
def clock(slug: str) -> Response:
    return shared(slug, "public/clock.html", _clock)


def _clock(reader: Reader, stamp: Stamp, head: Head) -> Variables:
    pairings = read_pairings(reader, stamp)
    extended = [p for p in pairings.tables if p.extension_s and p.won is None] if pairings else []
    return {"pairings": pairings, "extended": extended}


@public.get("/e/<slug>/standings")
def standings(slug: str) -> Response:
    return shared(slug, "public/standings.html", standings_values)


def standings_values(reader: Reader, stamp: Stamp, head: Head) -> Variables:
    scores, at = read_scores(reader, stamp), base(head)
    tables = [
        (group, draw_each("public/_standings.html", "line", ((at, line) for line in lines)))
        for group, lines in groupby(standing_lines(scores, language()), key=lambda line: line.group)
    ]
    return {
        "scores": scores,
        "tables": tables,
        "tiebreakers": tiebreaker_names(scores, language()),
        "byes_notes": notes_on_byes(scores, language()),
    }


@public.get("/e/<slug>/standings/<int:player>")
def player(slug: str, player: int) -> Response:
    """A player's results, and the arithmetic of each tie-breaker."""
    return shared(slug, "public/player.html", partial(player_values, number=player), keep=False)


def player_values(reader: Reader, stamp: Stamp, head: Head, number: int) -> Variables:
    scores = read_scores(reader, stamp)
    lines = standing_lines(scores, language())
    line = next((line for line in lines if line.player == number), None)
    if line is None:
        abort(404)
    games = read_everybody(reader, stamp).games[number]
    works = workings(scores, number, language())
    count = sum(other.group == line.group for other in lines)
    return {
        "line": line, "games_of": games, "works": works, "count": count, "has_scores": has_scores(head),
    }  # fmt: skip


def has_scores(head: Head) -> bool:
    """Whether a pod's scores say more than its places."""
    return (head.settings.get("format") or {}).get("counts") != "places"


@public.get("/e/<slug>/bracket")
def bracket(slug: str) -> Response:
    return shared(
        slug,
        "public/bracket.html",
        lambda reader, stamp, _: {"board": read_bracket(reader, stamp, language())},
    )


@public.get("/e/<slug>/about")
def about(slug: str) -> Response:
    """Place, description and schedule, with the end as it is expected. It depends on the time of day."""
    return shared(slug, "public/about.html", _about, keep=False)


def _about(reader: Reader, stamp: Stamp, head: Head) -> Variables:
    settings = head.settings
    return {
        "day": format_date(head.day, "full", locale=language()),
        "times": timetable(read_plain_rows(reader, stamp), datetime.now(UTC)),
        **{key: settings.get(key, "") for key in ("starts_at", "place", "about")},
    }


@public.get("/me/<token>")
def me(token: str) -> Response:
    """A player's private page: next table, opponent, results, and how to report."""
    number, link = private_numbers("player", token)
    with reading(database().engine) as reader:
        player = find_player(reader, number)
        if player is None or player.link != link or player.is_erased:
            abort(410)
        values = partial(_me, number=number, token=token, declared=player.declared)
        return answer(reader, player.stamp, "public/me.html", values, keep=False)


def _me(
    reader: Reader, stamp: Stamp, head: Head, number: int, token: str, declared: JsonObject | None
) -> Variables:
    people, settled = read_everybody(reader, stamp), read_settled(reader, stamp)
    board = player_board(people, number, settled, language())
    assert board is not None, "found a moment ago"
    rounds = read_outline(reader, stamp).rounds
    calls = cached(reader, "calls", stamp, lambda: read_open_calls(reader, stamp.id))
    values = {
        "board": board,
        "face": rounds[-1].clock if rounds else None,
        "report": f"{request.script_root}/me/{token}/report",
        "call": f"{request.script_root}/me/{token}/call",
        "me": f"{request.script_root}/me/{token}",
        "due": due_of(people.rows, number, board, declared, language()),
        "called": call_of_player(calls, number, board.now.match_id if board.now else 0),
        "has_scores": has_scores(head),
        "bye_wins": (head.settings.get("scoring") or {}).get("bye", 3) > 0,
    }
    return {**values, "same": tuple(values.values())}


NAME_PX = 14  # the size of names in the drawing of a bracket (public.css)


def in_box(name: str, room: float, is_bold: bool) -> str:
    """A name shortened to a width in pixels, measured with a font that is wider than most."""
    font = BOLD if is_bold else REGULAR
    return name if width(name, font, NAME_PX) <= room else shorten(name, font, NAME_PX, room)


# -- how templates write times ------------------------------------------------------------------------------


def epoch(moment: datetime) -> int:
    """Milliseconds, as JavaScript counts."""
    return round(moment.timestamp() * 1000)


def clock_time(moment: datetime) -> str:
    """The time of day at the server, which is in the hall."""
    return moment.astimezone().strftime("%H:%M")


def day_of(moment: datetime) -> str:
    """The day, short: Sat 14 Nov."""
    return str(format_date(moment.date(), "EEE d MMM", locale=language()))


def minutes(seconds: int) -> str:
    sign = "−" if seconds < 0 else ""
    return f"{sign}{abs(seconds) // 60}:{abs(seconds) % 60:02d}"
