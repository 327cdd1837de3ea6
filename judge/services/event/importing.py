"""Imports tournament files: a new event with the settings, players, rounds (all published) and penalties of
the file. What the desk cannot keep is refused by its place, never lost.
"""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from sqlmodel import Session

from judge.core.errors import fail
from judge.core.games import GAME_IDS
from judge.core.json_types import JsonObject
from judge.schemas.books import newest
from judge.schemas.tournament.desk_reader import FACT_KEYS, day_of
from judge.schemas.tournament.event_settings import (
    LARGEST_POD,
    EventSettings,
    FormatSettings,
    read_settings,
    settings_of_preset,
)
from judge.schemas.tournament.foreign import parse_tournament
from judge.schemas.tournament.pairing_rules import READERS
from judge.schemas.tournament.presets import presets
from judge.schemas.tournament.reader import read_event
from judge.schemas.tournament.selections import write_selection
from judge.schemas.tournament.stage_settings import OWN_KEYS, StageSettings
from judge.schemas.tournament.story_reader import Names
from judge.schemas.tournament.writer import number, write_settings
from judge.services.accounts.account_view import AnyAccount
from judge.services.event.event_rows import read_rows
from judge.services.event.event_view import AnyEvent
from judge.services.event.events import EventFacts, create_event
from judge.services.event.import_limits import check_desk_keeps, is_in, recorded
from judge.services.event.people_in_files import (
    add_announcements_and_boxes,
    members_in_row,
    not_checked_in,
    outside_rows,
    with_hero_seed,
)
from judge.services.log.changes import Actor, Change, changing
from judge.services.play.outcomes import POD
from judge.storage.events import HALF_BYE, Event, Match, Player, Round
from judge.storage.rulings import Penalty
from judge.tournament.brackets.elimination import seeded
from judge.tournament.formats import SINGLE_ELIMINATION, format_of, play_bracket
from judge.tournament.groups import groups_of
from judge.tournament.model import DEFAULT_FLOOR, PlayerId, Tournament
from judge.tournament.model import Match as EngineMatch
from judge.tournament.stages import Stage, StagedEvent


def import_file(session: Session, organiser: AnyAccount, data: bytes, now: datetime) -> Change[Event]:
    """A new event from a tournament file; InputError names what is wrong with the file."""
    values = parse_tournament(data)
    staged = read_event(values)
    check_desk_keeps(staged)
    t = recorded(staged.tournament(1))
    _check_tables(t)
    settings = _settings(staged, t, values)
    preset = t.preset or format_of(t).preset
    edition = newest(t.game).id if t.game in GAME_IDS else ""
    edition = staged.desk.get("edition") or edition
    day = day_of(staged.desk) or now.date()
    facts = EventFacts(staged.name or "Event", day, edition, preset, settings)
    event = create_event(session, facts, organiser, now).result
    with changing(session, event, Actor(organiser.name, organiser.id), "event.imported") as recording:
        ids = _add_players(session, event, staged, now)
        _add_rounds(session, event, staged, ids, now)
        event.settings = event.settings | _of_players(event.settings, staged, ids)
        _add_penalties(session, event, staged, ids, now)
        add_announcements_and_boxes(session, event, staged, ids)
        if t.rounds:
            is_closed = staged.desk.get("finished") and staged.begun == len(staged.stages)
            event.state = "finished" if is_closed and not _is_open(staged) else "running"
    return recording.change.giving(event)


def _is_open(staged: StagedEvent) -> bool:
    """Whether a result is missing."""
    return any(stage.plan.first_missing_result() for stage in staged.stages)


def _of_players(settings: JsonObject, staged: StagedEvent, ids: dict[PlayerId, int]) -> JsonObject:
    """The settings that name players, by the numbers of their rows."""
    more: JsonObject = {}
    if staged.stages[0].plan.forbidden:
        pairs = [[ids[a], ids[b]] for a, b in staged.stages[0].plan.forbidden]
        more["more"] = {**settings.get("more", {}), "forbidden": pairs}
    if any(stage.take and stage.take.players for stage in staged.stages[1:]):
        takes = [stage.take.players if stage.take else None for stage in staged.stages[1:]]
        more["stages"] = [
            {**stage, "take": {"players": [ids[p] for p in named]}} if named else stage
            for stage, named in zip(settings["stages"], takes, strict=True)
        ]
    return more


def _add_rounds(
    session: Session, event: AnyEvent, staged: StagedEvent, ids: dict[PlayerId, int], now: datetime
) -> None:
    """The rounds of all stages, numbered on through the event."""
    number = 0
    for stage in range(1, staged.begun + 1):
        t = recorded(staged.tournament(stage))
        report: JsonObject = _groups(t, ids) if t.rounds else {}
        if stage > 1:
            report |= {"seeds": [ids[p] for p in seeded(t.entrants)]}
        slots = _slots(t)
        for inside, matches in enumerate(t.rounds, start=1):
            number += 1
            round_ = Round(
                event_id=event.id or 0, stage=stage, number=number, state="published", published_at=now,
                report=report,
            )  # fmt: skip
            round_.report = with_hero_seed(round_, staged)
            _add_round(session, event, round_, matches, ids, slots)
            sat_out = [p for p, rounds in t.half_byes.items() if inside in rounds and is_in(t, p, inside)]
            session.add_all(
                Match(event_id=event.id or 0, round_id=round_.id or 0, a_id=ids[p], result=HALF_BYE)
                for p in sat_out
            )


def _add_penalties(
    session: Session, event: AnyEvent, staged: StagedEvent, ids: dict[PlayerId, int], now: datetime
) -> None:
    rows = read_rows(session, event)
    for penalty in staged.penalties:
        who = ids[penalty.player]
        match = next((m for r, m in rows.all_matches() if r.number == penalty.round and who in m.seats), None)
        session.add(
            Penalty(
                event_id=event.id or 0, player_id=who, match_id=match.id if match else None,
                infraction=penalty.infraction, penalty=penalty.penalty, remedy=penalty.remedy,
                note=penalty.note, given_by=penalty.by, given_at=_moment(penalty.at, now),
            )
        )  # fmt: skip
    session.flush()


def _moment(written: str, now: datetime) -> datetime:
    """The moment as the desk wrote it; else now."""
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        return now
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _check_tables(t: Tournament) -> None:
    """Refuse pods that are too small or too large for the desk."""
    for r, matches in enumerate(t.rounds, start=1):
        for m, match in enumerate(matches, start=1):
            if match.a is None and not 2 <= len(match.players) <= LARGEST_POD:
                raise fail(f"rounds[{r}][{m}]", "import_table_size", n=len(match.players), most=LARGEST_POD)


def _settings(staged: StagedEvent, t: Tournament, values: Any) -> EventSettings:
    preset = presets().get(t.preset or format_of(t).preset)
    defaults = settings_of_preset(preset) if preset else read_settings({})
    row = defaults.as_row() | {
        "format": _format(t),
        "scoring": {key: int(getattr(t.scoring, key)) for key in ("win", "draw", "loss", "bye")},
        "best_of": t.best_of,
        "tiebreakers": list(t.tiebreakers),
        "more": _more(t),
    }
    if format_of(t).has_pods:
        row["place_points"] = {
            str(size): [number(points) for points in by_place]
            for size, by_place in t.place_points.items()
            if 2 <= size <= LARGEST_POD
        }
    if format_of(t).has_bracket:
        row |= {"third_place": t.format.third_place, "grand_final": t.format.grand_final}
    if t.preset is None or staged.is_staged:
        row |= {"cut": 0, "through": 0}  # only what the file says of finals
    if values.get("at_time"):
        row["at_time"] = values["at_time"]
    desk = {key: value for key, value in staged.desk.items() if key not in FACT_KEYS}
    return read_settings(row | _later(staged) | desk)


def _format(t: Tournament) -> JsonObject:
    """The format as the form of the settings shows it."""
    shape = {field.name: getattr(t.format, field.name) for field in fields(FormatSettings)}
    given = t.given.get("format")
    written: JsonObject = given if isinstance(given, dict) else {}
    if written.get("rounds") is None and _is_by_attendance(t):
        shape["rounds"] = None
    if written.get("groups") is not None and written.get("group_size") is None:
        shape["group_size"] = None  # their number decides
    return shape


def _is_by_attendance(t: Tournament) -> bool:
    """Whether the preset told the number of rounds from the number of players."""
    preset = presets().get(t.preset or "")
    if preset is None or t.format.until_wins or t.format.rounds is None:
        return False
    return preset.rounds_for(len(t.entrants)) == t.format.rounds


def _usual_floor(t: Tournament) -> Fraction:
    preset = presets().get(t.preset or format_of(t).preset)
    floor = preset.get("floor") if preset else None
    return DEFAULT_FLOOR if floor is None else Fraction(str(floor))


def _more(t: Tournament) -> JsonObject:
    """The settings of the file that the form does not show, in the words of a file."""
    written = write_settings(t)
    if t.floor == _usual_floor(t) and t.given.get("floor") is None:
        del written["floor"]
    more: JsonObject = {key: written[key] for key in ("floor", *READERS) if key in written}
    shown = {field.name for field in fields(FormatSettings)} | {"third_place", "grand_final"}
    shape = {key: value for key, value in written["format"].items() if key not in shown}
    points = {key: value for key, value in written["scoring"].items() if not isinstance(value, int)}
    return more | ({"format": shape} if shape else {}) | ({"scoring": points} if points else {})


def _later(staged: StagedEvent) -> JsonObject:
    """The settings of the stages after the first: a plain cut where that says it all, else every stage."""
    if len(staged.stages) < 2:
        return {}
    first = write_settings(staged.stages[0].plan)
    stages = [_stage_settings(stage, first) for stage in staged.stages[1:]]
    return _as_cut(staged, stages) or {"stages": [stage.as_row() for stage in stages]}


def _as_cut(staged: StagedEvent, stages: list[StageSettings]) -> JsonObject:
    (stage, *more), shape = stages, staged.stages[1].plan.format
    third = {"third_place": shape.third_place}
    is_bracket = shape.kind == SINGLE_ELIMINATION.id
    if more or not is_bracket or stage.name or stage.own or stage.carry or stage.seeding:
        return {}
    if "of_each_group" in stage.take:
        return {"through": stage.take["of_each_group"], **third}
    return {"cut": stage.take["top"], **third} if "top" in stage.take else {}


def _stage_settings(stage: Stage, first: JsonObject) -> StageSettings:
    """A stage as the desk keeps it: what differs from the first one. Players are named later, by row."""
    written = write_settings(stage.plan)
    own = {key: written[key] for key in OWN_KEYS if key in written and written[key] != first.get(key)}
    if stage.given.get("at_time"):
        own["at_time"] = stage.given["at_time"]
    take: JsonObject = {}
    if stage.take and stage.take.players is None:
        keys = ("top", "points", "of_each_group")
        take = {key: value for key in keys if (value := getattr(stage.take, key)) is not None}
    if "points" in take:
        take["points"] = number(take["points"])
    return StageSettings(stage.name, take, written["format"], own, stage.is_carried, stage.seeding)


def _groups(t: Tournament, ids: dict[PlayerId, int]) -> JsonObject:
    """The groups as the report of a round stores them."""
    if not format_of(t).has_groups:
        return {}
    given = {e.id for e in t.entrants if e.group is not None}  # others join a group when they are paired
    groups = {player: group for player, group in groups_of(t).items() if not given or player in given}
    return {"groups": {str(ids[player]): group for player, group in groups.items()}}


def _add_players(
    session: Session, event: AnyEvent, staged: StagedEvent, now: datetime
) -> dict[PlayerId, int]:
    t = staged.tournament(1)
    whole = staged.attendance
    drops, shown, absent = {**t.drops, **whole.drops}, _display(staged), not_checked_in(staged)
    rows = {
        e.id: Player(
            event_id=event.id or 0,
            name=e.name,
            public_name=shown.get(e.id),
            club=e.club,
            seed=e.seed,
            fixed_table=e.table,
            heroes=list(e.heroes),
            key=e.id if e.given_id else None,
            group_no=e.group,
            members=members_in_row(e.members),
            byes=sorted({*t.byes.get(e.id, ()), *whole.byes.get(e.id, ())}),
            half_byes=sorted({*t.half_byes.get(e.id, ()), *whole.half_byes.get(e.id, ())}),
            absent=sorted({*t.absent.get(e.id, ()), *whole.absent.get(e.id, ())}),
            state="dropped" if e.id in drops else "registered" if e.id in absent else "present",
            first_round=t.late.get(e.id, 1),
            last_round=drops.get(e.id),
            created_at=now,
        )
        for e in t.entrants
    }
    rows |= outside_rows(event, staged, now)
    session.add_all(rows.values())
    session.flush()
    return {key: row.id or 0 for key, row in rows.items()}


def _display(staged: StagedEvent) -> dict[PlayerId | None, str]:
    """What players are called on public pages; the file names them by name or id."""
    names = Names(staged.stages[0].plan.entrants)
    display: JsonObject = staged.desk.get("display") or {}
    return {names.find(who): str(said) for who, said in display.items()}


def _add_round(
    session: Session,
    event: AnyEvent,
    round_: Round,
    matches: tuple[EngineMatch, ...],
    ids: dict[PlayerId, int],
    slots: dict[int, str],
) -> None:
    session.add(round_)
    session.flush()
    used = {m.table for m in matches}
    free = iter(n for n in range(1, len(matches) * 2 + 2) if n not in used)
    for match in matches:
        table = None if len(match.players) < 2 else match.table or next(free)
        row = _match(event, round_, match, ids, table)
        row.slot = slots.get(id(match))
        session.add(row)
    session.flush()


def _slots(t: Tournament) -> dict[int, str]:
    """Which match of the bracket each match is, by its identity: two players may meet twice."""
    if not format_of(t).has_bracket or not t.rounds:
        return {}
    return {id(bout.match): bout.id for bout in play_bracket(t).bouts.values() if bout.match is not None}


def _match(
    event: AnyEvent, round_: Round, match: EngineMatch, ids: dict[PlayerId, int], table: int | None
) -> Match:
    if match.a is None:
        return _pod(event, round_, match, ids, table)
    health = match.health or (None, None)
    return Match(
        event_id=event.id or 0,
        round_id=round_.id or 0,
        table_no=table,
        a_id=ids[match.a],
        b_id=ids[match.b] if match.b is not None else None,
        result=match.result.value if match.result else None,
        health_a=health[0],
        health_b=health[1],
        games=list(match.games) if match.games else None,
        how=match.how,
        selection=write_selection(match.selection) if match.selection else {},
    )


def _pod(
    event: AnyEvent, round_: Round, match: EngineMatch, ids: dict[PlayerId, int], table: int | None
) -> Match:
    first, second, *more = (ids[player] for player in match.players)
    return Match(
        event_id=event.id or 0,
        round_id=round_.id or 0,
        table_no=table,
        a_id=first,
        b_id=second,
        more=more or None,
        result=None if match.scores is None else POD,
        scores=None if match.scores is None else [number(score) for score in match.scores.values()],
    )
