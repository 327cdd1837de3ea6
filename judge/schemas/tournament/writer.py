"""Writes a tournament as a tournament file."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

from judge.core.games import OTHER_GAME
from judge.schemas.tournament.pairing_rules import written, written_pattern
from judge.schemas.tournament.rules_reader import SCORED, read_rules
from judge.schemas.tournament.selections import write_selection
from judge.tournament.formats import format_of
from judge.tournament.model import ByRound, Entrant, Match, PlayerId, Scoring, Tournament

Number = int | float
_USUAL = {"counts": "scores", "cycles": 1}  # what a file need not say


def number(value: Fraction) -> Number:
    return value.numerator if value.denominator == 1 else float(value)


def write_tournament(t: Tournament) -> dict[str, Any]:
    """The tournament file. Settings are as the file wrote them, unless the tournament was changed since."""
    if t.given:
        data = _write(t, dict(t.given))
        if _means_the_same(t, data):
            return data
    return _write(t, write_settings(t) | _kept(t))


def _kept(t: Tournament) -> dict[str, Any]:
    """Settings that the engine does not read, as the file wrote them."""
    return {key: t.given[key] for key in ("at_time",) if key in t.given}


def _means_the_same(t: Tournament, data: dict[str, Any]) -> bool:
    """Whether reading these settings gives those of the tournament."""
    rules = read_rules(data, len(t.entrants)).as_fields()
    named = {"name": str(data.get("name", "")), "game": data.get("game", OTHER_GAME)}
    named["preset"] = data.get("preset")
    return all(getattr(t, key) == value for key, value in (rules | named).items())


def _write(t: Tournament, data: dict[str, Any]) -> dict[str, Any]:
    data["players"] = [write_entrant(e) for e in t.entrants]
    data |= write_attendance(t, t.label, data) | write_forbidden(t.forbidden, t.label, data)
    data["rounds"] = write_rounds(t)
    return data


class RoundsOfPlayers(Protocol):
    """Who was there in which round: of a tournament, or of an event with stages."""

    @property
    def drops(self) -> Mapping[PlayerId, int]: ...
    @property
    def late(self) -> Mapping[PlayerId, int]: ...
    @property
    def byes(self) -> ByRound: ...
    @property
    def half_byes(self) -> ByRound: ...
    @property
    def absent(self) -> ByRound: ...


Label = Callable[[PlayerId], str]


def write_attendance(who: RoundsOfPlayers, label: Label, written: Container[str]) -> dict[str, Any]:
    """Drops, late entries, byes and absences; a key that the file has written stays, even if it is empty."""
    last = {"drops": who.drops, "late": who.late}
    lists = {"byes": who.byes, "half_byes": who.half_byes, "absent": who.absent}
    data: dict[str, Any] = {
        key: {label(p): n for p, n in numbers.items()}
        for key, numbers in last.items()
        if numbers or key in written
    }
    return data | {
        key: {label(p): list(rounds) for p, rounds in excused.items()}
        for key, excused in lists.items()
        if excused or key in written
    }


def write_forbidden(
    pairs: Sequence[tuple[PlayerId, PlayerId]], label: Label, written: Container[str]
) -> dict[str, Any]:
    return {"forbidden": [[label(a), label(b)] for a, b in pairs]} if pairs or "forbidden" in written else {}


def write_rounds(t: Tournament) -> list[Any]:
    return [[_match(t, m) for m in matches] for matches in t.rounds]


def write_settings(t: Tournament) -> dict[str, Any]:
    """The settings of a tournament that was not read from a file."""
    f = t.format
    kind = format_of(t)
    shape = {key: getattr(f, key) for key in ("kind", *kind.reads)}
    if "pattern" in shape:
        shape["pattern"] = written_pattern(f)
    shape = {key: value for key, value in shape.items() if value != _USUAL.get(key)}
    data: dict[str, Any] = {"tournament": 1, "name": t.name, "game": t.game}
    if t.preset:
        data["preset"] = t.preset
    data |= {
        "format": shape,
        "scoring": _scoring(t.scoring),
        "best_of": t.best_of,
        "floor": number(t.floor) if t.floor == Fraction(str(float(t.floor))) else str(t.floor),
        "tiebreakers": list(t.tiebreakers),
    }
    if kind.has_pods:
        data["place_points"] = {str(n): [number(p) for p in ps] for n, ps in t.place_points.items()}
    return data | written(t)


def _scoring(s: Scoring) -> dict[str, Any]:
    points = {key: number(value) for key in SCORED if (value := getattr(s, key)) is not None}
    return points | ({"per": s.per} if s.per != "match" else {})


def write_entrant(e: Entrant) -> Any:
    if e.is_plain:
        return e.name
    data: dict[str, Any] = {"name": e.name}
    if e.given_id:
        data["id"] = e.id_in_files
    data |= {
        key: value for key in ("club", "seed", "table", "group") if (value := getattr(e, key)) is not None
    }
    if e.heroes:
        data["heroes"] = list(e.heroes)
    if e.members:
        data["members"] = [
            {"name": member.name, "heroes": list(member.heroes)} if member.heroes else member.name
            for member in e.members
        ]
    return data


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
    data |= {key: value for key in ("table", "first", "how") if (value := getattr(m, key)) is not None}
    return data | ({"selection": write_selection(m.selection)} if m.selection else {})
