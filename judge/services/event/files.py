"""Exports an event as a tournament file or lists for spreadsheets, and imports tournament files.

A file holds one stage; an event with a cut has two files. Importing one makes a new event with its settings,
players and rounds, all published.
"""

from __future__ import annotations

import json
from dataclasses import fields, replace
from datetime import datetime
from typing import Any

import yaml
from sqlmodel import Session

from judge.core.errors import fail
from judge.core.games import GAME_IDS
from judge.core.json_types import JsonObject
from judge.schemas.books import newest
from judge.schemas.files import parse
from judge.schemas.tournament.event_settings import (
    LARGEST_POD,
    EventSettings,
    FormatSettings,
    read_settings,
    settings_of_preset,
)
from judge.schemas.tournament.presets import presets
from judge.schemas.tournament.reader import read_tournament
from judge.schemas.tournament.spreadsheets import players_csv, results_csv, standings_csv
from judge.schemas.tournament.writer import number
from judge.services.accounts.account_view import AnyAccount
from judge.services.event.event_view import AnyEvent
from judge.services.event.events import EventFacts, create_event
from judge.services.event.player_names import shown_names
from judge.services.event.tournament_of import EventRows, read_rows, tournament_file, tournament_of
from judge.services.log.changes import Actor, Change, changing
from judge.services.play.outcomes import POD
from judge.storage.events import Event, Match, Player, Round
from judge.tournament.formats import format_of
from judge.tournament.groups import groups_of
from judge.tournament.model import Match as EngineMatch
from judge.tournament.model import PlayerId, Tournament
from judge.tournament.ranking import rank

LISTS = ("players", "results", "standings")


def named_tournament(rows: EventRows, stage: int = 1) -> Tournament:
    """The tournament with the players' unique desk names in place of row numbers."""
    names = shown_names(rows.players.values())
    tournament = tournament_of(rows, stage, name_of=lambda player: names[player.id or 0])
    return replace(tournament, labels={PlayerId(str(n)): name for n, name in names.items()})


def export_file(session: Session, event: AnyEvent, form: str, stage: int = 1) -> str:
    """The tournament file as YAML or JSON text."""
    data = _plain(tournament_file(read_rows(session, event), stage))
    if form == "json":
        return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    text: str = yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=110)
    return text


def _plain(value: Any) -> Any:
    """The value with only plain lists, dictionaries, strings and numbers."""
    return json.loads(json.dumps(value, ensure_ascii=False))


def export_list(session: Session, event: AnyEvent, what: str) -> str:
    """Players, results or standings as CSV; cells that a spreadsheet would run as formulas are quoted."""
    t = named_tournament(read_rows(session, event))
    if what == "players":
        return players_csv(t)
    return results_csv(t) if what == "results" else standings_csv(t, rank(t))


# -- import -------------------------------------------------------------------------------------------------


def import_file(session: Session, organiser: AnyAccount, data: bytes, now: datetime) -> Change[Event]:
    """A new event from a tournament file; InputError names what is wrong with the file."""
    values = parse(data)
    t = read_tournament(values)
    _check_tables(t)
    settings = _settings(t, values)
    preset = t.preset or format_of(t).preset
    edition = newest(t.game).id if t.game in GAME_IDS else ""
    facts = EventFacts(t.name[:120] or "Event", now.date(), edition, preset, settings)
    event = create_event(session, facts, organiser, now).result
    with changing(session, event, Actor(organiser.name, organiser.id), "event.imported") as recording:
        ids = _add_players(session, event, t, now)
        report = _groups(t, ids) if t.rounds else {}
        for number, matches in enumerate(t.rounds, start=1):
            _add_round(session, event, number, matches, ids, now, report)
        if t.rounds:
            event.state = "running"
    return recording.change.giving(event)


def _check_tables(t: Tournament) -> None:
    """Refuse pods that are too small or too large for the desk."""
    for r, matches in enumerate(t.rounds, start=1):
        for m, match in enumerate(matches, start=1):
            if match.a is None and not 2 <= len(match.players) <= LARGEST_POD:
                raise fail(f"rounds[{r}][{m}]", "import_table_size", n=len(match.players), most=LARGEST_POD)


def _settings(t: Tournament, values: Any) -> EventSettings:
    preset = presets().get(t.preset or format_of(t).preset)
    defaults = settings_of_preset(preset) if preset else read_settings({})
    scoring = {key: int(getattr(t.scoring, key)) for key in ("win", "draw", "loss", "bye")}
    row = defaults.as_row() | {
        "format": {field.name: getattr(t.format, field.name) for field in fields(FormatSettings)},
        "scoring": scoring,
        "best_of": t.best_of,
        "tiebreakers": list(t.tiebreakers),
    }
    if format_of(t).has_pods:
        row["place_points"] = {
            str(size): [number(points) for points in by_place]
            for size, by_place in t.place_points.items()
            if 2 <= size <= LARGEST_POD
        }
    if t.preset is None:
        row |= {"cut": 0, "through": 0}  # the file does not mention finals
    if values.get("at_time"):
        row["at_time"] = values["at_time"]
    return read_settings(row)


def _groups(t: Tournament, ids: dict[PlayerId, int]) -> JsonObject:
    """The groups as the report of a round stores them."""
    if not format_of(t).has_groups:
        return {}
    return {"groups": {str(ids[player]): group for player, group in groups_of(t).items()}}


def _add_players(session: Session, event: AnyEvent, t: Tournament, now: datetime) -> dict[PlayerId, int]:
    rows = {
        e.id: Player(
            event_id=event.id or 0,
            name=e.name[:80],
            club=e.club,
            seed=e.seed,
            fixed_table=e.table,
            heroes=list(e.heroes),
            state="dropped" if e.id in t.drops else "present",
            first_round=t.late.get(e.id, 1),
            last_round=t.drops.get(e.id),
            created_at=now,
        )
        for e in t.entrants
    }
    session.add_all(rows.values())
    session.flush()
    return {key: row.id or 0 for key, row in rows.items()}


def _add_round(
    session: Session,
    event: AnyEvent,
    number: int,
    matches: tuple[EngineMatch, ...],
    ids: dict[PlayerId, int],
    now: datetime,
    report: JsonObject,
) -> None:
    round_ = Round(event_id=event.id or 0, number=number, state="published", published_at=now, report=report)
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
