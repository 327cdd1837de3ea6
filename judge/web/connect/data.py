"""An event as JSON for other programs: public data without a token, players and results with one; a
calendar; and standings and bracket as pages that other sites may embed.

Public answers carry an ETag made of the event's version, and any site may read them (CORS). They are declared
in judge.web.api.openapi.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from zlib import crc32

from flask import Blueprint, Response, abort, render_template, request

from judge.core.errors import Missing, fail
from judge.core.json_types import JsonObject
from judge.core.messages import Lang, Message
from judge.schemas.shape import Fields, is_digits, number
from judge.services.connect import public_data
from judge.services.connect.calendar import Entry, calendar
from judge.services.connect.tokens import TokenView, find_scope, may
from judge.services.event.event_view import AnyEvent, EventView, get_event
from judge.services.event.timetable import Timetable, timetable
from judge.services.log.changes import Actor
from judge.services.play.outcomes import RESULTS, Outcome
from judge.services.play.results import enter, find_table
from judge.services.players.roster import players_of
from judge.services.public.plain_rows import read_plain_rows
from judge.services.public.read_models import Head, Stamp, cached, find_stamp, read_outline
from judge.services.public.standings import read_bracket, read_scores, standing_lines
from judge.storage.reader import Reader, reading
from judge.web.api import as_json, asked_language, body, limit_rate
from judge.web.frame.errors import answer
from judge.web.frame.links import absolute_url
from judge.web.frame.preferences import language
from judge.web.frame.security import CONTENT
from judge.web.frame.texts import gettext
from judge.web.frame.transaction import database, session
from judge.web.log.undo_offer import spoken
from judge.web.public.page_cache import build

data = Blueprint("data", __name__)
data.before_request(limit_rate)
Build = Callable[[Reader, Stamp, Lang], JsonObject]
RESULT_KEYS = ("result", "how", "health", "games")
EMBEDDABLE = CONTENT.replace("frame-ancestors 'none'", "frame-ancestors *")


def _public(slug: str, kind: str, build_data: Build) -> Response:
    """The data of this version of the event, or 304 if the reader has it."""
    lang = asked_language()
    with reading(database().engine) as reader:
        stamp = find_stamp(reader, slug)
        if stamp is None:
            return answer(404)
        tag = f'"{stamp.id}.{crc32(stamp.born.encode()):x}.{stamp.version}.{kind}.{lang}.{build()}"'
        if request.headers.get("If-None-Match") == tag:
            response = Response(status=304)
        else:
            text = cached(
                reader, "json", stamp, lambda: as_json(build_data(reader, stamp, lang)).get_data(), kind, lang
            )
            response = Response(text, mimetype="application/json")
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Access-Control-Expose-Headers"] = "ETag"
    response.headers["Vary"] = "Accept-Language"
    return response


@data.get("/api/v1/events/<slug>")
def event(slug: str) -> Response:
    return _public(slug, "event", public_data.event_data)


@data.get("/api/v1/events/<slug>/pairings")
def pairings(slug: str) -> Response:
    return _public(slug, "pairings", public_data.pairings_data)


@data.get("/api/v1/events/<slug>/standings")
def standings(slug: str) -> Response:
    return _public(slug, "standings", public_data.standings_data)


@data.get("/api/v1/events/<slug>/bracket")
def bracket(slug: str) -> Response:
    return _public(slug, "bracket", public_data.bracket_data)


@data.get("/api/v1/events/<slug>/clock")
def clock(slug: str) -> Response:
    return _public(slug, "clock", public_data.clock_data)


# -- with a token -------------------------------------------------------------------------------------------


class NoToken(Exception):
    """The request has no token of this event, or one that may not do this."""

    def __init__(self, status: int, reason: Message) -> None:
        super().__init__(reason.key)
        self.status, self.reason = status, reason


@data.errorhandler(NoToken)
def no_token(error: NoToken) -> Response:
    response = answer(error.status, spoken(error.reason))
    if error.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _token(event: AnyEvent, scope: str) -> TokenView:
    kind, _, word = request.headers.get("Authorization", "").partition(" ")
    token = find_scope(session(), event, word.strip()) if kind.lower() == "bearer" else None
    if token is None:
        raise NoToken(401, Message("connect_api_token"))
    if not may(token, scope):
        raise NoToken(403, Message("connect_api_scope"))
    return token


def _event(slug: str) -> EventView:
    return get_event(session(), slug)


@data.get("/api/v1/events/<slug>/players")
def players(slug: str) -> Response:
    """Everybody as the desk knows them; needs a token with the scope `read`."""
    asked_language()
    event = _event(slug)
    _token(event, "read")
    return as_json([
        {
            "id": p.id, "name": p.name, "public_name": p.public_name, "club": p.club, "state": p.state,
            "seed": p.seed, "heroes": list(p.heroes),
        }
        for p in players_of(session(), event)
    ])  # fmt: skip


@data.post("/api/v1/events/<slug>/tables/<table>/result")
def result(slug: str, table: str) -> Response:
    """Enter the result of a table of the round being played; needs a token with the scope `results`."""
    asked_language()
    event = _event(slug)
    token = _token(event, "results")
    outcome = _outcome(body())
    match = find_table(session(), event, int(table)) if is_digits(table) and len(table) < 6 else None
    if match is None:
        raise Missing(Message("connect_no_table"))
    change = enter(session(), event, Actor(token.name), match, outcome, is_sure=True)
    return as_json({"table": int(table), "result": outcome.result, "changed": change.entry is not None})


def _outcome(value: Any) -> Outcome:
    """The result in the body, in the words of a tournament file."""
    if not isinstance(value, dict):
        raise fail("", "expected_mapping")
    asked = Fields(value, "", RESULT_KEYS)
    result, how = value.get("result"), value.get("how")
    if result not in RESULTS:
        asked.fault("result", "expected_one_of", words=list(RESULTS))
    if how not in (None, "intentional-draw", "concession"):
        asked.fault("how", "expected_one_of", words=["intentional-draw", "concession"])
    health = asked.get("health", _numbers, None, 2)
    games = asked.get("games", _numbers, None, 3)
    asked.done()
    a, b = health if health else (None, None)
    return Outcome(str(result), how, a, b, tuple(games) if games else None)  # type: ignore[arg-type]


def _numbers(value: Any, path: str, count: int) -> list[int]:
    if not isinstance(value, list) or len(value) not in (count, 2):
        raise fail(path, "expected_list")
    numbers = [number(entry, f"{path}[{n}]", 0, 999) for n, entry in enumerate(value, start=1)]
    return numbers + [0] * (count - len(numbers))


# -- a calendar, and pages to embed -------------------------------------------------------------------------


@data.get("/e/<slug>/event.ics")
def ical(slug: str) -> Response:
    now = datetime.now(UTC)
    with reading(database().engine) as reader:
        stamp = find_stamp(reader, slug) or abort(404)
        head = read_outline(reader, stamp).head
        entries = _entries(head, timetable(read_plain_rows(reader, stamp), now))
    text = calendar(entries, now, absolute_url("public.overview", slug=slug))
    return Response(text, mimetype="text/calendar")


def _entries(head: Head, times: Timetable) -> list[Entry]:
    """The event as a whole, each of its stages, and what else the schedule names."""
    place, about = (str(head.settings.get(key) or "") for key in ("place", "about"))
    starts = times.stretches[0].starts if times.stretches else None
    ends = times.planned_end if times.days == 1 else None
    entries = [Entry(head.slug, head.name, head.day, starts, ends, place, about)]
    for stretch in times.stretches:
        if stretch.starts and stretch.rounds:
            last = stretch.first + stretch.rounds - 1
            rounds = gettext("rounds %(first)s to %(last)s", first=stretch.first, last=last)
            summary = f"{head.name}: {stretch.name or rounds}"
            name = f"{head.slug}-stage-{stretch.stage}"
            entries.append(Entry(name, summary, head.day, stretch.starts, stretch.ends, place))
    for n, occasion in enumerate(times.occasions, start=1):
        summary = f"{head.name}: {occasion.text}"
        entries.append(Entry(f"{head.slug}-{n}", summary, head.day, occasion.at, occasion.ends, place))
    return entries


@data.get("/embed/<slug>/standings")
def embed_standings(slug: str) -> Response:
    return _embedded(slug, "connect/embed_standings.html", lambda reader, stamp: {
        "scores": read_scores(reader, stamp),
        "lines": standing_lines(read_scores(reader, stamp), language()),
    })  # fmt: skip


@data.get("/embed/<slug>/bracket")
def embed_bracket(slug: str) -> Response:
    return _embedded(
        slug,
        "connect/embed_bracket.html",
        lambda reader, stamp: {"board": read_bracket(reader, stamp, language())},
    )


def _embedded(slug: str, template: str, values: Callable[[Reader, Stamp], JsonObject]) -> Response:
    """A bare page that other sites may show in a frame. It has no forms and knows no account."""
    with reading(database().engine) as reader:
        stamp = find_stamp(reader, slug) or abort(404)
        head = read_outline(reader, stamp).head
        page = render_template(template, event=head, **values(reader, stamp))
    response = Response(page)
    response.headers["Content-Security-Policy"] = EMBEDDABLE
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    response.headers["Cache-Control"] = "no-cache"
    return response
