"""The shape of a ruling as JSON (docs/files.md). Only type checkers read this module."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from judge.core.json_types import JsonObject

Label = int | str  # an event's number; "3.1" inside a collision


class EventJson(TypedDict):
    n: Label
    verdict: Literal["legal", "illegal", "discretion"]
    rules: list[str]
    decides: NotRequired[list[str]]
    says: str


class OrderJson(TypedDict):
    event: Label
    sequence: list[int]
    outcomes: list[str]
    verdicts: list[str]
    rules: NotRequired[list[str]]
    decides: NotRequired[list[str]]


class PartJson(TypedDict):
    kind: str
    amount: int
    event: int | str
    by: str
    says: NotRequired[str]


class TotalJson(TypedDict):
    incoming: int
    subtotal: int
    fractions: list[int]
    final: int
    healed: int
    decides: list[str]
    parts: list[PartJson]


class ResolutionJson(TypedDict):
    when: str
    totals: dict[str, TotalJson]


class OutcomeJson(TypedDict):
    state: str
    winners: list[str]
    scores: NotRequired[dict[str, int]]


class StepJson(TypedDict):
    says: str
    rules: list[str]
    events: list[Label]
    value: NotRequired[int]


AskJson = TypedDict("AskJson", {"event": Label, "for": str, "says": str})


class MistakeJson(TypedDict):
    name: str
    says: str
    rules: list[str]
    event: NotRequired[Label]
    edition: NotRequired[str]
    point: NotRequired[str]
    reading: NotRequired[str]
    status: NotRequired[str]


ClaimJson = TypedDict(
    "ClaimJson",
    {
        "by": str,
        "player": str,
        "of": str,
        "claimed": int,
        "is": int,
        "right": bool,
        "mistakes": list[MistakeJson],
        "also": NotRequired[list[list[MistakeJson]]],
        "says": str,
    },
)


class ReadingJson(TypedDict):
    id: str
    reading: str
    says: str
    ruling: RulingJson


class RulingJson(TypedDict):
    id: str | None
    game: str
    edition: str
    events: list[EventJson]
    order: list[OrderJson]
    resolutions: list[ResolutionJson]
    players: dict[str, JsonObject]
    turn: JsonObject
    may: dict[str, list[str]]
    outcome: OutcomeJson
    discretion: list[str]
    lost: dict[str, dict[str, int]]
    teams: NotRequired[dict[str, int]]
    partial: NotRequired[list[str]]
    meanwhile: NotRequired[dict[str, list[str]]]
    rulings: NotRequired[dict[str, str]]
    setup: NotRequired[dict[str, int]]
    pools: NotRequired[JsonObject]
    piles: NotRequired[dict[str, int]]
    sets: NotRequired[dict[str, str]]
    boars: NotRequired[dict[str, str]]
    remarks: NotRequired[list[str]]
    readings: NotRequired[list[ReadingJson]]
    steps: list[StepJson]
    asks: NotRequired[list[AskJson]]
    claims: NotRequired[list[ClaimJson]]
    citations: dict[str, dict[str, str]]
