"""What the API takes and gives, as an OpenAPI 3.1 document: declared here once, shown by /api as a page.

Files are described as far as JSON Schema can: the keys and their kinds. What is against the rules of a game
is no fault of the request but a ruling.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from judge import __version__
from judge.core.games import DICE_THRONE, GAME_IDS
from judge.core.json_types import JsonObject
from judge.core.messages import LANGS
from judge.rules.dice_throne.state.table import MODES
from judge.schemas.books import books, newest
from judge.services.play.outcomes import RESULTS
from judge.tournament.formats import SINGLE_ELIMINATION

JSON = "application/json"
PROBLEM = "application/problem+json"
TEXT = {"type": "string"}
WORD = {"type": ["string", "integer"]}  # a player may be called 7
COUNT = {"type": "integer", "minimum": 0}
LIST = {"type": "array"}
ANY = {"type": "object"}

DISPUTE = {
    "id": "table 7",
    "game": DICE_THRONE,
    "edition": newest(DICE_THRONE).id,
    "mode": "duel",
    "players": [
        {"id": "A", "hero": "barbarian"},
        {"id": "B", "hero": "paladin", "cp": 1, "statuses": {"retribution": 1, "protect": 1}},
    ],
    "turn": {"active": "A"},
    "events": [
        {"by": "A", "activate": "overpower", "on": "B", "effects": [{"deal": 18, "type": "normal"}]},
        {"by": "B", "spend": "retribution"},
        {"by": "B", "spend": "protect"},
        {"by": "B", "defend": "divine-defense", "effects": [{"prevent": 3}, {"gain": "protect"}]},
        {"by": "A", "play": "get-some", "effects": [{"add": 5}, {"inflict": "concussion"}]},
        {"by": "B", "play": "absolution", "effects": [{"prevent": 3}]},
        {"by": "B", "spend": "protect"},
    ],
    "claims": [{"by": "B", "player": "B", "final": 4}],
}
SWISS = {
    "tournament": 1,
    "name": "Spring Throne",
    "game": DICE_THRONE,
    "preset": "dice-throne-ranked",
    "players": ["Ana", {"name": "Ben", "club": "Lyon"}, "Cleo", "Dov", "Eva"],
    "rounds": [
        [
            {"a": "Ana", "b": "Ben", "result": "a", "health": [22, 0]},
            {"a": "Cleo", "b": "Dov", "result": "draw", "health": [4, 4]},
            {"a": "Eva", "result": "bye"},
        ]
    ],
}
CUP = {
    "tournament": 1,
    "name": "Spring Cup",
    "game": DICE_THRONE,
    "format": {"kind": SINGLE_ELIMINATION.id},
    "players": ["Ana", "Ben", "Cleo", "Dov"],
    "rounds": [[{"a": "Ana", "b": "Dov", "result": "a"}, {"a": "Ben", "b": "Cleo", "result": "b"}]],
}


SEASON = {
    "season": 1,
    "name": "Age of Example",
    "points": {"places": [10, 7, 5, 5], "taking_part": 1},
    "best": 5,
    "events": [
        {"name": "March", "standings": [{"player": "Ana", "rank": 1}, {"player": "Ben", "rank": 2}]},
        {"tournament": SWISS},
    ],
}


def obj(required: list[str], **properties: Any) -> JsonObject:
    return {"type": "object", "required": required, "properties": properties}


def or_nothing(schema: JsonObject) -> JsonObject:
    """A key without a value is the same as no key."""
    return {"anyOf": [schema, {"type": "null"}]}


def ref(name: str) -> JsonObject:
    return {"$ref": f"#/components/schemas/{name}"}


def array(of: JsonObject) -> JsonObject:
    return {"type": "array", "items": of}


SCHEMAS: JsonObject = {
    "Table": obj(
        ["game", "players"],
        id=or_nothing(WORD),
        title=or_nothing(WORD),
        note=or_nothing(WORD),
        game={"enum": list(GAME_IDS)},
        edition={"enum": [*(book.id for game in GAME_IDS for book in books(game)), None]},
        mode={"enum": [*MODES, None]},
        players=array(obj(["id"], id=WORD)),
        turn=or_nothing(ANY),
        events=or_nothing(array(ANY)),
        claims=or_nothing(array(ANY)),
        catalogue=or_nothing(ANY),
        teams=or_nothing(ANY),
        expect=or_nothing(ANY),
        rulings=or_nothing(ANY),
    ),
    "Tables": obj(["tables"], tables=array(ref("Table"))),
    "Step": obj(["says", "rules", "events"], says=TEXT, rules=array(TEXT), events=LIST),
    "Ruling": obj(
        ["game", "edition", "events", "resolutions", "players", "may", "outcome", "steps", "citations"],
        game=TEXT,
        edition=TEXT,
        events=array(
            obj(
                ["n", "verdict", "rules", "says"],
                n={"type": "integer", "minimum": 1},
                verdict={"enum": ["legal", "illegal", "discretion"]},
                rules=array(TEXT),
                says=TEXT,
            )
        ),
        order=array(ANY),
        resolutions=array(ANY),
        players=ANY,
        turn=ANY,
        may=ANY,
        outcome=obj(["state"], state={"enum": ["playing", "won", "draw", "shared"]}),
        discretion=array(TEXT),
        lost=ANY,
        steps=array(ref("Step")),
        citations=ANY,
        claims=array(ANY),
    ),
    "Comparison": obj(
        ["editions", "differences", "rules"],
        editions=array(TEXT),
        differences=array(obj(["path", "values"], path=TEXT, values=ANY)),
        rules=array(obj(["id", "editions", "text"], id=TEXT, editions=array(TEXT), text=TEXT)),
    ),
    "Mending": obj(
        ["table"],
        table=ref("Table"),
        shows=or_nothing(obj([], players={"type": ["object", "array", "null"]}, teams=or_nothing(ANY))),
        illegal=or_nothing({"type": "integer", "minimum": 1}),
    ),
    "Changes": obj(
        ["changes", "says"],
        changes=array(
            obj(
                ["kind", "player", "what", "says"],
                kind={"enum": ["dial", "token", "card", "board"]},
                player=TEXT,
                what=TEXT,
                says=TEXT,
            )
        ),
        says=TEXT,
    ),
    "Tournament": obj(
        ["players"],
        tournament={"const": 1},
        name=or_nothing(WORD),
        game=or_nothing(WORD),
        preset=or_nothing(WORD),
        format=or_nothing(ANY),
        scoring=or_nothing(ANY),
        best_of=or_nothing({"type": "integer", "minimum": 1}),
        tiebreakers=or_nothing(array(TEXT)),
        players=LIST,
        drops=or_nothing(ANY),
        late=or_nothing(ANY),
        byes=or_nothing(ANY),
        half_byes=or_nothing(ANY),
        absent=or_nothing(ANY),
        rounds=or_nothing(LIST),
        stages=or_nothing(LIST),
    ),
    "Standing": obj(
        ["rank", "player", "points", "record", "byes", "tiebreakers"],
        rank={"type": "integer", "minimum": 1},
        group={"type": "integer", "minimum": 1},
        stage={"type": "integer", "minimum": 1},
        player=TEXT,
        points={"type": "number"},
        record=TEXT,
        byes=COUNT,
        tiebreakers=ANY,
    ),
    "Pairing": obj(
        ["round", "tables", "cost", "optimal", "seed"],
        round={"type": "integer", "minimum": 1},
        tables=array(ANY),
        cost=ANY,
        optimal={"type": "boolean"},
        seed=COUNT,
        stage={"type": "integer", "minimum": 1},
    ),
    "Outlook": obj(
        ["player", "state", "needs", "draw_is_safe", "exact"],
        player=TEXT,
        state={"enum": ["in", "out", "open"]},
        needs=TEXT,
        draw_is_safe={"type": "boolean"},
        exact={"type": "boolean"},
        chance={"type": "number", "minimum": 0, "maximum": 1},
        error={"type": "number", "minimum": 0},
    ),
    "Season": obj(
        ["points", "events"],
        season={"const": 1},
        name=or_nothing(WORD),
        points=ANY,
        best=or_nothing({"type": "integer", "minimum": 1}),
        events=LIST,
    ),
    "SeasonStanding": obj(
        ["rank", "player", "points", "events", "dropped"],
        rank={"type": "integer", "minimum": 1},
        player=TEXT,
        points={"type": "number"},
        events=array(ANY),
        dropped=array(ANY),
    ),
    "Bracket": obj(["kind", "rounds", "layout"], kind=TEXT, rounds=array(ANY), layout=ANY),
    "Rule": obj(["id", "game", "kind", "text", "books"], id=TEXT, game=TEXT, kind=TEXT, text=TEXT, books=ANY),
    "Answer": obj(
        ["id", "game", "subject", "question", "answer", "authority", "source", "rules", "differs"],
        **dict.fromkeys(("id", "game", "subject", "question", "answer", "authority", "source"), TEXT),
        rules=array(TEXT),
        differs=ANY,
    ),
    "Hero": obj(["id", "name"], id=TEXT, name=TEXT, season=TEXT, partial={"type": "boolean"}),
    "Problem": obj(
        ["title", "status", "detail"],
        type=TEXT,
        title=TEXT,
        status={"type": "integer"},
        detail=TEXT,
        request_id=TEXT,
        errors=array(obj(["path", "says"], path=TEXT, says=TEXT)),
    ),
}

MAYBE_TEXT = {"type": ["string", "null"]}
MAYBE_COUNT = {"type": ["integer", "null"]}
ROUND = obj(
    ["number", "stage"], number={"type": "integer"}, stage={"type": "integer"}, published_at=MAYBE_TEXT
)
EVENTS: JsonObject = {
    "Event": obj(
        ["slug", "name", "day", "state", "rounds", "version"],
        slug=TEXT,
        name=TEXT,
        day={"type": "string", "format": "date"},
        state={"enum": ["setup", "running", "finished"]},
        rounds=array(ROUND),
        has_bracket={"type": "boolean"},
        version={"type": "integer"},
    ),
    "EventPairings": obj(
        ["round", "tables", "byes", "missing"],
        round=or_nothing(ROUND),
        tables=array(obj(["table"], table=MAYBE_COUNT, a=TEXT, b=TEXT, result=MAYBE_TEXT)),
        byes=array(TEXT),
        missing=COUNT,
    ),
    "EventStandings": obj(
        ["rounds", "missing", "final", "standings"],
        rounds=COUNT,
        missing=COUNT,
        final={"type": "boolean"},
        standings=array({"$ref": "#/components/schemas/Standing"}),
    ),
    "EventBracket": obj(
        ["matches", "champion"], matches=array(obj(["match", "stage"], stage=TEXT)), champion=MAYBE_TEXT
    ),
    "EventClock": obj(
        ["round", "phase", "running", "ends_at"],
        round=MAYBE_COUNT,
        phase={"enum": ["idle", "setup", "round", "over"]},
        running={"type": "boolean"},
        setup_ends_at=MAYBE_TEXT,
        ends_at=MAYBE_TEXT,
        left_s=MAYBE_COUNT,
    ),
    "EventPlayer": obj(
        ["id", "name", "state"],
        id={"type": "integer"},
        name=TEXT,
        public_name=MAYBE_TEXT,
        club=MAYBE_TEXT,
        state=TEXT,
        seed=MAYBE_COUNT,
        heroes=array(TEXT),
    ),
    "Result": {
        **obj(
            ["result"],
            result={"enum": list(RESULTS)},
            how={"enum": ["intentional-draw", "concession", None]},
            health=or_nothing({**array(COUNT), "minItems": 2, "maxItems": 2}),
            games=or_nothing({**array(COUNT), "minItems": 2, "maxItems": 3}),
        ),
        "additionalProperties": False,
    },
    "Entered": obj(["table", "result", "changed"], table=COUNT, result=TEXT, changed={"type": "boolean"}),
}
SCHEMAS |= EVENTS

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
