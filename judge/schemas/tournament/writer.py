"""A tournament as a file again, and as CSV for spreadsheets.

Cells that a spreadsheet would take for a formula get an apostrophe in front, and lose it when read back.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from judge.core.errors import fail
from judge.core.games import OTHER_GAME
from judge.schemas.tournament.rules_reader import read_rules
from judge.tournament.formats import format_of
from judge.tournament.model import Entrant, Match, Tournament
from judge.tournament.standings import Standing

Number = int | float


def number(value: Fraction) -> Number:
    return value.numerator if value.denominator == 1 else float(value)


def write_tournament(t: Tournament) -> dict[str, Any]:
    """The tournament file. Settings stand as they were given, unless the tournament was changed since."""
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
    """The settings of a tournament that never was a file."""
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


# -- CSV --------------------------------------------------------------------------------------------------

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")


def guard(cell: object) -> str:
    """Text as a spreadsheet can hold it without running it. Numbers stay numbers."""
    if cell is None:
        return ""
    if isinstance(cell, (int, float)):
        return str(cell)
    word = str(cell)
    return f"'{word}" if word.startswith(_FORMULA) else word


def unguard(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_FORMULA) else cell


def to_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([guard(cell) for cell in row] for row in rows)
    return out.getvalue()


PLAYER_COLUMNS = ("name", "id", "club", "seed", "table", "heroes")
RESULT_COLUMNS = (
    "round",
    "table",
    "a",
    "b",
    "result",
    "health_a",
    "health_b",
    "games_a",
    "games_b",
    "games_drawn",
)


POD_COLUMNS = ("round", "table", "player", "score", "place", "result")


def players_csv(t: Tournament) -> str:
    return to_csv(
        PLAYER_COLUMNS,
        (
            (e.name, e.id if e.given_id else None, e.club, e.seed, e.table, " ".join(e.heroes))
            for e in t.entrants
        ),
    )


def results_csv(t: Tournament) -> str:
    """Every match, bye and missed round; of pods a line for everybody at a table, in columns of their own."""
    if format_of(t).has_pods:
        return to_csv(
            POD_COLUMNS, (row for n, r in enumerate(t.rounds, 1) for m in r for row in _pod_rows(t, n, m))
        )
    return to_csv(RESULT_COLUMNS, (_result_row(t, n, m) for n, r in enumerate(t.rounds, 1) for m in r if m.a))


def _pod_rows(t: Tournament, number_of_round: int, m: Match) -> list[Sequence[object]]:
    scores = m.scores or {}
    rows: list[Sequence[object]] = []
    for player in m.players:
        own = scores.get(player)
        place = None if own is None else 1 + sum(other > own for other in scores.values())
        score = None if own is None else number(own)
        rows.append(
            (number_of_round, m.table, t.label(player), score, place, m.result.value if m.result else None)
        )
    return rows


def _result_row(t: Tournament, number_of_round: int, m: Match) -> Sequence[object]:
    a, b = (None if p is None else t.label(p) for p in (m.a, m.b))
    result = m.result.value if m.result else None
    return (
        number_of_round, m.table, a, b, result, *(m.health or (None, None)), *(m.games or (None, None, None)),
    )  # fmt: skip


def standings_csv(t: Tournament, table: Sequence[Standing]) -> str:
    names = t.tiebreakers
    return to_csv(
        ("rank", "player", "points", "record", "byes", *names),
        (
            (
                s.rank, t.label(s.player), number(s.points), s.record, s.byes,
                *(number(s.tiebreakers[n]) for n in names),
            )
            for s in table
        ),
    )  # fmt: skip


def read_csv(text: str, columns: Sequence[str]) -> list[dict[str, str]]:
    """Rows by column name; unknown columns are an error, missing ones are empty."""
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"))))
    if not rows:
        raise fail("", "file_empty")
    header = [cell.strip().lower() for cell in rows[0]]
    for n, name in enumerate(header, start=1):
        if name not in columns:
            raise fail(f"row 1, column {n}", "expected_one_of", words=list(columns))
    return [
        dict.fromkeys(columns, "") | dict(zip(header, map(unguard, row), strict=False))
        for row in rows[1:]
        if any(cell.strip() for cell in row)
    ]


def players_from_csv(text: str) -> list[Any]:
    """`players:` of a tournament file. A plain list of names, one a line, is fine too."""
    first = text.lstrip("\ufeff").splitlines()[:1]
    if first and "name" not in first[0].lower().split(","):
        text = "name\n" + text.lstrip("\ufeff")
    return [_player_row(row, n) for n, row in enumerate(read_csv(text, PLAYER_COLUMNS), start=2)]


def _player_row(row: dict[str, str], line: int) -> Any:
    data: dict[str, Any] = {key: row[key].strip() for key in ("name", "id", "club") if row[key].strip()}
    data |= {key: _count(row[key], f"row {line}, {key}") for key in ("seed", "table") if row[key].strip()}
    if row["heroes"].split():
        data["heroes"] = row["heroes"].split()
    return data["name"] if data.keys() == {"name"} else data


def results_from_csv(text: str) -> list[list[dict[str, Any]]]:
    """`rounds:` of a tournament file."""
    rounds: dict[int, list[dict[str, Any]]] = {}
    for line, row in enumerate(read_csv(text, RESULT_COLUMNS), start=2):
        rounds.setdefault(_count(row["round"], f"row {line}, round"), []).append(_match_row(row, line))
    return [rounds.get(n, []) for n in range(1, max(rounds, default=0) + 1)]


def _match_row(row: dict[str, str], line: int) -> dict[str, Any]:
    match: dict[str, Any] = {key: row[key] for key in ("a", "b", "result") if row[key]}
    for key, cells in (
        ("health", ("health_a", "health_b")),
        ("games", ("games_a", "games_b", "games_drawn")),
    ):
        if any(row[c] for c in cells):
            match[key] = [_count(row[c] or "0", f"row {line}, {c}") for c in cells]
    if row["table"]:
        match["table"] = _count(row["table"], f"row {line}, table")
    return match


def _count(cell: str, path: str) -> int:
    try:
        return int(cell)
    except ValueError:
        raise fail(path, "expected_integer") from None
