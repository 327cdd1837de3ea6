"""Reads the stages of a tournament file: what stands outside them holds for all, what stands in one for it
alone. Rounds outside count on through the stages, rounds inside from the first of the stage.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import repeat
from typing import Any

from judge.core.errors import InputError, Problem, problem
from judge.schemas import shape
from judge.schemas.shape import Fields, each, gathered, joined, listing, number, one_of, raise_all
from judge.schemas.tournament.rules_reader import MAX_GROUPS, check_used, points
from judge.schemas.tournament.stage_reader import (
    EVENT_KEYS,
    KEYS,
    SETTINGS,
    as_written,
    check_version,
    read_stage,
)
from judge.schemas.tournament.story_reader import (
    MAX_PLAYERS,
    STORY_KEYS,
    AnyNames,
    Names,
    Story,
    read_entrants,
    read_players,
    read_story,
    seats,
)
from judge.tournament.formats import format_of
from judge.tournament.model import Entrant, PlayerId
from judge.tournament.stages import SEEDINGS, Attendance, Stage, StagedEvent, Take

STAGE_KEYS = ("take", "seeding", "carry")
TAKE_KEYS = ("top", "points", "of_each_group", "players")
CARRIED = ("points",)
MAX_STAGES = 50
WHOLE_EVENT = tuple(key for key in STORY_KEYS if key not in ("rounds", "forbidden"))

Facts = dict[PlayerId, Entrant]


def read_stages(data: dict[str, Any]) -> StagedEvent:
    """An event of several stages; raises every fault of every stage."""
    try:
        listed, everybody, own_facts = _everybody(data)
    except InputError as error:
        raise joined(error, lambda: _parts(data, AnyNames(), repeat({}))) from None
    names = Names(everybody)
    parts = _parts(data, names, own_facts)
    story: Story = parts["story"]
    check_used(data, [format_of(stage.plan) for stage in parts["stages"]])
    labels = names.labels()
    stages = (
        replace(
            stage,
            plan=replace(stage.plan, labels=labels, forbidden=(*story.forbidden, *stage.plan.forbidden)),
        )
        for stage in parts["stages"]
    )
    return StagedEvent(
        name=parts["name"],
        stages=tuple(stages),
        listed=listed,
        attendance=Attendance(**{key: getattr(story, key) for key in WHOLE_EVENT}),
        forbidden=story.forbidden,
        given=as_written(data),
    )


def _parts(data: dict[str, Any], names: Names, own_facts: Iterable[Facts]) -> dict[str, Any]:
    """All that a file of several stages holds, besides its players."""
    return gathered(
        {
            "keys": lambda: _check_outside(data),
            "version": lambda: check_version(data),
            "name": lambda: shape.name(data.get("name", ""), "name"),
            "story": lambda: read_story({key: data.get(key) for key in STORY_KEYS if key != "rounds"}, names),
            "stages": lambda: _stages(data, names, own_facts),
        }
    )


def _check_outside(data: dict[str, Any]) -> None:
    outside = Fields(data, "", KEYS)
    written: list[Any] = outside.read("stages", listing, [{}], MAX_STAGES)
    if not written:
        outside.fault("stages", "tournament_no_stages")
    if data.get("rounds") is not None:
        outside.fault("rounds", "tournament_beside_stages")
    if "format" in data and all(isinstance(s, dict) and s.get("format") is not None for s in written):
        outside.fault("format", "tournament_beside_stages")
    outside.done()


def _everybody(data: dict[str, Any]) -> tuple[tuple[Entrant, ...], tuple[Entrant, ...], list[Facts]]:
    """The players outside the stages; all players; and those whom a stage describes, stage by stage."""
    written = [s if isinstance(s, dict) else {} for s in listing(data.get("stages"), "stages")]
    own = each([s.get("players") for s in written], "stages", _own_players)
    listed = () if data.get("players") is None and any(own) else read_players(data)
    everybody: Facts = {e.id: e for e in listed}
    for facts in own:
        everybody |= {p: e for p, e in facts.items() if p not in everybody}
    return listed, tuple(everybody.values()), own


def _own_players(value: Any, path: str) -> Facts:
    if value is None:
        return {}
    try:
        return {e.id: e for e in read_entrants(value)}
    except InputError as error:
        raise InputError(*(replace(p, path=f"{path}.{p.path}") for p in error.problems)) from None


def _stages(data: dict[str, Any], names: Names, own_facts: Iterable[Facts]) -> list[Stage]:
    try:
        stages = each(listing(data["stages"], "stages"), "stages", _stage, data, names, iter(own_facts))
    except InputError as error:  # a setting outside the stages is wrong for each of them: said once
        raise InputError(*{(p.path, p.message.key): p for p in error.problems}.values()) from None
    problems = [fault for n, stage in enumerate(stages) for fault in _misplaced(stage, stages[:n], n + 1)]
    raise_all(problems)
    return stages


def _stage(value: Any, path: str, data: dict[str, Any], names: Names, own_facts: Any) -> Stage:
    facts: Facts = next(own_facts)
    asked = Fields(value, path, (*STAGE_KEYS, *(key for key in KEYS if key not in EVENT_KEYS)))
    own = asked.entry
    take = asked.get("take", _take, Take(players=tuple(facts)) if facts else None, names)
    seeding = asked.get("seeding", one_of, None, SEEDINGS)
    carry = asked.get("carry", one_of, None, CARRIED)
    title = asked.get("name", shape.name, "")
    outside = {key: data[key] for key in SETTINGS if key in data and key != "tournament"}
    merged = outside | {key: own[key] for key in own if key not in STAGE_KEYS and key in KEYS}
    count = take.top if take and take.top else len(facts) or len(names.entrants)
    try:
        plan = read_stage(merged, lambda: names, count)
        check_used(own, [format_of(plan)])
    except InputError as error:
        asked.problems += [_placed(fault, own, data, path) for fault in error.problems]
        plan = None
    asked.done()
    assert plan is not None, "the faults of a stage that cannot be read were raised"
    whole = " – ".join(part for part in (str(data.get("name") or ""), title) if part)
    return Stage(
        plan=replace(plan, name=whole),
        name=title,
        take=take,
        seeding=seeding,
        is_carried=carry is not None,
        own_facts=facts,
        given=as_written(own) | {key: own[key] for key in own if key in STAGE_KEYS},
    )


def _placed(fault: Problem, own: dict[str, Any], data: dict[str, Any], path: str) -> Problem:
    """The fault with the path of the stage, unless the setting stands outside."""
    key = fault.path.split(".")[0].split("[")[0]
    return fault if key in data and key not in own else replace(fault, path=f"{path}.{fault.path}")


def _take(value: Any, path: str, names: Names) -> Take:
    asked = Fields(value, path, TAKE_KEYS)
    if sum(asked.entry.get(key) is not None for key in TAKE_KEYS) != 1:
        asked.fault("", "tournament_take_one_way", words=list(TAKE_KEYS))
    take = Take(
        top=asked.get("top", number, None, 1, MAX_PLAYERS),
        points=asked.get("points", points),
        of_each_group=asked.get("of_each_group", number, None, 1, MAX_GROUPS),
        players=asked.get("players", seats, None, names),
    )
    asked.done()
    return take


def _misplaced(stage: Stage, before: list[Stage], n: int) -> list[Problem]:
    """Keys that nothing could read in this stage, after the one before it."""
    path = f"stages[{n}]"
    faults: list[Problem] = []
    if not before:
        takes_first = stage.take is not None and stage.take.players is None
        keys = [("take", takes_first), ("seeding", bool(stage.seeding)), ("carry", stage.is_carried)]
        return [problem(f"{path}.{key}", "tournament_first_stage") for key, is_wrong in keys if is_wrong]
    after_groups = format_of(before[-1].plan).has_groups
    if stage.take and stage.take.of_each_group is not None and not after_groups:
        faults.append(problem(f"{path}.take.of_each_group", "tournament_needs_groups"))
    if stage.seeding == "across-groups" and not after_groups:
        faults.append(problem(f"{path}.seeding", "tournament_needs_groups"))
    if stage.is_carried and not format_of(stage.plan).can_carry:
        faults.append(problem(f"{path}.carry", "tournament_carry_needs_swiss", kind=stage.plan.format.kind))
    return faults
