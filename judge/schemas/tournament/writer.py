"""Writes a tournament as a tournament file."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from judge.core.games import OTHER_GAME
from judge.schemas.tournament.rules_reader import read_rules
from judge.tournament.formats import format_of
from judge.tournament.model import Entrant, Match, Tournament

Number = int | float


def number(value: Fraction) -> Number:
    return value.numerator if value.denominator == 1 else float(value)


def write_tournament(t: Tournament) -> dict[str, Any]:
    """The tournament file. Settings are as the file wrote them, unless the tournament was changed since."""
    if t.given:
        data = _write(t, dict(t.given))
        if _means_the_same(t, data):
            return data
    kept = {key: t.given[key] for key in ("stages", "at_time") if key in t.given}
    return _write(t, _settings(t) | kept)


def _means_the_same(t: Tournament, data: dict[str, Any]) -> bool:
    """Whether reading these settings gives those of the tournament."""
    rules = read_rules(data, len(t.entrants)).as_fields()
    named = {"name": str(data.get("name", "")), "game": data.get("game", OTHER_GAME)}
    named["preset"] = data.get("preset")
    return all(getattr(t, key) == value for key, value in (rules | named).items())


def _write(t: Tournament, data: dict[str, Any]) -> dict[str, Any]:
    data["players"] = [_entrant(e) for e in t.entrants]
    for key, numbers in (("drops", t.drops), ("late", t.late)):
        if numbers or key in data:
            data[key] = {t.label(p): n for p, n in numbers.items()}
    if t.forbidden or data.get("forbidden"):
        data["forbidden"] = [[t.label(a), t.label(b)] for a, b in t.forbidden]
    data["rounds"] = [[_match(t, m) for m in matches] for matches in t.rounds]
    return data


def _settings(t: Tournament) -> dict[str, Any]:
    """The settings of a tournament that was not read from a file."""
    s, f = t.scoring, t.format
    kind = format_of(t)
    shape = {key: getattr(f, key) for key in ("kind", "rounds", "pattern", *kind.keys)}
    if shape.get("counts") == "scores":
        del shape["counts"]  # as everywhere
    data: dict[str, Any] = {"tournament": 1, "name": t.name, "game": t.game}
    if t.preset:
        data["preset"] = t.preset
    data |= {
        "format": {key: value for key, value in shape.items() if value is not None},
        "scoring": {
            k: number(v) for k, v in (("win", s.win), ("draw", s.draw), ("loss", s.loss), ("bye", s.bye))
        },
        "best_of": t.best_of,
        "floor": number(t.floor) if t.floor == Fraction(str(float(t.floor))) else str(t.floor),
        "tiebreakers": list(t.tiebreakers),
    }
    if kind.has_pods:
        data["place_points"] = {str(n): [number(p) for p in ps] for n, ps in t.place_points.items()}
    return data


def _entrant(e: Entrant) -> Any:
    if e.is_plain:
        return e.name
    data: dict[str, Any] = {"name": e.name}
    if e.given_id:
        data["id"] = e.id
    data |= {
        key: value for key in ("club", "seed", "table", "group") if (value := getattr(e, key)) is not None
    }
    return data | ({"heroes": list(e.heroes)} if e.heroes else {})


def _match(t: Tournament, m: Match) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if m.scores is not None:
        data["scores"] = {t.label(p): number(s) for p, s in m.scores.items()}
    elif m.seats:
        data["players"] = [t.label(p) for p in m.seats]
    for key, player in (("a", m.a), ("b", m.b)):
        if player is not None:
            data[key] = t.label(player)
    if m.result is not None:
        data["result"] = m.result.value
    for key, counts in (("health", m.health), ("games", m.games)):
        if counts is not None:
            data[key] = list(counts)
    return data | {key: value for key in ("table", "first") if (value := getattr(m, key)) is not None}
