"""The settings of an event, as stored in its row: checked by marshmallow, read into frozen dataclasses.

format        kind (of the tournament engine), rounds (a number; null: by attendance);
              groups: how many (null: as many as group_size needs); pods: pod_size, counts: scores | places
place_points  of pods: points by place for each size of table
scoring       win, draw, loss, bye            best_of, tiebreakers (ordered), starting_health
clock         setup_s, round_s                at_time: tie | most-health
heroes        mode: bring-ban | lockout | random | free; bring, ban; unlock_round; allowed ([]: all)
cut           how many go on to the elimination; 0: nobody
through       how many of each group go on; 0: as the cut says
stages        further stages instead of a cut, as judge.schemas.tournament.stage_settings says
between_s     seconds between two rounds; place, about: where and what, in the organiser's words
starts_at     time of day, "10:00"; stage_times: [{stage, day, at}], when later stages begin
stage_clocks  [{stage, setup_s, round_s}], where a later stage has minutes of its own
schedule      [{day, at, text}], what happens beside the rounds
third_place   whether a single elimination plays for it; grand_final: reset | single | skip (double)
registration  mode: closed | open | approval; capacity (null: no limit)
phones        what players may do on their own phones: check_in, drop, heroes (declare, ban, pick, toss)
languages     in which the public pages and papers are offered
more          settings of a tournament file that the form does not show, as the file had them; `forbidden`
              pairs are numbers of players
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, field
from dataclasses import fields as dataclass_fields
from typing import Any

from marshmallow import Schema, ValidationError, fields, post_load, validate, validates_schema

from judge.core.errors import InputError, Problem
from judge.core.messages import LANGS, Message
from judge.schemas.tournament.pairing_rules import READERS
from judge.schemas.tournament.presets import Preset
from judge.schemas.tournament.stage_settings import (
    MOST_STAGES,
    ClockSchema,
    ScheduleLine,
    ScheduleSchema,
    StageClock,
    StageClockSchema,
    StageSchema,
    StageSettings,
    StageTime,
    StageTimeSchema,
    time_of_day,
)
from judge.tournament.formats import DEFAULT, FORMATS
from judge.tournament.model import (
    COUNTS,
    DEFAULT_TIEBREAKERS,
    GRAND_FINALS,
    SMALLEST_TABLE,
    USUAL_SIZE,
)  # fmt: skip
from judge.tournament.tiebreaks import TIEBREAKERS

# Keys of a tournament file that an event keeps as they are; of `format` those that the form lacks.
MORE = ("floor", "forbidden", "format", "scoring", *READERS)
AT_TIME = ("tie", "most-health")
HERO_MODES = ("bring-ban", "lockout", "random", "free")
REGISTRATION_MODES = ("closed", "open", "approval")
LARGEST_CUT = 512
LARGEST_POD = 6  # King of the Hill seats six


@dataclass(frozen=True, slots=True)
class FormatSettings:
    kind: str = DEFAULT.id
    rounds: int | None = None
    groups: int | None = None
    group_size: int | None = None
    pod_size: int | None = None
    counts: str = "scores"

    @property
    def is_bracket(self) -> bool:
        return FORMATS[self.kind].has_bracket


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
class PhoneSettings:
    check_in: bool = False  # whoever is not checked in is not paired once anybody is
    drop: bool = True
    heroes: bool = True


@dataclass(frozen=True, slots=True)
class EventSettings:
    format: FormatSettings = FormatSettings()
    scoring: ScoringSettings = ScoringSettings()
    place_points: Mapping[str, tuple[int, ...]] | None = None
    best_of: int = 1
    starting_health: int = 50
    tiebreakers: tuple[str, ...] = DEFAULT_TIEBREAKERS
    clock: ClockSettings = ClockSettings()
    at_time: str = "tie"
    heroes: HeroSettings = HeroSettings()
    cut: int = 0
    through: int = 0
    third_place: bool = False
    grand_final: str = "reset"
    stages: tuple[StageSettings, ...] = ()
    registration: RegistrationSettings = RegistrationSettings()
    phones: PhoneSettings = PhoneSettings()
    languages: tuple[str, ...] = LANGS
    between_s: int = 600
    starts_at: str = ""
    place: str = ""
    about: str = ""
    stage_times: tuple[StageTime, ...] = ()
    stage_clocks: tuple[StageClock, ...] = ()
    schedule: tuple[ScheduleLine, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)

    def as_row(self) -> dict[str, Any]:
        """The form stored in the event's row: lists, not tuples, so that stored settings compare equal."""
        plain = asdict(self)
        plain["tiebreakers"], plain["languages"] = list(self.tiebreakers), list(self.languages)
        plain["heroes"]["allowed"] = list(self.heroes.allowed)
        if self.place_points is not None:
            plain["place_points"] = {size: list(points) for size, points in self.place_points.items()}
        plain["stages"] = [stage.as_row() for stage in self.stages]
        plain |= {key: [_chosen(line) for line in getattr(self, key)] for key in ROWS}
        usual = EventSettings()
        for key in LATER_KEYS:
            if getattr(self, key) == getattr(usual, key):
                del plain[key]
        return plain


# Settings that older rows do not have; a row leaves them out where nothing was chosen.
ROWS = ("schedule", "stage_times", "stage_clocks")
LATER_KEYS = ("more", "stages", "between_s", "starts_at", "place", "about", *ROWS)


LISTS = ("tiebreakers", "languages", "stages", *ROWS)


def _chosen(row: ScheduleLine | StageTime | StageClock) -> dict[str, Any]:
    return {key: value for key, value in asdict(row).items() if value is not None}


def _whole(low: int, high: int, **more: Any) -> fields.Integer:
    return fields.Integer(strict=True, validate=validate.Range(low, high), **more)


def _known(words: Collection[str]) -> Callable[[str], str]:
    """A validator for the current words: a registry may have grown since this module was loaded."""

    def check(word: str) -> str:
        return str(validate.OneOf(list(words))(word))

    return check


def _words(words: Collection[str], *, least: int = 0) -> fields.List[str]:
    word = fields.String(validate=_known(words))
    return fields.List(word, validate=[validate.Length(min=least), _no_twins])


def _no_twins(words: list[str]) -> None:
    if len(set(words)) < len(words):
        raise ValidationError("settings_twice")


class FormatSchema(Schema):
    kind = fields.String(validate=_known(FORMATS))
    rounds = _whole(1, 30, allow_none=True)
    groups = _whole(1, 64, allow_none=True)
    group_size = _whole(3, 16, allow_none=True)
    pod_size = _whole(SMALLEST_TABLE, LARGEST_POD, allow_none=True)
    counts = fields.String(validate=validate.OneOf(COUNTS))

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


class EventClockSchema(ClockSchema):
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
        drawn = {"bring": 0, "ban": 0} if data.get("mode") == "random" else {}  # by lot: nobody brings any
        return HeroSettings(**{**data, "allowed": tuple(data.get("allowed", ())), **drawn})


class RegistrationSchema(Schema):
    mode = fields.String(validate=validate.OneOf(REGISTRATION_MODES))
    capacity = _whole(2, 2048, allow_none=True)

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> RegistrationSettings:
        return RegistrationSettings(**data)


class PhoneSchema(Schema):
    check_in = fields.Boolean()
    drop = fields.Boolean()
    heroes = fields.Boolean()

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> PhoneSettings:
        return PhoneSettings(**data)


def _cut_size(size: int) -> None:
    if size != 0 and not 2 <= size <= LARGEST_CUT:
        raise ValidationError("settings_cut_size")


def _by_place(points: list[int]) -> None:
    if sorted(points, reverse=True) != points or points[0] == points[-1]:
        raise ValidationError("settings_place_points_order")


class EventSettingsSchema(Schema):
    format = fields.Nested(FormatSchema)
    scoring = fields.Nested(ScoringSchema)
    place_points = fields.Dict(
        keys=fields.String(validate=validate.Regexp(r"[2-6]\Z")),
        values=fields.List(_whole(0, 100), validate=[validate.Length(min=2), _by_place]),
        allow_none=True,
    )
    best_of = _whole(1, 9)
    starting_health = _whole(1, 200)
    tiebreakers = _words(TIEBREAKERS)
    clock = fields.Nested(EventClockSchema)
    at_time = fields.String(validate=validate.OneOf(AT_TIME))
    heroes = fields.Nested(HeroSchema)
    cut = fields.Integer(strict=True, validate=_cut_size)
    through = _whole(0, 8)
    third_place = fields.Boolean()
    grand_final = fields.String(validate=validate.OneOf(GRAND_FINALS))
    registration = fields.Nested(RegistrationSchema)
    phones = fields.Nested(PhoneSchema)
    languages = _words(LANGS, least=1)
    stages = fields.List(fields.Nested(StageSchema), validate=validate.Length(max=MOST_STAGES - 1))
    between_s = _whole(0, 4 * 3600)
    starts_at = fields.String(validate=time_of_day)
    place = fields.String(validate=validate.Length(max=120))
    about = fields.String(validate=validate.Length(max=2000))
    schedule = fields.List(fields.Nested(ScheduleSchema), validate=validate.Length(max=40))
    stage_times = fields.List(fields.Nested(StageTimeSchema), validate=validate.Length(max=MOST_STAGES))
    stage_clocks = fields.List(fields.Nested(StageClockSchema), validate=validate.Length(max=MOST_STAGES))
    more = fields.Dict(keys=fields.String(validate=validate.OneOf(MORE)))

    @validates_schema
    def has_points_for_every_table(self, data: dict[str, Any], **_: Any) -> None:
        place_points = data.get("place_points")
        shape: FormatSettings = data.get("format", FormatSettings())
        if place_points is None or not FORMATS[shape.kind].has_pods:
            return
        biggest = max(shape.pod_size or USUAL_SIZE, SMALLEST_TABLE + 1)
        if not {str(n) for n in range(SMALLEST_TABLE, biggest + 1)} <= place_points.keys():
            raise ValidationError("settings_place_points_missing", "place_points")

    @post_load
    def make(self, data: dict[str, Any], **_: Any) -> EventSettings:
        lists: dict[str, Any] = {key: tuple(data[key]) for key in LISTS if key in data}
        if data.get("place_points") is not None:
            lists["place_points"] = {size: tuple(points) for size, points in data["place_points"].items()}
        return EventSettings(**{**data, **lists})


def read_settings(data: Mapping[str, Any]) -> EventSettings:
    """The settings of an event's row or form; every fault with its path. What is missing has its default."""
    try:
        loaded: EventSettings = EventSettingsSchema().load(data)
        return loaded
    except ValidationError as error:
        messages: Mapping[Any, Any] = error.normalized_messages()  # type: ignore[no-untyped-call] # marshmallow's own
        raise InputError(*_problems(messages)) from None


def _problems(messages: Mapping[Any, Any], path: str = "") -> list[Problem]:
    problems: list[Problem] = []
    for key, inner in messages.items():
        place = path if key == "_schema" else f"{path}.{key}" if path else str(key)
        if isinstance(inner, Mapping):
            problems += _problems(inner, place)
        else:
            problems += [Problem(place, _message(text)) for text in inner]
    return problems


def _message(text: str) -> Message:
    return Message(text) if text.startswith("settings_") else Message("settings_fault", why=text)


def settings_of_preset(preset: Preset) -> EventSettings:
    """A preset's values in the form of an event's settings."""
    values: dict[str, Any] = {
        key: preset.get(key)
        for key in ("scoring", "place_points", "best_of", "starting_health", "tiebreakers", "at_time")
        if preset.get(key) is not None
    }
    shape = {field.name for field in dataclass_fields(FormatSettings)}
    values["format"] = {k: v for k, v in preset.get("format", {}).items() if k in shape}
    values["clock"] = {k: v for k, v in preset.get("timer", {}).items() if k in ("setup_s", "round_s")}
    values["heroes"] = _heroes_of(preset.get("heroes", {}))
    bracket = preset.get("format", {})
    values |= {key: bracket[key] for key in ("third_place", "grand_final") if key in bracket}
    cut = preset.get("cut")
    values["cut"] = cut.get("top", 0) if isinstance(cut, Mapping) else 0
    values["through"] = cut.get("of_each_group", 0) if isinstance(cut, Mapping) else 0
    return read_settings(values)


def _heroes_of(heroes: Mapping[str, Any]) -> dict[str, Any]:
    if "lock" in heroes:
        return {
            "mode": "lockout",
            "bring": heroes.get("bring", 3),
            "unlock_round": heroes.get("unlock_round"),
        }
    if "ban" in heroes:
        return {"mode": "bring-ban", "bring": heroes["bring"], "ban": heroes["ban"]}
    return {"mode": "random" if "random" in heroes else "free"}
