"""The settings of a further stage of an event; when stages begin, their clocks; the lines of the schedule.

take     exactly one of top, points (that many or more), of_each_group, players (row numbers); {}: everybody
format   as in a tournament file: kind, rounds, third_place ...
own      other keys of a tournament file that hold for this stage alone: best_of, tiebreakers, scoring ...
carry    whether points and meetings of the stage before count on; seeding: standings | across-groups
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

from marshmallow import Schema, ValidationError, fields, post_load, validate

from judge.core.errors import InputError
from judge.schemas.tournament.pairing_rules import READERS
from judge.schemas.tournament.rules_reader import MAX_GROUPS, read_rules
from judge.tournament.model import PlayerId
from judge.tournament.stages import SEEDINGS, Seeding, Take

MOST_STAGES = 8
MOST_DAYS = 14
OWN_KEYS = ("scoring", "best_of", "floor", "tiebreakers", "at_time", "place_points", *READERS)
TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d")


def time_of_day(value: str) -> None:
    if value and not TIME.fullmatch(value):
        raise ValidationError("settings_time_of_day")


@dataclass(frozen=True, slots=True)
class StageSettings:
    name: str = ""
    take: Mapping[str, Any] = field(default_factory=dict)
    format: Mapping[str, Any] = field(default_factory=dict)
    own: Mapping[str, Any] = field(default_factory=dict)
    carry: bool = False
    seeding: Seeding | None = None

    def as_row(self) -> dict[str, Any]:
        """The stage as it is stored: only what was chosen."""
        usual = asdict(StageSettings())
        return {key: value for key, value in asdict(self).items() if value != usual[key]}

    def who(self) -> Take | None:
        """Who goes on into the stage; None: everybody."""
        if not self.take:
            return None
        players, points = self.take.get("players"), self.take.get("points")
        return Take(
            top=self.take.get("top"),
            points=None if points is None else Fraction(str(points)),
            of_each_group=self.take.get("of_each_group"),
            players=None if players is None else tuple(PlayerId(str(p)) for p in players),
        )


@dataclass(frozen=True, slots=True)
class ScheduleLine:
    """Something that happens beside the rounds: doors, lunch, prizes."""

    text: str
    at: str
    day: int = 1


@dataclass(frozen=True, slots=True)
class StageTime:
    """When a stage begins: on which day of the event, at what time."""

    stage: int
    at: str
    day: int = 1


@dataclass(frozen=True, slots=True)
class StageClock:
    """The minutes of a stage's rounds where they are not the event's; None: as in the event."""

    stage: int
    setup_s: int | None = None
    round_s: int | None = None


class TakeSchema(Schema):
    top = fields.Integer(strict=True, validate=validate.Range(2, 2048))
    points = fields.Raw()
    of_each_group = fields.Integer(strict=True, validate=validate.Range(1, MAX_GROUPS))
    players = fields.List(fields.Integer(strict=True), validate=validate.Length(min=2))


def _one_way(take: Mapping[str, Any]) -> None:
    if len(take) > 1:
        raise ValidationError("settings_take_one_way")


class StageSchema(Schema):
    name = fields.String(validate=validate.Length(max=60))
    take = fields.Nested(TakeSchema, validate=_one_way)
    format = fields.Dict(keys=fields.String())
    own = fields.Dict(keys=fields.String(validate=validate.OneOf(OWN_KEYS)))
    carry = fields.Boolean()
    seeding = fields.String(allow_none=True, validate=validate.OneOf(SEEDINGS))

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> StageSettings:
        try:
            read_rules({"format": data.get("format"), **data.get("own", {})}, 2)
        except InputError as error:
            raise ValidationError(f"{error.problems[0].path}: {error.problems[0].message.key}") from None
        return StageSettings(**data)


class ScheduleSchema(Schema):
    text = fields.String(required=True, validate=validate.Length(1, 120))
    at = fields.String(required=True, validate=[validate.Length(min=1), time_of_day])
    day = fields.Integer(strict=True, validate=validate.Range(1, MOST_DAYS))

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> ScheduleLine:
        return ScheduleLine(**data)


class StageTimeSchema(Schema):
    stage = fields.Integer(required=True, strict=True, validate=validate.Range(2, MOST_STAGES))
    at = fields.String(required=True, validate=[validate.Length(min=1), time_of_day])
    day = fields.Integer(strict=True, validate=validate.Range(1, MOST_DAYS))

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> StageTime:
        return StageTime(**data)


def seconds(low: int, high: int, **more: Any) -> fields.Integer:
    return fields.Integer(strict=True, validate=validate.Range(low, high), **more)


class ClockSchema(Schema):
    """Set-up and round of a clock, in seconds."""

    setup_s = seconds(0, 4 * 3600)
    round_s = seconds(60, 12 * 3600)


class StageClockSchema(ClockSchema):
    stage = fields.Integer(required=True, strict=True, validate=validate.Range(2, MOST_STAGES))

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> StageClock:
        return StageClock(**data)
