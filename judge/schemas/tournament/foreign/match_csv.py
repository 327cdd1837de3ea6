"""Reads a CSV with one match a line, as spreadsheets and other tools write it, as a tournament file.

The first line names the columns. A round and two players are needed; the result stands in a column of its
own (`a`, `1-0`, `2-1`, `draw`, `bye`), in two columns of scores, or as the winner's name. A list with one
player and score a line is a tournament of pods.
"""

from __future__ import annotations

import csv
import io
from typing import Any

from judge.core.errors import InputError, Problem, fail
from judge.core.games import OTHER_GAME
from judge.schemas.shape import raise_all
from judge.schemas.tournament.story_reader import RESULTS
from judge.tournament.formats import PODS, SWISS

HEADINGS = {
    "round": ("round", "rd", "rnd", "round number", "ronde", "тур"),
    "table": ("table", "board", "match", "стол"),
    "a": ("a", "player 1", "player1", "player a", "player_a", "white", "home", "team 1", "joueur 1",
          "игрок 1"),
    "b": ("b", "player 2", "player2", "player b", "player_b", "black", "away", "team 2", "joueur 2",
          "игрок 2"),
    "result": ("result", "résultat", "результат"),
    "score": ("score", "счёт"),
    "winner": ("winner", "vainqueur", "победитель"),
    "score_a": ("score 1", "score a", "score_a", "games_a", "player 1 score", "player1 score"),
    "score_b": ("score 2", "score b", "score_b", "games_b", "player 2 score", "player2 score"),
    "drawn": ("games_drawn", "draws"),
    "health_a": ("health_a",),
    "health_b": ("health_b",),
    "player": ("player", "joueur", "игрок"),
    "place": ("place",),
}  # fmt: skip
COLUMN_OF = {heading: column for column, words in HEADINGS.items() for heading in words}
WORDS = {
    "1-0": "a", "0-1": "b", "1/2-1/2": "draw", "½-½": "draw", "0.5-0.5": "draw", "=": "draw", "tie": "draw",
    "1": "a", "2": "b", "0-0": "double_loss", "+/-": "no_show_b", "-/+": "no_show_a", "+--": "no_show_b",
}  # fmt: skip
ALONE = ("", "bye", "-", "*bye*")
Row = dict[str, str]


def is_match_csv(text: str) -> bool:
    """Whether the first line names a round and players."""
    columns = set(_columns(_table(text[:10_000])[:1]).values())
    return "round" in columns and (columns >= {"a", "b"} or "player" in columns)


def _table(text: str) -> list[list[str]]:
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(",;\t", key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=delimiter))
    except csv.Error as error:
        raise fail("", "settings_fault", why=str(error)) from None
    return [[_unguarded(cell.strip()) for cell in row] for row in rows if any(cell.strip() for cell in row)]


def _unguarded(cell: str) -> str:
    """A cell without the apostrophe that keeps a spreadsheet from running it."""
    return cell[1:] if cell[:1] == "'" and cell[1:2] in "=+-@'\t\r" and len(cell) > 1 else cell


def _columns(table: list[list[str]]) -> dict[int, str | None]:
    headings = table[0] if table else []
    return {n: COLUMN_OF.get(heading.casefold()) for n, heading in enumerate(headings) if heading}


def read_match_csv(text: str) -> dict[str, Any]:
    """The tournament file; InputError names the line."""
    table = _table(text)
    columns = _columns(table)
    strangers = [table[0][n] for n, column in columns.items() if column is None]
    if strangers:
        raise fail("", "csv_columns_unknown", names=strangers)
    rows: list[tuple[str, Row]] = [
        (f"line {n}", {column: row[k] for k, column in columns.items() if column and k < len(row)})
        for n, row in enumerate(table[1:], start=2)
    ]
    is_pods = "player" in columns.values()
    rounds: dict[int, list[Any]] = {}
    problems: list[Problem] = []
    for place, row in rows:
        try:
            number = _number(row.get("round", ""), f"{place}: round", least=1)
            rounds.setdefault(number, []).append(row if is_pods else _match(row, place))
        except InputError as error:
            problems += error.problems
    raise_all(problems)
    return _pods(rounds) if is_pods else _matches(rounds)


def _number(text: str, place: str, least: int = 0) -> int:
    digits = text.lstrip("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 6) or int(text) < least:
        raise fail(place, "expected_integer")
    return int(text)


def _matches(rounds: dict[int, list[Any]]) -> dict[str, Any]:
    played = [rounds[n] for n in sorted(rounds)]
    players = dict.fromkeys(
        m[side] for matches in played for m in matches for side in ("a", "b") if side in m
    )
    return {
        "tournament": 1, "game": OTHER_GAME, "format": {"kind": SWISS.id, "rounds": max(len(played), 1)},
        "players": list(players), "rounds": played,
    }  # fmt: skip


def _match(row: Row, place: str) -> dict[str, Any]:
    row = {**row, "result": row.get("result") or row.get("score", "")}
    match: dict[str, Any] = {"a": row.get("a", "")}
    if not match["a"]:
        raise fail(f"{place}: a", "tournament_empty_name")
    if row.get("table"):
        match["table"] = _number(row["table"], f"{place}: table", least=1)
    if row.get("b", "").casefold() in ALONE:
        return {"a": match["a"], "result": "missed" if row.get("result") == "missed" else "bye"}
    match["b"] = row["b"]
    games = _games(row, place)
    result = _result(row, games, place)
    if games:
        match["games"] = games
    if row.get("health_a") and row.get("health_b"):
        match["health"] = [
            _number(row[key], f"{place}: {key}", least=-9999) for key in ("health_a", "health_b")
        ]
    return match | ({"result": result} if result else {})


def _games(row: Row, place: str) -> list[int]:
    """Games won by a, by b and drawn; empty if the line has none."""
    if row.get("score_a") and row.get("score_b"):
        drawn = [row["drawn"]] if row.get("drawn") else []
        return [_number(text, place) for text in (row["score_a"], row["score_b"], *drawn)]
    parts = row.get("result", "").replace(":", "-").replace("–", "-").replace(" ", "").split("-")
    is_score = len(parts) in (2, 3) and all(p.isascii() and p.isdecimal() for p in parts)
    return [int(p) for p in parts] if is_score and parts not in (["1", "0"], ["0", "1"], ["0", "0"]) else []


def _result(row: Row, games: list[int], place: str) -> str | None:
    word = row.get("result", "").casefold().replace(" ", "")
    if word in RESULTS:
        return word
    if word in WORDS:
        return WORDS[word]
    winner = row.get("winner", "")
    if winner:
        if winner.casefold() in ("draw", "tie"):
            return "draw"
        if winner not in (row.get("a"), row.get("b")):
            raise fail(f"{place}: winner", "tournament_unknown_player", name=winner)
        return "a" if winner == row.get("a") else "b"
    if games:
        return "draw" if games[0] == games[1] else "a" if games[0] > games[1] else "b"
    if word:
        raise fail(f"{place}: result", "expected_one_of", words=[*RESULTS, *WORDS])
    return None


def _pods(rounds: dict[int, list[Any]]) -> dict[str, Any]:
    """One line a player: those of a round at the same table are a pod."""
    played: list[list[Any]] = []
    names: dict[str, None] = {}
    for n in sorted(rounds):
        tables: dict[str, list[Row]] = {}
        alone = []
        for row in rounds[n]:
            names[row["player"]] = None
            if row.get("result") in ("bye", "missed"):
                alone.append({"a": row["player"], "result": row["result"]})
            else:
                tables.setdefault(row.get("table", ""), []).append(row)
        played.append([_pod(table, rows) for table, rows in tables.items()] + alone)
    sizes = [len(m.get("scores") or m.get("players", ())) for matches in played for m in matches]
    return {
        "tournament": 1, "game": OTHER_GAME,
        "format": {"kind": PODS.id, "rounds": max(len(played), 1), "pod_size": max([4, *sizes])},
        "players": list(names), "rounds": played,
    }  # fmt: skip


def _pod(table: str, rows: list[Row]) -> dict[str, Any]:
    seat: dict[str, Any] = {"table": int(table)} if table.isascii() and table.isdecimal() else {}
    scores = {row["player"]: row.get("score") for row in rows}
    if all(scores.values()):
        return {"scores": {name: str(score) for name, score in scores.items()}, **seat}
    return {"players": list(scores), **seat}
