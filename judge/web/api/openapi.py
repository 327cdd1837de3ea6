"""What the API takes and gives, as an OpenAPI 3.1 document: declared here once, shown by /api as a page.

Files are described as far as JSON Schema can: the keys and their kinds. What is against the rules of a game
is no fault of the request but a ruling.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from judge import __version__
from judge.core.json_types import JsonObject
from judge.core.messages import LANGS
from judge.web.api.examples import CUP, DISPUTE, SEASON, SWISS
from judge.web.api.shapes import COUNT, SCHEMAS, TEXT, array, ref

JSON = "application/json"
PROBLEM = "application/problem+json"

LANG = {
    "name": "lang",
    "in": "query",
    "description": "Language of the sentences; without it Accept-Language decides.",
    "schema": {"enum": list(LANGS)},
}


def query(name: str, schema: JsonObject, description: str) -> JsonObject:
    return {"name": name, "in": "query", "description": description, "schema": schema}


def path(name: str, example: str) -> JsonObject:
    schema = {"type": "string", "minLength": 1, "pattern": "^[A-Za-z0-9._-]+$"}
    return {"name": name, "in": "path", "required": True, "example": example, "schema": schema}


def problem(description: str) -> JsonObject:
    return {"description": description, "content": {PROBLEM: {"schema": ref("Problem")}}}


COMMON = {
    "422": problem("Something asked for in the address cannot be used; `errors` names it."),
    "429": problem("Too many requests from this address; Retry-After says when to go on."),
}
FILE_FAULTS = {
    "400": problem("The request cannot be read."),
    "413": problem("The body is larger than 8 MiB."),
    "415": problem("The body is neither JSON nor YAML by its content type."),
    "422": problem("The file is malformed; `errors` names every place and what was expected there."),
}


def takes(summary: str, request: JsonObject, example: Any, gives: JsonObject, *more: Any) -> Any:
    """A POST whose body is a file."""
    content = {
        JSON: {"schema": request, "examples": {"example": {"value": example}}},
        "application/yaml": {"schema": request},
    }
    return {
        "post": {
            "summary": summary,
            "parameters": [*more, LANG],
            "requestBody": {"required": True, "content": content},
            "responses": {"200": ok(gives), **COMMON, **FILE_FAULTS},
        }
    }


def gives(summary: str, schema: JsonObject, *parameters: Any, by_name: bool = False) -> Any:
    missing = {"404": problem("Nobody has that name.")} if by_name else {}
    return {
        "get": {
            "summary": summary,
            "parameters": [*parameters, LANG],
            "responses": {"200": ok(schema), **missing, **COMMON},
        }
    }


def ok(schema: JsonObject) -> JsonObject:
    return {"description": "The answer.", "content": {JSON: {"schema": schema}}}


def either(*names: str) -> JsonObject:
    return {"anyOf": [ref(name) for name in names]}


AFTER = query("after", COUNT, "Standings as they were after this round.")
SEED = query("seed", {"type": "integer", "minimum": 0, "maximum": 999_999_999}, "Seed of the draw.")
STAGE = query("stage", COUNT, "Another stage than the one being played, counted from 1.")
EVENT = query("event", {"enum": ["1", "0", "true", "false"]}, "The places of the whole event.")
PLAYER = query("player", TEXT, "This player only, or the team of this member.")
ASKED = query("q", TEXT, "A question in any of the languages, or a name or rule it is about.")
WORDS = query("q", TEXT, "A rule's id, or words that its text has.")

PATHS: JsonObject = {
    "/api/v1/rulings": takes(
        "Rule on a table file",
        either("Table", "Tables"),
        DISPUTE,
        {"anyOf": [ref("Ruling"), array(ref("Ruling"))]},
    ),
    "/api/v1/compare": takes(
        "Rule on a table file under every rulebook: only what differs",
        either("Table", "Tables"),
        DISPUTE,
        {"anyOf": [ref("Comparison"), array(ref("Comparison"))]},
    ),
    "/api/v1/repair": takes(
        "The changes that mend a table which shows something else, or take an event back",
        ref("Mending"),
        {"table": DISPUTE, "shows": {"players": {"A": {"health": 44}, "B": {"cp": 1}}}},
        ref("Changes"),
    ),
    "/api/v1/standings": takes(
        "Standings of a tournament file",
        ref("Tournament"),
        SWISS,
        array(ref("Standing")),
        AFTER,
        STAGE,
        EVENT,
    ),
    "/api/v1/pairings": takes(
        "The next round of a tournament file", ref("Tournament"), SWISS, ref("Pairing"), SEED, STAGE
    ),
    "/api/v1/bracket": takes(
        "The bracket of a tournament file", ref("Tournament"), CUP, ref("Bracket"), STAGE
    ),
    "/api/v1/outlook": takes(
        "What players still need to go on or to be first",
        ref("Tournament"),
        SWISS,
        array(ref("Outlook")),
        PLAYER,
        SEED,
    ),
    "/api/v1/season": takes("The standings of a season", ref("Season"), SEASON, array(ref("SeasonStanding"))),
    "/api/v1/rules": gives("All rules, or those that fit", array(ref("Rule")), WORDS),
    "/api/v1/rules/{rule_id}": gives("One rule", ref("Rule"), path("rule_id", "DT-DMG-04"), by_name=True),
    "/api/v1/answers": gives("All answers, or those to a question", array(ref("Answer")), ASKED),
    "/api/v1/heroes": gives("All heroes of the catalogue", array(ref("Hero"))),
    "/api/v1/heroes/{hero_id}": gives("One hero", ref("Hero"), path("hero_id", "paladin"), by_name=True),
}


SLUG = path("slug", "spring-throne-x7k2")
BEARER: list[JsonObject] = [{"token": []}]
TOKEN_FAULTS = {
    "401": problem("A token of this event is needed."),
    "403": problem("This token may not do that."),
    "404": problem("There is no such event or table."),
}


def of_event(summary: str, schema: JsonObject) -> Any:
    """Public data of an event; 304 while it has not changed."""
    entry = gives(summary, schema, SLUG, by_name=True)
    entry["get"]["responses"]["304"] = {"description": "Not changed since the ETag that was sent."}
    return entry


PATHS |= {
    "/api/v1/events/{slug}": of_event("An event", ref("Event")),
    "/api/v1/events/{slug}/pairings": of_event("The tables of its latest round", ref("EventPairings")),
    "/api/v1/events/{slug}/standings": of_event("Its standings", ref("EventStandings")),
    "/api/v1/events/{slug}/bracket": of_event("Its bracket", ref("EventBracket")),
    "/api/v1/events/{slug}/clock": of_event("Its clock", ref("EventClock")),
    "/api/v1/events/{slug}/players": {
        "get": {
            "summary": "Its players as the desk knows them (token with the scope read)",
            "parameters": [SLUG, LANG],
            "security": BEARER,
            "responses": {"200": ok(array(ref("EventPlayer"))), **TOKEN_FAULTS, **COMMON},
        }
    },
    "/api/v1/events/{slug}/tables/{table}/result": {
        "post": {
            "summary": "Enter the result of a table of the round being played (token with the scope results)",
            "parameters": [SLUG, path("table", "12"), LANG],
            "security": BEARER,
            "requestBody": {
                "required": True,
                "content": {
                    JSON: {
                        "schema": ref("Result"),
                        "examples": {"example": {"value": {"result": "a", "health": [22, 0]}}},
                    }
                },
            },
            "responses": {
                "200": ok(ref("Entered")),
                "409": problem("The table has another result already."),
                **TOKEN_FAULTS,
                **COMMON,
                **FILE_FAULTS,
            },
        }
    },
}


@cache
def document() -> JsonObject:
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "judge",
            "version": __version__,
            "description": "Rulings and tournaments for Dice Throne and Dice Forge. Files in, answers out.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": PATHS,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }
