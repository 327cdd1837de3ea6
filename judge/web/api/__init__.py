"""The HTTP API, with one route for each command: a file in the body, the answer as JSON. No sign-in, no
cookie, no CSRF.

The body is a table or tournament file, as JSON (`application/json`) or YAML (`application/yaml`); `?lang=` or
Accept-Language chooses the language of the sentences. Bad input is a problem document naming every bad field.
`judge.web.api.openapi` declares once what each route takes and returns; it is also the manual page.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, get_args

from flask import Blueprint, Response, current_app, render_template, request
from werkzeug.exceptions import TooManyRequests, UnsupportedMediaType

from judge.core.errors import InputError, fail
from judge.core.messages import Lang
from judge.schemas.files import TooLarge, parse
from judge.services.dispute import compare as comparisons
from judge.services.dispute import repair as mending
from judge.services.dispute import rulings
from judge.services.event import tournament_files as tournaments
from judge.services.event.outlooks import outlook_file
from judge.services.rulebook import rules as rulebooks
from judge.services.rulebook.answers import answers_file
from judge.services.season.season_files import season_file
from judge.web.frame.errors import answer
from judge.web.frame.preferences import language

api = Blueprint("api", __name__)

JSON_TYPES = ("application/json",)
# as registered, and the names in use before (RFC 9512); a body without a type is read as one of our files
YAML_TYPES = ("application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", "")
WINDOW_SECONDS = 60
MOST_PLAYERS = 5_000  # of a tournament; the command takes more


@api.before_request
def limit_rate() -> None:
    """Limit the requests per minute from one address; each process counts for itself."""
    limit = current_app.config["JUDGE_API_RATE"]
    window = int(time.monotonic() // WINDOW_SECONDS)
    counts: dict[Any, int] = current_app.extensions.setdefault("judge.api_counts", {})
    if counts.get("window") != window:
        counts.clear()
        counts["window"] = window
    address = request.remote_addr
    counts[address] = counts.get(address, 0) + 1
    if counts[address] > limit:
        raise TooManyRequests(retry_after=WINDOW_SECONDS)


def body() -> Any:
    """The values of the file in the body."""
    if request.mimetype not in JSON_TYPES + YAML_TYPES:
        raise UnsupportedMediaType
    data = parse(request.get_data(cache=False))
    players = data.get("players") if isinstance(data, dict) else None
    if isinstance(players, list) and len(players) > MOST_PLAYERS:
        raise fail("players", "tournament_too_many_players", n=len(players), high=MOST_PLAYERS)
    return data


# What is sent was built here and holds no circle; looking for one would take a sixth of the time.
_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode


def as_json(value: Any) -> Response:
    return Response(_encode(value), mimetype="application/json")


def query(name: str) -> str | None:
    """The value of a query parameter, which may be given once at most."""
    values = request.args.getlist(name)
    if len(values) > 1:
        raise fail(name, "given_twice")
    return values[0] if values else None


def asked_language() -> Lang:
    """The language of the answer; unlike a page, the API refuses an unknown one."""
    lang = query("lang")
    if lang is not None and lang not in get_args(Lang):
        raise fail("lang", "expected_one_of", words=list(get_args(Lang)))
    return language()


def number(name: str) -> int | None:
    """A whole number in the query, or None."""
    text = query(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise fail(name, "expected_integer")
    return int(text)


def flag(name: str) -> bool:
    """A yes or no in the query: `?event`, `?event=1`, `?event=true`; 0 and false are no."""
    text = query(name)
    if text not in (None, "", "0", "1", "true", "false"):
        raise fail(name, "expected_truth")
    return text in ("", "1", "true")


@api.errorhandler(TooLarge)
def too_large(_error: TooLarge) -> Response:
    return answer(413)


@api.post("/api/v1/rulings")
def rule() -> Response:
    return as_json(rulings.rule_file(body(), asked_language()))


@api.post("/api/v1/compare")
def compare() -> Response:
    return as_json(comparisons.compare_file(body(), asked_language()))


@api.post("/api/v1/repair")
def repair() -> Response:
    return as_json(mending.repair_file(body(), asked_language()))


@api.post("/api/v1/standings")
def standings() -> Response:
    asked_language()
    is_whole = flag("event")
    if is_whole and query("stage") is not None:
        raise fail("stage", "api_event_or_stage")
    return as_json(tournaments.standings_file(body(), number("after"), number("stage"), whole_event=is_whole))


@api.post("/api/v1/pairings")
def pairings() -> Response:
    return as_json(tournaments.pair_file(body(), number("seed") or 0, asked_language(), number("stage")))


@api.post("/api/v1/bracket")
def bracket() -> Response:
    return as_json(tournaments.bracket_file(body(), asked_language(), number("stage")))


@api.post("/api/v1/outlook")
def outlook() -> Response:
    return as_json(outlook_file(body(), query("player"), asked_language(), number("seed") or 0))


@api.post("/api/v1/season")
def season() -> Response:
    asked_language()
    return as_json(season_file(body()))


def look_up(find: Callable[[str, Lang], Any], name: str) -> Response:
    """The thing with this name as JSON; 404 if there is none."""
    lang = asked_language()
    try:
        return as_json(find(name, lang))
    except InputError:
        return answer(404)


@api.get("/api/v1/rules")
def rules() -> Response:
    lang, words = asked_language(), query("q")
    try:
        return as_json(rulebooks.find_rules(words, lang))
    except InputError:  # no rule has these words
        return as_json([])


@api.get("/api/v1/rules/<rule_id>")
def one_rule(rule_id: str) -> Response:
    return look_up(rulebooks.one_rule, rule_id)


@api.get("/api/v1/answers")
def answers() -> Response:
    lang, words = asked_language(), query("q")
    try:
        return as_json(answers_file(words or "", lang))
    except InputError:  # no answer has these words
        return as_json([])


@api.get("/api/v1/heroes")
def heroes() -> Response:
    return as_json(rulebooks.heroes(asked_language()))


@api.get("/api/v1/heroes/<hero_id>")
def one_hero(hero_id: str) -> Response:
    return look_up(rulebooks.hero, hero_id)


@api.get("/api/v1/openapi.json")
def openapi() -> Response:
    from judge.web.api.openapi import document

    return as_json(document())


@api.get("/api")
def manual() -> str:
    from judge.web.api.openapi import document

    return render_template("frame/api.html", document=document())
