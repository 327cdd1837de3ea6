"""The stages of an event: who goes on into each, its format, points and tie-breakers.

Stage 1 is the event's own format. Later ones are the `stages` of its settings or, without those, the cut.
The event's own settings override those of its preset, and a stage's own those of the event.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from judge.core.json_types import JsonObject, TournamentFile
from judge.schemas.shape import gathered
from judge.schemas.tournament.event_settings import LARGEST_POD, read_settings, settings_of_preset
from judge.schemas.tournament.pairing_rules import READERS, read_pattern, readers
from judge.schemas.tournament.presets import presets
from judge.schemas.tournament.rules_reader import DEFAULT_PLACE_POINTS, FORMAT_KEYS, MAX_ROUNDS
from judge.schemas.tournament.stage_settings import StageSettings
from judge.services.event.event_view import AnyEvent
from judge.tournament.formats import DEFAULT, FORMATS, SINGLE_ELIMINATION, FormatKind
from judge.tournament.model import DEFAULT_FLOOR, SMALLEST_TABLE, Format, Rules, Scoring
from judge.tournament.stages import Take

ENGINE_SETTINGS = ("format", "scoring", "best_of", "floor", "tiebreakers", "place_points", *READERS)


@lru_cache(maxsize=256)
def _read_stage(written: str) -> StageSettings:
    return read_settings({"stages": [json.loads(written)]}).stages[0]


def later_stages(event: AnyEvent) -> tuple[StageSettings, ...]:
    """The stages after the first, as planned."""
    written = event.settings.get("stages")
    if written:
        return tuple(_read_stage(json.dumps(stage, sort_keys=True)) for stage in written)
    cut = _cut_take(event)
    return (StageSettings(take=cut, format=_cut_format(event)),) if cut else ()


def planned_stages(event: AnyEvent) -> int:
    return 1 + len(later_stages(event))


def later_stage(event: AnyEvent, stage: int) -> StageSettings:
    """A stage after the first. A cut that somebody makes although none is planned is one too."""
    later = later_stages(event)
    return later[stage - 2] if stage - 2 < len(later) else StageSettings(format=_cut_format(event))


def take_of(event: AnyEvent, stage: int = 2) -> Take | None:
    """Who goes on into this stage; None if it is not planned or takes everybody."""
    return later_stage(event, stage).who() if stage <= planned_stages(event) else None


def stage_rules(event: AnyEvent, stage: int, players: int) -> Rules:
    """The rules of a stage; the number of players can decide the number of rounds."""
    shape = _format(event, stage, players)
    floor = setting(event, "floor", stage=stage)
    tiebreakers = setting(event, "tiebreakers", stage=stage)
    if tiebreakers is None:
        tiebreakers = FORMATS[shape.kind].tiebreakers(shape)
    return Rules(
        format=shape,
        scoring=_scoring(event, stage),
        best_of=best_of(event, stage),
        floor=DEFAULT_FLOOR if floor is None else Fraction(str(floor)),
        tiebreakers=tuple(tiebreakers),
        place_points=place_points(event, stage),
        **gathered(readers(lambda key: setting(event, key, stage=stage))),
    )


def best_of(event: AnyEvent, stage: int) -> int:
    return int(setting(event, "best_of", 1, stage=stage))


def has_games(event: AnyEvent) -> bool:
    """Whether matches of any stage have several games."""
    return any(best_of(event, stage) > 1 for stage in range(1, planned_stages(event) + 1))


def _format(event: AnyEvent, stage: int, players: int) -> Format:
    preset = presets().get(event.preset)
    own, usual = stage_format(event, stage), preset.get("format", {}) if preset else {}
    is_of_preset = own.get("kind") in (None, usual.get("kind", DEFAULT.id))  # as a file is read
    values = {**(usual if is_of_preset else {}), **own}
    rounds = values.get("rounds")
    if rounds in (None, "auto"):
        rounds = preset.rounds_for(players) if preset and is_of_preset else None
    options = {key: values[key] for key in FORMAT_KEYS if values.get(key) is not None}
    if values.get("pattern") is not None:
        pattern, patterns = read_pattern(values["pattern"], "format.pattern", MAX_ROUNDS)
        options |= {"pattern": pattern, "patterns": patterns}
    return Format(kind=values.get("kind", DEFAULT.id), rounds=rounds, **options)


def _scoring(event: AnyEvent, stage: int) -> Scoring:
    preset = presets().get(event.preset)
    of_stage = later_stage(event, stage).own if stage > 1 else {}
    own = {
        **(event.settings.get("scoring") or {}),
        **more_of(event).get("scoring", {}),
        **of_stage.get("scoring", {}),
    }
    values = {**(preset.get("scoring", {}) if preset else {}), **own}
    if "win" in own and "bye" not in own:
        values["bye"] = own["win"]  # a bye is worth a win unless the event says otherwise
    per = values.pop("per", "match")
    return Scoring(**{key: Fraction(str(value)) for key, value in values.items()}, per=per)


def place_points(event: AnyEvent, stage: int = 1) -> dict[int, tuple[Fraction, ...]]:
    """Points by place, for each size of a pod."""
    by_size = setting(event, "place_points", DEFAULT_PLACE_POINTS, stage=stage)
    return {int(size): tuple(Fraction(str(p)) for p in points) for size, points in by_size.items()}


def setting(event: AnyEvent, key: str, default: Any = None, *, stage: int = 1) -> Any:
    """The stage's own setting, else the event's, else its preset's."""
    if stage > 1 and later_stage(event, stage).own.get(key) is not None:
        return later_stage(event, stage).own[key]
    if event.settings.get(key) is not None:
        return event.settings[key]
    if more_of(event).get(key) is not None:
        return more_of(event)[key]
    preset = presets().get(event.preset)
    return preset.get(key, default) if preset else default


def more_of(event: AnyEvent) -> JsonObject:
    """The settings of an imported file that the form does not show."""
    more: JsonObject = event.settings.get("more") or {}
    return more


def has_draws(event: AnyEvent, stage: int) -> bool:
    """A bracket needs a winner at every table."""
    return kind_of(event, stage).has_draws


def kind_of(event: AnyEvent, stage: int) -> FormatKind:
    """The format of a stage."""
    return FORMATS[stage_format(event, stage).get("kind", DEFAULT.id)]


def stage_at(event: AnyEvent, number: int, begun: Mapping[int, int]) -> int:
    """The stage of a round, as far as it is known. `begun` has the first rounds of stages that have begun; a
    stage to come begins after the announced rounds of the one before."""
    last, begins = max(planned_stages(event), *begun, 1), 1
    for stage in range(1, last):
        begins = begun.get(stage, begins)
        rounds = None if kind_of(event, stage).has_bracket else stage_format(event, stage).get("rounds")
        ends = begun.get(stage + 1, begins + rounds if isinstance(rounds, int) else None)
        if ends is None or number < ends:
            return stage
        begins = ends
    return last


def is_bracket_round(event: AnyEvent, number: int, begun: Mapping[int, int]) -> bool:
    """Whether a round belongs to a bracket, which has no awarded byes and waits for nobody."""
    return kind_of(event, stage_at(event, number, begun)).has_bracket


def stage_format(event: AnyEvent, stage: int) -> JsonObject:
    """The `format` of a stage, as in a tournament file."""
    if stage > 1 and event.settings.get("stages"):
        return dict(later_stage(event, stage).format)
    return _event_format(event) if stage == 1 else _cut_format(event)


def _event_format(event: AnyEvent) -> JsonObject:
    own = setting(event, "format", {})
    shape = {"kind": own} if isinstance(own, str) else dict(own)
    return _of_its_kind(event, shape | more_of(event).get("format", {}))


def _cut_format(event: AnyEvent) -> JsonObject:
    """The format of a cut: a bracket, or after pods one last table."""
    own = setting(event, "format", {})
    shape = {"kind": own} if isinstance(own, str) else dict(own)
    size = cut_size(event)
    if has_final_table(str(shape.get("kind", "")), size):
        return _of_its_kind(event, {**shape, "rounds": 1, "pod_size": size})
    return _of_its_kind(event, {"kind": SINGLE_ELIMINATION.id})


def _of_its_kind(event: AnyEvent, shape: JsonObject) -> JsonObject:
    """The format without keys that its kind does not read, with those that stand beside it."""
    own = FORMATS[shape.get("kind", DEFAULT.id)].keys
    foreign = {key for kind in FORMATS.values() for key in kind.keys} - set(own)
    shape = {
        key: value
        for key, value in shape.items()
        if key not in foreign and not (key in own and value is None)
    }
    return shape | {key: event.settings[key] for key in own if key in event.settings}


def _cut_take(event: AnyEvent) -> JsonObject:
    of_each = int(setting(event, "through") or 0) if kind_of(event, 1).has_groups else 0
    if of_each:
        return {"of_each_group": of_each}
    size = cut_size(event)
    return {"top": size} if size else {}


def has_final_table(kind: str, cut: int | None) -> bool:
    """Whether the best players of the pods meet at one last table instead of a bracket."""
    return kind in FORMATS and FORMATS[kind].has_pods and SMALLEST_TABLE <= (cut or 0) <= LARGEST_POD


def pod_counts(event: AnyEvent, stage: int) -> str | None:
    """What is recorded at a pod, `scores` or `places`; None in other formats."""
    shape = stage_format(event, stage)
    return str(shape.get("counts", "scores")) if kind_of(event, stage).has_pods else None


def cut_size(event: AnyEvent) -> int | None:
    """How many players the cut has; None without a cut."""
    cut = setting(event, "cut")
    size = cut.get("top") if isinstance(cut, dict) else cut
    return size if isinstance(size, int) and size >= 2 else None


def has_cut_of_preset(event: AnyEvent) -> bool:
    """Whether the cut is the one that the event's preset plans."""
    preset = presets().get(event.preset)
    if preset is None:
        return False
    usual = settings_of_preset(preset).as_row()
    keys = ("cut", "through", "third_place")
    return not event.settings.get("stages") and all(event.settings.get(k) == usual[k] for k in keys)


def settings_as_given(event: AnyEvent, stage: int) -> TournamentFile:
    """The event's own settings, in the keys of a tournament file."""
    settings: TournamentFile = {"tournament": 1, "name": event.name, "game": event.game}
    if event.preset in presets():
        settings["preset"] = event.preset
    foreign = {key for kind in FORMATS.values() for key in kind.settings}
    foreign -= set(kind_of(event, stage).settings)
    own = {**event.settings, **{key: more_of(event)[key] for key in more_of(event) if key != "format"}}
    own |= later_stage(event, stage).own if stage > 1 else {}
    for key in ENGINE_SETTINGS:
        if own.get(key) is not None and key not in foreign:
            settings[key] = own[key]
    settings["format"] = stage_format(event, stage)
    return settings
