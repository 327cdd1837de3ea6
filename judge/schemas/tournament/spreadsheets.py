"""Writes players, results and standings of a tournament as CSV for spreadsheets.

Cells that a spreadsheet would take for a formula get an apostrophe in front.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from judge.schemas.tournament.writer import number
from judge.tournament.event_ranking import EventRanking
from judge.tournament.formats import format_of
from judge.tournament.model import Match, Tournament
from judge.tournament.standings import Standing

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")


def guard(cell: object) -> str:
    """A cell that a spreadsheet does not run as a formula. Numbers stay numbers."""
    if cell is None:
        return ""
    if isinstance(cell, (int, float)):
        return str(cell)
    word = str(cell)
    return f"'{word}" if word.startswith(_FORMULA) else word


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
            (e.name, e.id_in_files if e.given_id else None, e.club, e.seed, e.table, " ".join(e.heroes))
            for e in t.entrants
        ),
    )


def results_csv(*stages: Tournament) -> str:
    """Every match, bye and missed round, numbered on through the stages; pods have one line per player, in
    columns of their own."""
    rounds = [(t, matches) for t in stages for matches in t.rounds]
    played = [(t, n, m) for n, (t, matches) in enumerate(rounds, 1) for m in matches]
    if any(format_of(t).has_pods for t in stages):
        return to_csv(POD_COLUMNS, (row for t, n, m in played for row in _pod_rows(t, n, m)))
    return to_csv(RESULT_COLUMNS, (_result_row(t, n, m) for t, n, m in played if m.a))


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


def ranking_csv(ranking: EventRanking) -> str:
    """The places of the whole event. With several stages the last column says how far everybody came."""
    t, is_staged = ranking.first, len(ranking.stages) > 1
    rows = (
        (
            p.rank, t.label(p.player), number(p.standing.points), p.standing.record, p.standing.byes,
            *(number(value) if (value := p.standing.tiebreakers.get(n)) is not None else None
              for n in t.tiebreakers),
            *([p.stage] if is_staged else []),
        )
        for p in ranking.places
    )  # fmt: skip
    columns = ("rank", "player", "points", "record", "byes", *t.tiebreakers)
    return to_csv((*columns, "stage") if is_staged else columns, rows)


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
