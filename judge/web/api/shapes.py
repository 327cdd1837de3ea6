"""The shapes of what the API takes and gives, as JSON Schema."""

from __future__ import annotations

from typing import Any

from judge.core.games import GAME_IDS
from judge.core.json_types import JsonObject
from judge.rules.dice_throne.state.table import MODES
from judge.schemas.books import books
from judge.services.play.outcomes import RESULTS

TEXT = {"type": "string"}
WORD = {"type": ["string", "integer"]}  # a player may be called 7
COUNT = {"type": "integer", "minimum": 0}
LIST = {"type": "array"}
ANY = {"type": "object"}


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
        ["round", "tables", "earlier", "byes", "half_byes", "absent", "missing"],
        round=or_nothing(ROUND),
        tables=array(obj(["table"], table=MAYBE_COUNT, a=TEXT, b=TEXT, result=MAYBE_TEXT)),
        earlier=array(obj(["round", "table"], round=COUNT, table=MAYBE_COUNT, a=TEXT, b=TEXT)),
        byes=array(TEXT),
        half_byes=array(TEXT),
        absent=array(TEXT),
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
