"""The rows of an event's form for the stages after the first, and the lines of its schedule.

A row that names no format is no stage; then the event has at most the plain cut. What a row does not show of
a stage that was read from a file stays as it was.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wtforms import BooleanField, Form, IntegerField, SelectField, StringField
from wtforms.fields import SelectChoice
from wtforms.validators import NumberRange, Optional

from judge.core.json_types import JsonObject
from judge.schemas.tournament.event_settings import EventSettings
from judge.schemas.tournament.stage_settings import MOST_DAYS, StageSettings
from judge.tournament.formats import FORMATS
from judge.web.event.setting_labels import SettingLabel
from judge.web.frame.errors import phrasebook
from judge.web.frame.forms import at_most, choices_of, stripped
from judge.web.frame.texts import lazy_gettext

ROWS = (2, 3, 4)
CLOCK = ("setup", "round")
TAKES = {
    "top": lazy_gettext("the best of all"),
    "of_each_group": lazy_gettext("the best of each group"),
    "points": lazy_gettext("whoever has enough points"),
    "": lazy_gettext("everybody"),
}
LINE = re.compile(r"(?:(\d{1,2})\s*[.:)]?\s+)?(\d{1,2})[:h.](\d{2})\s+(.+)")


def _kinds() -> list[SelectChoice]:
    book = phrasebook()
    return choices_of({"": lazy_gettext("none"), **{kind.id: kind.name(book) for kind in FORMATS.values()}})


def _count(label: Any, low: int, high: int) -> IntegerField:
    says = lazy_gettext("Please give a whole number from %(low)s to %(high)s.", low=low, high=high)
    return IntegerField(label, [Optional(), NumberRange(low, high, says)])


def add_stage_fields(form: type[Form]) -> None:
    """Give the form the fields of every row: s2_kind, s2_take ..."""
    for n in ROWS:
        fields = {
            "kind": SelectField(
                SettingLabel("format_kind"), choices=_kinds, default="", validate_choice=True
            ),
            "name": StringField(lazy_gettext("Name of the stage"), [at_most(60)], filters=[stripped]),
            "take": SelectField(lazy_gettext("Who goes on"), choices=choices_of(TAKES), default="top"),
            "number": _count(lazy_gettext("How many, or how many points"), 1, 2048),
            "rounds": _count(SettingLabel("format_rounds"), 1, 30),
            "best_of": _count(SettingLabel("best_of"), 1, 9),
            "third_place": BooleanField(SettingLabel("third_place")),
            "carry": BooleanField(lazy_gettext("Points count on")),
            "day": _count(lazy_gettext("Day"), 1, MOST_DAYS),
            "setup_min": _count(SettingLabel("clock_setup_s"), 0, 240),
            "round_min": _count(SettingLabel("clock_round_s"), 1, 720),
            "at": StringField(SettingLabel("starts_at"), [at_most(5)], filters=[stripped]),
        }
        for key, field in fields.items():
            setattr(form, f"s{n}_{key}", field)


def stage_values(settings: EventSettings) -> JsonObject:
    """What the rows show of these settings."""
    values: JsonObject = {}
    for n, stage in zip(ROWS, settings.stages, strict=False):
        how = next(iter(stage.take), "")
        values |= {
            f"s{n}_kind": stage.format.get("kind", ""),
            f"s{n}_name": stage.name,
            f"s{n}_take": how if how in TAKES else "",
            f"s{n}_number": stage.take.get(how) if isinstance(stage.take.get(how), int) else None,
            f"s{n}_rounds": stage.format.get("rounds"),
            f"s{n}_best_of": stage.own.get("best_of"),
            f"s{n}_third_place": bool(stage.format.get("third_place")),
            f"s{n}_carry": stage.carry,
        }
    for when in settings.stage_times:
        values |= {f"s{when.stage}_day": when.day, f"s{when.stage}_at": when.at}
    for clock in settings.stage_clocks:
        values |= {f"s{clock.stage}_{key}_min": _minutes(getattr(clock, f"{key}_s")) for key in CLOCK}
    return values


def stages_sent(form: Form, before: EventSettings | None) -> list[JsonObject]:
    """The stages of the form as settings; hidden parts of an unchanged kind are kept from `before`."""
    kept = before.stages if before else ()
    stages = []
    for n in ROWS:
        kind = form[f"s{n}_kind"].data
        if kind:
            old = kept[n - 2] if n - 2 < len(kept) else StageSettings()
            stages.append(_stage(form, n, kind, old))
    return [*stages, *(stage.as_row() for stage in kept[len(ROWS) :])]


def _stage(form: Form, n: int, kind: str, old: StageSettings) -> JsonObject:
    same = old.format.get("kind") == kind
    shape: JsonObject = {**(old.format if same else {}), "kind": kind}
    for key in ("rounds", "third_place"):
        shape.pop(key, None)
    if form[f"s{n}_rounds"].data and FORMATS[kind].has_rounds:
        shape["rounds"] = form[f"s{n}_rounds"].data
    if form[f"s{n}_third_place"].data and "third_place" in FORMATS[kind].keys:
        shape["third_place"] = True
    own: JsonObject = {key: value for key, value in old.own.items() if same and key != "best_of"}
    if form[f"s{n}_best_of"].data:
        own["best_of"] = form[f"s{n}_best_of"].data
    how, count = form[f"s{n}_take"].data, form[f"s{n}_number"].data
    take: Mapping[str, Any] = {how: count} if how and count else {}
    if not how and "players" in old.take:
        take = old.take
    row: JsonObject = {"format": shape, "take": dict(take), "own": own}
    row |= {"name": form[f"s{n}_name"].data or "", "carry": bool(form[f"s{n}_carry"].data)}
    return {**row, "seeding": old.seeding}


def times_sent(form: Form) -> list[JsonObject]:
    """When the later stages begin, also that of a plain cut."""
    return [
        {"stage": n, "day": form[f"s{n}_day"].data or 1, "at": clock_text(form[f"s{n}_at"].data)}
        for n in ROWS
        if form[f"s{n}_at"].data
    ]


def clocks_sent(form: Form, before: EventSettings | None) -> list[JsonObject]:
    """The minutes of the later stages that have their own; an untouched field keeps its seconds."""
    old = {clock.stage: clock for clock in (before.stage_clocks if before else ())}
    rows: list[JsonObject] = []
    for n in ROWS:
        own: JsonObject = {}
        for key in CLOCK:
            minutes, was = form[f"s{n}_{key}_min"].data, getattr(old.get(n), f"{key}_s", None)
            if minutes is not None:
                own[f"{key}_s"] = was if was is not None and minutes == _minutes(was) else minutes * 60
        if own:
            rows.append({"stage": n, **own})
    return rows


def _minutes(seconds: int | None) -> int | None:
    return None if seconds is None else -(-seconds // 60)


def clock_text(text: str) -> str:
    """9:30, 9h30 and 9.30 as 09:30; anything else as it is, to be refused."""
    match = re.fullmatch(r"(\d{1,2})[:h.](\d{2})", text.strip())
    return f"{int(match[1]):02}:{match[2]}" if match else text


def schedule_text(settings: EventSettings) -> str:
    """A line each: `09:30 Doors`, on later days `2 10:00 Top 8`."""
    lines = (
        (f"{line.day} " if line.day > 1 else "") + f"{line.at} {line.text}" for line in settings.schedule
    )
    return "\n".join(lines)


def schedule_sent(text: str) -> list[JsonObject]:
    lines = [line.strip() for line in (text or "").splitlines() if line.strip()]
    return [_line(line) for line in lines]


def _line(line: str) -> JsonObject:
    match = LINE.fullmatch(line)
    if match is None:
        return {"at": line[:20], "text": line[:120]}
    return {"day": int(match[1] or 1), "at": f"{int(match[2]):02}:{match[3]}", "text": match[4]}
