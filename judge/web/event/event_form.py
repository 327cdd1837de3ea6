"""The form of an event: a few important fields, and the rest folded away with the preset's values.

It turns `EventForm` into `EventFacts` and back. Formats and tie-breakers come from their registries.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

from werkzeug.datastructures import MultiDict
from wtforms import (
    BooleanField,
    DateField,
    IntegerField,
    SelectField,
    SelectMultipleField,
    StringField,
    TextAreaField,
    widgets,
)
from wtforms.fields import SelectChoice
from wtforms.validators import NumberRange, Optional, ValidationError

from judge.core.errors import InputError
from judge.core.games import GAME_IDS
from judge.core.json_types import JsonObject
from judge.schemas.books import books, newest, newest_first
from judge.schemas.tournament.event_settings import (
    AT_TIME,
    HERO_MODES,
    LARGEST_CUT,
    LARGEST_POD,
    REGISTRATION_MODES,
    EventSettings,
    FormatSettings,
    read_settings,
)
from judge.schemas.tournament.presets import Preset
from judge.services.event.event_view import EventView
from judge.services.event.events import EventFacts, game_of
from judge.services.rulebook.heroes import find_hero, hero_name
from judge.tournament.formats import FORMATS, FormatKind
from judge.tournament.model import COUNTS, GRAND_FINALS, SMALLEST_TABLE
from judge.tournament.tiebreaks import TIEBREAKERS
from judge.web.event.setting_labels import SettingLabel, values_named
from judge.web.event.stage_rows import (
    add_stage_fields,
    clock_text,
    clocks_sent,
    schedule_sent,
    schedule_text,
    stage_values,
    stages_sent,
    times_sent,
)
from judge.web.frame.errors import phrasebook
from judge.web.frame.forms import PageForm, at_most, choices_of, required, required_text, say, stripped
from judge.web.frame.preferences import LANGUAGES, language
from judge.web.frame.texts import gettext, lazy_gettext

USUAL = EventSettings()
# The fields of a format besides its kind.
FORMAT_FIELDS = tuple(field.name for field in fields(FormatSettings) if field.name != "kind")
TIEBREAKER_PLACES = 5
NO_TIEBREAKER = lazy_gettext("none")
# The setting of a preset behind each field.
SOURCES = {
    "format": "format",
    "rounds": "rounds_by_attendance",
    "win": "scoring",
    "best_of": "best_of",
    "health": "starting_health",
    "tiebreaker_1": "tiebreakers",
    "round_min": "timer",
    "at_time": "at_time",
    "heroes": "heroes",
    "cut": "cut",
    "group_size": "format",
    "place_points": "place_points",
    "through": "cut",
}


def _number(label: Any, low: int, high: int, *, may_be_empty: bool = False) -> IntegerField:
    says = lazy_gettext("Please give a whole number from %(low)s to %(high)s.", low=low, high=high)
    first = Optional() if may_be_empty else required()
    return IntegerField(label, [first, NumberRange(low, high, says)])


def _choice(label: Any, words: Iterable[str]) -> SelectField:
    return SelectField(label, choices=choices_of(values_named(words)))


def _edition_names() -> list[SelectChoice]:
    """All books by game, newest first, and none: "Dice Throne 2.4.1 (book of 2023, newest)"."""
    names = {}
    for game in GAME_IDS:
        for book in newest_first(game):
            origin = book.origins[language()]
            if book == newest(game) and len(books(game)) > 1:
                origin += ", " + gettext("newest")
            names[book.id] = f"{book.titles[language()]} ({origin})"
    return choices_of({**names, "": gettext("Another game")})


def _format_names() -> list[SelectChoice]:
    book = phrasebook()
    return choices_of({kind.id: kind.name(book) for kind in FORMATS.values()})


def _tiebreaker_names() -> list[SelectChoice]:
    book = phrasebook()
    return choices_of(
        {"": NO_TIEBREAKER, **{tiebreaker.id: tiebreaker.name(book) for tiebreaker in TIEBREAKERS.values()}}
    )


class EventForm(PageForm):
    name = StringField(SettingLabel("name"), [required_text(), at_most(120)], filters=[stripped])
    day = DateField(SettingLabel("day"), [required()])
    edition = SelectField(SettingLabel("edition"), choices=_edition_names)
    format = SelectField(SettingLabel("format_kind"), choices=_format_names)
    rounds = _number(SettingLabel("format_rounds"), 1, 30, may_be_empty=True)
    capacity = _number(SettingLabel("registration_capacity"), 2, 2048, may_be_empty=True)
    registration = _choice(SettingLabel("registration_mode"), REGISTRATION_MODES)
    setup_min = _number(SettingLabel("clock_setup_s"), 0, 240)
    round_min = _number(SettingLabel("clock_round_s"), 1, 720)
    at_time = _choice(SettingLabel("at_time"), AT_TIME)
    win = _number(SettingLabel("scoring_win"), 1, 100)
    draw = _number(SettingLabel("scoring_draw"), 0, 100)
    loss = _number(SettingLabel("scoring_loss"), 0, 100)
    bye = _number(SettingLabel("scoring_bye"), 0, 100)
    best_of = _number(SettingLabel("best_of"), 1, 9)
    health = _number(SettingLabel("starting_health"), 1, 200)
    cut = _number(SettingLabel("cut"), 0, LARGEST_CUT, may_be_empty=True)
    groups = _number(SettingLabel("format_groups"), 1, 64, may_be_empty=True)
    group_size = _number(SettingLabel("format_group_size"), 3, 16, may_be_empty=True)
    through = _number(SettingLabel("through"), 0, 8, may_be_empty=True)
    pod_size = _number(SettingLabel("format_pod_size"), SMALLEST_TABLE, LARGEST_POD, may_be_empty=True)
    counts = SelectField(
        SettingLabel("format_counts"), choices=choices_of(values_named(COUNTS)), default="scores"
    )
    place_points = TextAreaField(SettingLabel("place_points"), [at_most(400)])
    third_place = BooleanField(SettingLabel("third_place"))
    grand_final = _choice(SettingLabel("grand_final"), GRAND_FINALS)
    heroes = _choice(SettingLabel("heroes_mode"), HERO_MODES)
    bring = _number(SettingLabel("heroes_bring"), 0, 20)
    ban = _number(SettingLabel("heroes_ban"), 0, 19)
    unlock_round = _number(SettingLabel("heroes_unlock_round"), 2, 30, may_be_empty=True)
    allowed = TextAreaField(SettingLabel("heroes_allowed"), [at_most(4000)])
    starts_at = StringField(SettingLabel("starts_at"), [at_most(5)], filters=[stripped])
    between_min = _number(SettingLabel("between_s"), 0, 240, may_be_empty=True)
    place = StringField(SettingLabel("place"), [at_most(120)], filters=[stripped])
    about = TextAreaField(SettingLabel("about"), [at_most(2000)])
    schedule = TextAreaField(SettingLabel("schedule"), [at_most(4000)])
    languages = SelectMultipleField(
        SettingLabel("languages"),
        choices=choices_of(LANGUAGES),
        widget=widgets.ListWidget(prefix_label=False),
        option_widget=widgets.CheckboxInput(),
    )

    @property
    def kind(self) -> FormatKind | None:
        """The chosen format."""
        return FORMATS.get(self.format.data)

    def validate_place_points(self, field: TextAreaField) -> None:
        for size, points in (_places_read(field.data) or {}).items():
            if not 2 <= int(size) <= LARGEST_POD or not all(isinstance(n, int) and n <= 100 for n in points):
                raise ValidationError(str(lazy_gettext("Please give 2 to 6 whole numbers a line.")))

    def validate_languages(self, field: SelectMultipleField) -> None:
        if not field.data:
            raise ValidationError(str(lazy_gettext("Please choose at least one.")))


add_stage_fields(EventForm)
for _place in range(1, TIEBREAKER_PLACES + 1):
    setattr(
        EventForm,
        f"tiebreaker_{_place}",
        SelectField(
            lazy_gettext("Tie-breaker %(n)s", n=_place),
            choices=_tiebreaker_names,
        ),
    )


def fields_of(settings: EventSettings, game: str) -> JsonObject:
    """The values of the form for these settings."""
    values: JsonObject = {
        "format": settings.format.kind,
        "capacity": settings.registration.capacity,
        "registration": settings.registration.mode,
        "setup_min": -(-settings.clock.setup_s // 60),
        "round_min": -(-settings.clock.round_s // 60),
        "at_time": settings.at_time,
        "best_of": settings.best_of,
        "health": settings.starting_health,
        "cut": settings.cut,
        "through": settings.through,
        "place_points": _places_text(settings),
        **{name: getattr(settings.format, name) for name in FORMAT_FIELDS},
        "third_place": settings.third_place,
        "grand_final": settings.grand_final,
        "heroes": settings.heroes.mode,
        "bring": settings.heroes.bring,
        "ban": settings.heroes.ban,
        "unlock_round": settings.heroes.unlock_round,
        "allowed": "\n".join(hero_name(game, hero, language()) for hero in settings.heroes.allowed),
        "languages": list(settings.languages),
        "starts_at": settings.starts_at,
        "between_min": settings.between_s // 60,
        "place": settings.place,
        "about": settings.about,
        "schedule": schedule_text(settings),
        **stage_values(settings),
        **{name: getattr(settings.scoring, name) for name in ("win", "draw", "loss", "bye")},
    }
    values |= {f"tiebreaker_{n}": name for n, name in enumerate(settings.tiebreakers, start=1)}
    return values


def _places_text(settings: EventSettings) -> str:
    """A line for each size of table, the biggest first; each has as many values as seats."""
    by_size = settings.place_points or {}
    return "\n".join(" ".join(map(str, by_size[size])) for size in sorted(by_size, reverse=True))


def _places_read(text: str | None) -> dict[str, list[Any]] | None:
    lines = [line.replace(",", " ").replace("-", " ").split() for line in (text or "").splitlines()]
    by_size = {
        str(len(words)): [int(w) if w.isascii() and w.isdecimal() and len(w) < 5 else w for w in words]
        for words in lines
        if words
    }
    return by_size or None


def facts_of(form: EventForm, preset: str, before: EventSettings | None = None) -> EventFacts | None:
    """The facts of the form; None if there are faults, which are put at their fields. `before` has what the
    form does not show of stages that were read from a file."""
    try:
        settings = read_settings(_settings(form, before))
    except InputError as error:
        for problem in error.problems:
            field = form[_field_of(problem.path)]
            field.errors = [*field.errors, say(problem.message)]
        return None
    return EventFacts(form.name.data, form.day.data, form.edition.data, preset, settings)


def _field_of(path: str) -> str:
    head, *rest = path.split(".")
    if head in ("stages", "stage_times") and rest and rest[0].isdigit():
        row = min(int(rest[0]), 2) + 2
        return (
            f"s{row}_at" if head == "stage_times" else f"s{row}_number" if "take" in rest else f"s{row}_kind"
        )
    return FIELD_OF.get(path) or FIELD_OF.get(head, "name")


FIELD_OF = {
    "cut": "cut",
    "starts_at": "starts_at",
    "schedule": "schedule",
    "scoring.draw": "draw",
    "scoring.bye": "bye",
    "heroes.ban": "ban",
    "heroes.allowed": "allowed",
    "tiebreakers": "tiebreaker_1",
    "place_points": "place_points",
}


def _settings(form: EventForm, before: EventSettings | None) -> JsonObject:
    game = game_of(form.edition.data)
    chosen = [form[f"tiebreaker_{n}"].data for n in range(1, TIEBREAKER_PLACES + 1)]
    allowed = [find_hero(game, part) for part in (form.allowed.data or "").replace(",", "\n").splitlines()]
    return {
        "format": {
            "kind": form.format.data,
            **{key: form[key].data for key in FORMAT_FIELDS},
        },
        "place_points": _places_read(form.place_points.data),
        "scoring": {name: form[name].data for name in ("win", "draw", "loss", "bye")},
        "best_of": form.best_of.data,
        "starting_health": form.health.data,
        "tiebreakers": [name for name in chosen if name],
        "clock": {"setup_s": form.setup_min.data * 60, "round_s": form.round_min.data * 60},
        "at_time": form.at_time.data,
        "heroes": {
            "mode": form.heroes.data,
            "bring": form.bring.data,
            "ban": form.ban.data,
            "unlock_round": form.unlock_round.data,
            "allowed": [hero for hero in allowed if hero],
        },
        "cut": form.cut.data or 0,
        "through": form.through.data or 0,
        "third_place": form.third_place.data,
        "grand_final": form.grand_final.data,
        "registration": {"mode": form.registration.data, "capacity": form.capacity.data},
        "languages": form.languages.data,
        "starts_at": clock_text(form.starts_at.data or ""),
        "between_s": USUAL.between_s if form.between_min.data is None else form.between_min.data * 60,
        "place": form.place.data or "",
        "about": (form.about.data or "").strip(),
        "schedule": schedule_sent(form.schedule.data),
        "stages": stages_sent(form, before),
        "stage_times": times_sent(form),
        "stage_clocks": clocks_sent(form, before),
    }


def form_of(event: EventView, settings: EventSettings) -> EventForm:
    facts = {"name": event.name, "day": event.day, "edition": event.edition}
    return EventForm(data={**facts, **fields_of(settings, event.game)})


def completed(sent: MultiDict[str, str], event: EventView, settings: EventSettings) -> MultiDict[str, str]:
    """The sent form with the values of locked fields, which browsers leave out."""
    full = MultiDict(sent)
    for name, value in form_of(event, settings).data.items():
        if name not in sent:
            values = value if isinstance(value, list) else [value]
            full.setlist(name, ["" if each is None else str(each) for each in values])
    return full


def sources_of(preset: Preset | None) -> dict[str, tuple[str, bool]]:
    """The source of each field's default, and whether it is only our assumption."""
    if preset is None:
        return {}
    settings = {field: preset.settings.get(key) for field, key in SOURCES.items()}
    return {field: (s.source_in(language()), s.is_assumed) for field, s in settings.items() if s is not None}
