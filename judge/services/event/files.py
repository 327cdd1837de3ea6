"""Exports an event as a tournament file or lists for spreadsheets, and imports tournament files.

A file holds the whole event, its cut as a second stage. Importing one makes a new event with its settings,
players, rounds (all published) and penalties. What the desk cannot keep is refused by its place, never lost.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any

import yaml
from sqlmodel import Session, col, select

from judge.core.errors import fail
from judge.core.games import GAME_IDS
from judge.core.json_types import JsonObject
from judge.schemas.books import newest
from judge.schemas.tournament.desk_reader import DESK_KEYS
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
from judge.schemas.tournament.spreadsheets import players_csv, ranking_csv, results_csv
from judge.schemas.tournament.stage_settings import OWN_KEYS, StageSettings
from judge.schemas.tournament.stages_writer import write_event
from judge.schemas.tournament.writer import number, write_settings
from judge.services.accounts.account_view import AnyAccount
from judge.services.event.event_view import AnyEvent
from judge.services.event.events import EventFacts, create_event, settings_of
from judge.services.event.import_limits import check_desk_keeps, is_in, recorded
from judge.services.event.ranking import event_ranking, named_stage
from judge.services.event.tournament_of import (
    EventRows,
    player_id,
    read_rows,
    staged_event_of,
    stages_begun,
    tournament_file,
)
from judge.services.log.changes import Actor, Change, changing
from judge.services.play.outcomes import POD
from judge.storage.events import HALF_BYE, Event, Match, Player, Round
from judge.storage.rulings import Penalty
from judge.tournament.brackets.elimination import seeded
from judge.tournament.formats import SINGLE_ELIMINATION, format_of
from judge.tournament.groups import groups_of
from judge.tournament.model import Match as EngineMatch
from judge.tournament.model import Member, PlayerId, Tournament
from judge.tournament.model import Penalty as EnginePenalty
from judge.tournament.stages import Stage, StagedEvent

LISTS = ("players", "results", "standings")


def export_file(session: Session, event: AnyEvent, form: str, stage: int | None = None) -> str:
    """The tournament file as YAML or JSON text: of the whole event, or of one stage."""
    rows = read_rows(session, event)
    data = _plain(_whole_event(session, rows) if stage is None else tournament_file(rows, stage))
    if form == "json":
        return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    text: str = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=110)
    return text


def _whole_event(session: Session, rows: EventRows) -> dict[str, Any]:
    event = staged_event_of(rows)
    settings = settings_of(rows.event).as_row()
    penalties = tuple(_penalty(rows, row) for row in _penalties(session, rows.event))
    data = write_event(
        replace(event, penalties=penalties, desk={key: settings[key] for key in DESK_KEYS if key in settings})
    )
    return {**data, "at_time": settings["at_time"]}


def _penalties(session: Session, event: AnyEvent) -> Sequence[Penalty]:
    return session.exec(select(Penalty).where(Penalty.event_id == event.id).order_by(col(Penalty.id))).all()


def _penalty(rows: EventRows, row: Penalty) -> EnginePenalty:
    match = next((m for _, m in rows.all_matches() if m.id == row.match_id), None)
    return EnginePenalty(
        player_id(row.player_id), row.infraction, row.penalty,
        None if match is None else rows.round_of(match).number,
        row.remedy, row.note, row.given_by, row.given_at.isoformat(),
    )  # fmt: skip


def _plain(value: Any) -> Any:
    """The value with only plain lists, dictionaries, strings and numbers."""
    return json.loads(json.dumps(value, ensure_ascii=False))


def export_list(session: Session, event: AnyEvent, what: str) -> str:
    """Players, results or standings as CSV; cells that a spreadsheet would run as formulas are quoted."""
    rows = read_rows(session, event)
    if what == "standings":
        return ranking_csv(event_ranking(rows))
    stages = [named_stage(rows, n, rows.names) for n in range(1, stages_begun(rows) + 1)]
    return players_csv(stages[0]) if what == "players" else results_csv(*stages)


# -- import -------------------------------------------------------------------------------------------------


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
    facts = EventFacts(staged.name[:120] or "Event", now.date(), edition, preset, settings)
    event = create_event(session, facts, organiser, now).result
    with changing(session, event, Actor(organiser.name, organiser.id), "event.imported") as recording:
        ids = _add_players(session, event, staged, now)
        _add_rounds(session, event, staged, ids, now)
        event.settings = event.settings | _of_players(event.settings, staged, ids)
        _add_penalties(session, event, staged, ids, now)
        if t.rounds:
            event.state = "running"
    return recording.change.giving(event)


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
        for inside, matches in enumerate(t.rounds, start=1):
            number += 1
            round_ = Round(
                event_id=event.id or 0, stage=stage, number=number, state="published", published_at=now,
                report=report,
            )  # fmt: skip
            _add_round(session, event, round_, matches, ids)
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
                infraction=penalty.infraction[:40], penalty=penalty.penalty[:40], remedy=penalty.remedy[:300],
                note=penalty.note[:500], given_by=penalty.by[:80], given_at=_moment(penalty.at, now),
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
        "format": {field.name: getattr(t.format, field.name) for field in fields(FormatSettings)},
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
    return read_settings(row | _later(staged) | dict(staged.desk))


def _more(t: Tournament) -> JsonObject:
    """The settings of the file that the form does not show, in the words of a file."""
    written = write_settings(t)
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
    return {"groups": {str(ids[player]): group for player, group in groups_of(t).items()}}


def _add_players(
    session: Session, event: AnyEvent, staged: StagedEvent, now: datetime
) -> dict[PlayerId, int]:
    t = staged.tournament(1)
    whole = staged.attendance
    drops = {**t.drops, **whole.drops}
    rows = {
        e.id: Player(
            event_id=event.id or 0,
            name=e.name[:80],
            club=e.club,
            seed=e.seed,
            fixed_table=e.table,
            heroes=list(e.heroes),
            members=[_member(member) for member in e.members],
            byes=sorted({*t.byes.get(e.id, ()), *whole.byes.get(e.id, ())}),
            half_byes=sorted({*t.half_byes.get(e.id, ()), *whole.half_byes.get(e.id, ())}),
            absent=sorted({*t.absent.get(e.id, ()), *whole.absent.get(e.id, ())}),
            state="dropped" if e.id in drops else "present",
            first_round=t.late.get(e.id, 1),
            last_round=drops.get(e.id),
            created_at=now,
        )
        for e in t.entrants
    }
    session.add_all(rows.values())
    session.flush()
    return {key: row.id or 0 for key, row in rows.items()}


def _member(member: Member) -> Any:
    return {"name": member.name, "heroes": list(member.heroes)} if member.heroes else member.name


def _add_round(
    session: Session,
    event: AnyEvent,
    round_: Round,
    matches: tuple[EngineMatch, ...],
    ids: dict[PlayerId, int],
) -> None:
    session.add(round_)
    session.flush()
    used = {m.table for m in matches}
    free = iter(n for n in range(1, len(matches) * 2 + 2) if n not in used)
    for match in matches:
        table = None if len(match.players) < 2 else match.table or next(free)
        session.add(_match(event, round_, match, ids, table))
    session.flush()


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
