"""Reads TRF, the report file of chess (FIDE TRF16 and its common extensions), as a tournament file.

Columns are fixed: a line `001` is a player with the rounds from column 92 on, ten columns each: opponent,
colour, result. White becomes `a` and `first`. A win counts 1, a draw 1/2, unless `BBW`, `BBD`, `BBL` and
`BBU` say otherwise. Byes asked for (`H`, `F`) become `half_byes` and `byes`; rounds without a pairing become
`late`, `drops` or `absent`. TRF names no tie-breakers: Buchholz cut 1 and Buchholz are taken.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from judge.core.errors import fail
from judge.core.games import OTHER_GAME
from judge.tournament.formats import SWISS

METADATA = frozenset(
    ("022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122", "132", "013", "XXC", "XXA")
)
SCORES = {"BBW": "win", "BBD": "draw", "BBL": "loss", "BBU": "bye"}
WINS, LOSSES, DRAWS = "1W", "0L", "=D"
PLAYED = WINS + LOSSES + DRAWS
FIRST_ROUND, STEP = 91, 10


@dataclass(frozen=True, slots=True)
class Cell:
    """One player's round: the opponent's number (0: none), the colour and the result."""

    opponent: int = 0
    colour: str = "-"
    result: str = " "

    @property
    def is_missed(self) -> bool:
        return self.opponent == 0 and self.result in " Z-0"


@dataclass(slots=True)
class Report:
    name: str = ""
    rounds: int | None = None
    scoring: dict[str, Any] = field(default_factory=lambda: {"win": 1, "draw": "1/2", "loss": 0, "bye": 1})
    names: dict[int, str] = field(default_factory=dict)
    cells: dict[int, list[Cell]] = field(default_factory=dict)
    forbidden: list[list[int]] = field(default_factory=list)
    absent_next: list[int] = field(default_factory=list)


def is_trf(text: str) -> bool:
    lines = text.splitlines()
    return any(line[:4] == "001 " and len(line) > 80 for line in lines) and "{" not in text[:1]


def read_trf(text: str) -> dict[str, Any]:
    """The tournament file; InputError names the line."""
    report = Report()
    for n, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            _read_line(report, line.rstrip("\r\n"), f"line {n}")
    if not report.names:
        raise fail("", "trf_no_players")
    return _tournament(report)


def _read_line(report: Report, line: str, place: str) -> None:
    code, rest = line[:3], line[4:].strip()
    if code == "001":
        _read_player(report, line, place)
    elif code == "012":
        report.name = rest
    elif code == "XXR":
        report.rounds = _number(rest, place)
    elif code in SCORES:
        report.scoring[SCORES[code]] = rest
    elif code == "XXP":
        report.forbidden.append([_number(word, place) for word in rest.split()])
    elif code == "XXZ":
        report.absent_next += [_number(word, place) for word in rest.split()]
    elif code not in METADATA:
        raise fail(place, "trf_unknown_code", code=code)


def _number(text: str, place: str) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise fail(place, "expected_integer")
    return int(text)


def _read_player(report: Report, line: str, place: str) -> None:
    number = _number(line[4:8], place)
    name = " ".join(line[14:47].split())
    if not name or number in report.names:
        raise fail(place, "trf_player_wrong")
    report.names[number] = name
    cells = []
    for start in range(FIRST_ROUND, len(line.rstrip()), STEP):
        cell = line[start : start + STEP].ljust(STEP)
        opponent = cell[:4].strip()
        result = cell[7].upper()
        if result not in f"{PLAYED}+-HFUZ ":
            raise fail(place, "trf_unknown_result", result=result)
        cells.append(Cell(_number(opponent or "0", place), cell[5].lower(), result))
    report.cells[number] = cells


# -- as a tournament ----------------------------------------------------------------------------------------


def _tournament(report: Report) -> dict[str, Any]:
    count = max((len(cells) for cells in report.cells.values()), default=0)
    for cells in report.cells.values():
        cells += [Cell()] * (count - len(cells))
    ids = _called(report.names)
    data: dict[str, Any] = {
        "tournament": 1,
        "name": report.name,
        "game": OTHER_GAME,
        "format": {"kind": SWISS.id, "rounds": max(report.rounds or count or 1, count or 1)},
        "scoring": report.scoring,
        "tiebreakers": ["buchholz-cut-1", "buchholz"],
        "players": [
            {"name": name, **({} if ids[number] == name else {"id": ids[number]}), "seed": number}
            for number, name in report.names.items()
        ],
        **_attendance(report, count, ids),
        "rounds": [_round(report, n, ids) for n in range(count)],
    }
    pairs = [pair for group in report.forbidden for pair in _pairs(group)]
    if pairs:
        data["forbidden"] = [[ids[a], ids[b]] for a, b in pairs if a in ids and b in ids]
    return data


def _called(names: dict[int, str]) -> dict[int, str]:
    """By name, or by the starting number where two share a name or a name looks like a number."""
    times = Counter(names.values())
    return {
        number: name if times[name] == 1 and not name.isdecimal() else str(number)
        for number, name in names.items()
    }


def _pairs(group: list[int]) -> list[tuple[int, int]]:
    return [(a, b) for n, a in enumerate(group) for b in group[n + 1 :]]


def _attendance(report: Report, count: int, ids: dict[int, str]) -> dict[str, Any]:
    """Late entries, drops, absences and byes that were asked for."""
    kept: dict[str, dict[str, Any]] = {"late": {}, "drops": {}, "absent": {}, "byes": {}, "half_byes": {}}
    for number, cells in report.cells.items():
        there = [n for n, cell in enumerate(cells, start=1) if not cell.is_missed]
        first, last = (there[0], there[-1]) if there else (count + 1, count)
        if first > 1:
            kept["late"][ids[number]] = first
        if last < count:
            kept["drops"][ids[number]] = last
        away = [n for n in range(first, last) if cells[n - 1].is_missed]
        away += [count + 1] if number in report.absent_next else []
        for key, rounds in (
            ("absent", away),
            ("byes", [n for n, cell in enumerate(cells, start=1) if cell.result == "F"]),
            ("half_byes", [n for n, cell in enumerate(cells, start=1) if cell.result == "H"]),
        ):
            if rounds:
                kept[key][ids[number]] = rounds
    return {key: value for key, value in kept.items() if value}


def _round(report: Report, n: int, ids: dict[int, str]) -> list[dict[str, Any]]:
    matches: list[dict[str, Any]] = []
    for number, cells in report.cells.items():
        cell = cells[n]
        if cell.opponent == 0:
            if cell.result == "U" or cell.result == "+":
                matches.append({"a": ids[number], "result": "bye"})
            continue
        other = report.cells.get(cell.opponent)
        if other is None or other[n].opponent != number:
            raise fail(f"rounds[{n + 1}]", "trf_opponents_differ", a=number, b=cell.opponent)
        is_white = cell.colour == "w" or (cell.colour not in "wb" and number < cell.opponent)
        if not is_white:
            continue
        match: dict[str, Any] = {"a": ids[number], "b": ids[cell.opponent]}
        result = _result(cell.result, other[n].result)
        matches.append(match | ({"result": result, "first": "a"} if result else {}))
    return matches


def _result(white: str, black: str) -> str | None:
    if white == " " and black == " ":
        return None
    if white in DRAWS and black in DRAWS:
        return "draw"
    if white == "+":
        return "no_show_b"
    if black == "+":
        return "no_show_a"
    if white in WINS:
        return "a"
    return "b" if black in WINS else "double_loss"
