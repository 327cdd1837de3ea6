"""An event as data: pairings, standings, bracket and clock, with public names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from judge.core.json_types import JsonObject
from judge.core.messages import Lang
from judge.schemas.tournament.writer import number
from judge.services.play.clock import Face
from judge.services.public.pairing_lists import Pair, read_pairings
from judge.services.public.read_models import RoundHead, Stamp, read_outline
from judge.services.public.standings import read_bracket, read_scores
from judge.storage.events import HALF_BYE
from judge.storage.reader import Reader
from judge.tournament.model import Result


def event_data(reader: Reader, stamp: Stamp, _lang: Lang) -> JsonObject:
    outline = read_outline(reader, stamp)
    head = outline.head
    return {
        "slug": head.slug,
        "name": head.name,
        "day": head.day.isoformat(),
        "state": head.state,
        "rounds": [_round(r) for r in outline.rounds],
        "has_bracket": head.has_bracket,
        "version": stamp.version,
    }


def _round(round_: RoundHead) -> JsonObject:
    return {"number": round_.number, "stage": round_.stage, "published_at": _moment(round_.published_at)}


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def pairings_data(reader: Reader, stamp: Stamp, _lang: Lang) -> JsonObject:
    """The tables of the latest published round, and those of earlier rounds that are still being played; no
    round before the first."""
    pairings = read_pairings(reader, stamp)
    if pairings is None:
        return {"round": None, "tables": [], "earlier": [], **_alone([]), "missing": 0}
    return {
        "round": _round(pairings.round),
        "tables": [_table(pair) for pair in pairings.tables if not pair.round],
        "earlier": [{"round": pair.round, **_table(pair)} for pair in pairings.tables if pair.round],
        **_alone(pairings.byes),
        "missing": pairings.missing,
    }


def _alone(pairs: Sequence[Pair]) -> JsonObject:
    """Players without an opponent, by why."""
    ways = {"byes": Result.BYE, "half_byes": HALF_BYE, "absent": Result.MISSED}
    return {key: [pair.a for pair in pairs if pair.result == way] for key, way in ways.items()}


def _table(pair: Pair) -> JsonObject:
    if pair.pod:
        seats = [{"player": s.name, "place": s.place, "score": s.score or None} for s in pair.pod]
        return {"table": pair.table, "players": seats, "result": pair.result}
    health = [pair.health_a, pair.health_b]
    return {
        "table": pair.table,
        "a": pair.a,
        "b": pair.b,
        "result": pair.result,
        "health": None if None in health else health,
        "games": _json(pair.games),
        "extension_s": pair.extension_s,
    }


def _json(text: str | None) -> Any:
    return json.loads(text) if text else None


def standings_data(reader: Reader, stamp: Stamp, _lang: Lang) -> JsonObject:
    """The standings in the shape of `judge standings`."""
    scores = read_scores(reader, stamp)
    lines = []
    for place in scores.places:
        s = place.standing
        group = {} if place.group is None else {"group": place.group}
        tiebreakers = {name: number(value) for name, value in s.tiebreakers.items()}
        lines.append({
            "rank": place.rank, "player": scores.names[int(place.player)], "points": number(s.points),
            "record": s.record, "byes": s.byes, "tiebreakers": tiebreakers, "stage": place.stage, **group,
        })  # fmt: skip
    return {"rounds": scores.rounds, "missing": scores.missing, "final": scores.is_final, "standings": lines}


def bracket_data(reader: Reader, stamp: Stamp, lang: Lang) -> JsonObject:
    board = read_bracket(reader, stamp, lang)
    if board is None:
        return {"matches": [], "champion": None}
    matches = [
        {
            "match": m.label, "stage": m.stage, "a": m.a.name or None, "b": m.b.name or None,
            "score": [m.a.score or None, m.b.score or None], "won": m.won or None,
        }
        for m in board.matches
    ]  # fmt: skip
    return {"matches": matches, "champion": board.champion}


def clock_data(reader: Reader, stamp: Stamp, _lang: Lang) -> JsonObject:
    """The clock of the latest round; while it runs, the moments at which it ends."""
    rounds = read_outline(reader, stamp).rounds
    face = rounds[-1].clock if rounds else Face("idle", is_running=False)
    return {
        "round": rounds[-1].number if rounds else None,
        "phase": face.phase,
        "running": face.is_running,
        "setup_ends_at": _moment(face.setup_ends),
        "ends_at": _moment(face.ends),
        "left_s": None if face.is_running else face.left,
    }
