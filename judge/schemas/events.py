"""The settings of an event, as they stand in its row: checked by marshmallow, read as frozen values.

format        kind (of the tournament engine), rounds (a number; null: by attendance)
scoring       win, draw, loss, bye            best_of, tiebreakers (ordered), starting_health
clock         setup_s, round_s                at_time: tie | most-health
heroes        mode: bring-ban | lockout | random | free; bring, ban; unlock_round; allowed ([]: all)
cut           how many go on to the elimination; 0: nobody
third_place   whether a single elimination plays for it; grand_final: reset | single | skip (double)
registration  mode: closed | open | approval; capacity (null: no limit)
languages     in which the public pages and papers are offered
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from marshmallow import Schema, ValidationError, fields, post_load, validate, validates_schema

from judge.core.errors import InputError, Problem
from judge.core.messages import LANGS, Message
from judge.schemas.presets import Preset
from judge.tournament.model import ELIMINATION, GRAND_FINALS, KINDS
from judge.tournament.tiebreaks import TIEBREAKERS

AT_TIME = ("tie", "most-health")
HERO_MODES = ("bring-ban", "lockout", "random", "free")
REGISTRATION_MODES = ("closed", "open", "approval")
CUTS = (0, 2, 4, 8, 16, 32)


@dataclass(frozen=True, slots=True)
class FormatSettings:
    kind: str = "swiss"
    rounds: int | None = None

    @property
    def is_bracket(self) -> bool:
        return self.kind in ELIMINATION


@dataclass(frozen=True, slots=True)
class ScoringSettings:
    win: int = 3
    draw: int = 1
    loss: int = 0
    bye: int = 3


@dataclass(frozen=True, slots=True)
class ClockSettings:
    setup_s: int = 120
    round_s: int = 1800


@dataclass(frozen=True, slots=True)
class HeroSettings:
    mode: str = "free"
    bring: int = 0
    ban: int = 0
    unlock_round: int | None = None
    allowed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RegistrationSettings:
    mode: str = "closed"
    capacity: int | None = None


@dataclass(frozen=True, slots=True)
class EventSettings:
    format: FormatSettings = FormatSettings()
    scoring: ScoringSettings = ScoringSettings()
    best_of: int = 1
    starting_health: int = 50
    tiebreakers: tuple[str, ...] = ("wins-vs-tied", "median-buchholz", "health-diff")
    clock: ClockSettings = ClockSettings()
    at_time: str = "tie"
    heroes: HeroSettings = HeroSettings()
    cut: int = 0
    third_place: bool = False
    grand_final: str = "reset"
    registration: RegistrationSettings = RegistrationSettings()
    languages: tuple[str, ...] = LANGS

    def as_row(self) -> dict[str, Any]:
        """As the event's row keeps it: lists, not tuples, so that what was stored compares equal."""
        plain = asdict(self)
        plain["tiebreakers"], plain["languages"] = list(self.tiebreakers), list(self.languages)
        plain["heroes"]["allowed"] = list(self.heroes.allowed)
        return plain


def _whole(low: int, high: int, **more: Any) -> fields.Integer:
    return fields.Integer(strict=True, validate=validate.Range(low, high), **more)


def _words(words: Any, *, least: int = 0) -> fields.List:
    one = fields.String(validate=validate.OneOf(list(words)))
    return fields.List(one, validate=[validate.Length(min=least), _no_twins])


def _no_twins(words: list[str]) -> None:
    if len(set(words)) < len(words):
        raise ValidationError("settings_twice")


class FormatSchema(Schema):
    kind = fields.String(validate=validate.OneOf(KINDS))
    rounds = _whole(1, 30, allow_none=True)

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> FormatSettings:
        return FormatSettings(**data)


class ScoringSchema(Schema):
    win = _whole(1, 100)
    draw = _whole(0, 100)
    loss = _whole(0, 100)
    bye = _whole(0, 100)

    @validates_schema
    def in_order(self, data: dict[str, Any], **_: Any) -> None:
        points = ScoringSettings(**data)
        if not points.win > points.loss or not points.win >= points.draw >= points.loss:
            raise ValidationError("settings_points_order", "draw")
        if points.bye > points.win:
            raise ValidationError("settings_bye_above_win", "bye")

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> ScoringSettings:
        return ScoringSettings(**data)


class ClockSchema(Schema):
    setup_s = _whole(0, 4 * 3600)
    round_s = _whole(60, 12 * 3600)

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> ClockSettings:
        return ClockSettings(**data)


class HeroSchema(Schema):
    mode = fields.String(validate=validate.OneOf(HERO_MODES))
    bring = _whole(0, 20)
    ban = _whole(0, 19)
    unlock_round = _whole(2, 30, allow_none=True)
    allowed = fields.List(fields.String(validate=validate.Length(1, 60)), validate=_no_twins)

    @validates_schema
    def leaves_one(self, data: dict[str, Any], **_: Any) -> None:
        heroes = HeroSettings(**data)
        if heroes.mode in ("bring-ban", "lockout") and heroes.bring <= heroes.ban:
            raise ValidationError("settings_no_hero_left", "ban")

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> HeroSettings:
        return HeroSettings(**{**data, "allowed": tuple(data.get("allowed", ()))})


class RegistrationSchema(Schema):
    mode = fields.String(validate=validate.OneOf(REGISTRATION_MODES))
    capacity = _whole(2, 2048, allow_none=True)

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> RegistrationSettings:
        return RegistrationSettings(**data)


class EventSettingsSchema(Schema):
    format = fields.Nested(FormatSchema)
    scoring = fields.Nested(ScoringSchema)
    best_of = _whole(1, 9)
    starting_health = _whole(1, 200)
    tiebreakers = _words(TIEBREAKERS)
    clock = fields.Nested(ClockSchema)
    at_time = fields.String(validate=validate.OneOf(AT_TIME))
    heroes = fields.Nested(HeroSchema)
    cut = fields.Integer(strict=True, validate=validate.OneOf(CUTS))
    third_place = fields.Boolean()
    grand_final = fields.String(validate=validate.OneOf(GRAND_FINALS))
    registration = fields.Nested(RegistrationSchema)
    languages = _words(LANGS, least=1)

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> EventSettings:
        lists = {key: tuple(data[key]) for key in ("tiebreakers", "languages") if key in data}
        return EventSettings(**{**data, **lists})


def read_settings(data: Mapping[str, Any]) -> EventSettings:
    """The settings of an event's row or form; every fault with its path. What is missing has its default."""
    try:
        loaded: EventSettings = EventSettingsSchema().load(data)
        return loaded
    except ValidationError as error:
        raise InputError(*_problems(error.normalized_messages())) from None


def _problems(messages: Mapping[Any, Any], path: str = "") -> list[Problem]:
    found: list[Problem] = []
    for key, inner in messages.items():
        place = path if key == "_schema" else f"{path}.{key}" if path else str(key)
        if isinstance(inner, Mapping):
            found += _problems(inner, place)
        else:
            found += [Problem(place, _message(text)) for text in inner]
    return found


def _message(text: str) -> Message:
    return Message(text) if text.startswith("settings_") else Message("settings_fault", why=text)


def settings_of_preset(preset: Preset) -> EventSettings:
    """What a preset proposes, in the shape of an event's settings."""
    values: dict[str, Any] = {
        key: preset.get(key)
        for key in ("scoring", "best_of", "starting_health", "tiebreakers", "at_time")
        if preset.get(key) is not None
    }
    values["format"] = {k: v for k, v in preset.get("format", {}).items() if k in ("kind", "rounds")}
    values["clock"] = {k: v for k, v in preset.get("timer", {}).items() if k in ("setup_s", "round_s")}
    values["heroes"] = _heroes_of(preset.get("heroes", {}))
    bracket = preset.get("format", {})
    values |= {key: bracket[key] for key in ("third_place", "grand_final") if key in bracket}
    cut = preset.get("cut")
    values["cut"] = cut["top"] if isinstance(cut, Mapping) else 0
    return read_settings(values)


def _heroes_of(given: Mapping[str, Any]) -> dict[str, Any]:
    if "lock" in given:
        return {"mode": "lockout", "bring": given.get("bring", 3), "unlock_round": given.get("unlock_round")}
    if "ban" in given:
        return {"mode": "bring-ban", "bring": given["bring"], "ban": given["ban"]}
    return {"mode": "random" if "random" in given else "free"}
