"""The tables of a published round for public pages: by table, by name, and those that a search finds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sqlalchemy import String, bindparam, cast
from sqlalchemy.orm import aliased
from sqlmodel import col, select

from judge.core.folding import folded
from judge.core.messages import Lang
from judge.schemas.shape import is_digits
from judge.services.play.outcomes import places_of
from judge.services.play.running_tables import member_names
from judge.services.players.player_names import shown_names
from judge.services.public.read_models import Head, RoundHead, Stamp, cached, public_name, read_outline
from judge.services.rulebook.heroes import hero_name
from judge.storage.events import Match, Player, Round, seats_of
from judge.storage.reader import Prepared, Reader, select_columns
from judge.tournament.model import Result, winner


class Seat(NamedTuple):
    """A player at a pod, with place and score once it is over (no place: absent)."""

    name: str
    place: int | None = None
    score: str = ""


class Pair(NamedTuple):
    """One table, or one player alone: result bye, half_bye or missed."""

    table: int | None
    a: str
    b: str | None
    result: str | None
    health_a: int | None
    health_b: int | None
    games: str | None  # JSON, as it is stored
    extension_s: int
    match_id: int
    a_id: int
    b_id: int | None
    more: str | None = None  # JSON: the further players of a pod
    scores: str | None = None  # JSON: everybody's, by seat
    pod: tuple[Seat, ...] = ()
    members: tuple[str, str] = ("", "")  # of teams, on side a and b
    heroes: tuple[str, str] = ("", "")  # drawn by lot for side a and b; their ids, or names (`with_heroes`)
    round: int = 0  # of a table of an earlier round; 0: the round of the list

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all players at the table."""
        if self.pod:
            return tuple(seat.name for seat in self.pod)
        return (self.a,) if self.b is None else (self.a, self.b)

    @property
    def won(self) -> str | None:
        """a | b | draw | none (finished without a winner); None while it is being played."""
        if not self.result:
            return None
        return winner(self.result) or ("draw" if self.result == Result.DRAW else "none")

    @property
    def score(self) -> str:
        """The games won, or the health left if games are not counted."""
        if self.games:
            a, b, *_ = json.loads(self.games)
            return f"{a}–{b}"
        return "" if self.health_a is None or self.health_b is None else f"{self.health_a}–{self.health_b}"


@dataclass(frozen=True, slots=True)
class Pairings:
    round: RoundHead
    tables: Sequence[Pair]
    byes: Sequence[Pair]
    missing: int  # tables still being played


_A, _B = aliased(Player), aliased(Player)


_PAIRS = Prepared(
    select_columns(
        Match.table_no, public_name(_A), public_name(_B), Match.result, Match.health_a, Match.health_b,
        cast(Match.games, String),
        Match.extension_s, Match.id, Match.a_id, Match.b_id,
        cast(Match.more, String), cast(Match.scores, String),
    )
    .join(_A, col(_A.id) == Match.a_id)
    .join(_B, col(_B.id) == Match.b_id, isouter=True)
    .where(Match.round_id == bindparam("round"))
    .order_by(col(Match.b_id).is_(None), col(Match.table_no), col(Match.id)),
    "round",
)  # fmt: skip


def read_pairings(reader: Reader, stamp: Stamp) -> Pairings | None:
    """The tables of the latest published round, and those of earlier ones that are still being played: of a
    bracket whose matches begin one by one, or of a match put off. None before the first round."""
    outline = read_outline(reader, stamp)
    if not outline.rounds:
        return None
    *earlier, latest = outline.rounds
    pairings = read_round(reader, stamp, latest)
    if not earlier:
        return pairings
    return cached(reader, "running", stamp, lambda: _with_earlier(reader, stamp, pairings, earlier))


_PLAYING = Prepared(
    select(Match.round_id)
    .where(Match.event_id == bindparam("event"), col(Match.result).is_(None), col(Match.b_id).is_not(None))
    .distinct(),
    "event",
)


def _with_earlier(reader: Reader, stamp: Stamp, pairings: Pairings, earlier: Sequence[RoundHead]) -> Pairings:
    event = read_outline(reader, stamp).head.id
    playing = {row[0] for row in reader.rows(_PLAYING, event)}
    still = [
        pair._replace(round=round_.number)
        for round_ in earlier
        if round_.id in playing
        for pair in read_round(reader, stamp, round_).tables
        if pair.result is None
    ]
    if not still:
        return pairings
    return replace(pairings, tables=[*still, *pairings.tables], missing=pairings.missing + len(still))


def read_round(reader: Reader, stamp: Stamp, round_: RoundHead) -> Pairings:
    """The tables of one published round."""
    settings = read_outline(reader, stamp).head.settings
    has_scores = (settings.get("format") or {}).get("counts") != "places"
    are_drawn = (settings.get("heroes") or {}).get("mode") == "random"

    def build() -> Pairings:
        pairings = _read_pairings(reader, round_, has_scores)
        return _with_drawn(reader, pairings) if are_drawn else pairings

    return cached(reader, "pairings", stamp, build, round_.id)


_SELECTIONS = Prepared(
    select(Match.id, cast(Match.selection, String)).where(Match.round_id == bindparam("round")), "round"
)


def _with_drawn(reader: Reader, pairings: Pairings) -> Pairings:
    """The pairings with the heroes that the lot gave each side."""
    picks = {n: json.loads(text).get("picks", {}) for n, text in reader.rows(_SELECTIONS, pairings.round.id)}
    drawn = {n: (both["a"], both["b"]) for n, both in picks.items() if both.keys() == {"a", "b"}}
    tables = [p._replace(heroes=drawn.get(p.match_id, ("", ""))) for p in pairings.tables]
    return replace(pairings, tables=tables)


def with_heroes(pairings: Pairings, head: Head, lang: Lang) -> Pairings:
    """The pairings with drawn heroes by name."""
    if not any(p.heroes[0] for p in pairings.tables):
        return pairings
    named = [(p, [hero_name(head.game, hero, lang) for hero in p.heroes]) for p in pairings.tables]
    return replace(pairings, tables=[p._replace(heroes=(a, b)) for p, (a, b) in named])


def _read_pairings(reader: Reader, round_: RoundHead, has_scores: bool) -> Pairings:
    pairs = [Pair(*row) for row in reader.rows(_PAIRS, round_.id)]
    if any(p.more or p.scores for p in pairs):
        pairs = _with_seats(reader, round_.id, pairs, has_scores)
    if teams := {row[0]: row[1] for row in reader.rows(_MEMBERS, round_.id)}:
        pairs = [
            p._replace(members=(_members(teams.get(p.a_id)), _members(teams.get(p.b_id or 0)))) for p in pairs
        ]
    names = [name for p in pairs for name in (p.a, p.b) if name is not None]
    if len(set(names)) < len(names):
        pairs = _with_unique_names(reader, round_.id, pairs)
    first_bye = next((n for n, p in enumerate(pairs) if p.b_id is None), len(pairs))
    missing = sum(p.result is None for p in pairs)
    return Pairings(round_, pairs[:first_bye], pairs[first_bye:], missing)


_TWINS = Prepared(
    select(Player.id, Player.name, Player.public_name, Player.club)
    .join(Round, col(Round.event_id) == Player.event_id)
    .where(Round.id == bindparam("round")),
    "round",
)


_MEMBERS = Prepared(
    select(Player.id, cast(Player.members, String))
    .join(Round, col(Round.event_id) == Player.event_id)
    .where(Round.id == bindparam("round"), cast(Player.members, String) != "[]"),
    "round",
)


def _members(text: str | None) -> str:
    return ", ".join(member_names(text))


def _names(reader: Reader, round_id: int) -> dict[int, str]:
    """The unique public names of all players."""
    everyone = [PlayerName(*row) for row in reader.rows(_TWINS, round_id)]
    return shown_names(everyone, public=True)  # type: ignore[arg-type]  # has the columns of a Player it needs


def _with_unique_names(reader: Reader, round_id: int, pairs: list[Pair]) -> list[Pair]:
    """The pairs with club or number added to the names of namesakes."""
    names = _names(reader, round_id)
    return [p if p.pod else p._replace(a=names[p.a_id], b=names[p.b_id] if p.b_id else None) for p in pairs]


def _with_seats(reader: Reader, round_id: int, pairs: list[Pair], has_scores: bool) -> list[Pair]:
    """The pairs with the players of each pod, best place first once it is known."""
    names = _names(reader, round_id)
    return [p._replace(pod=_pod(p, names, has_scores)) if p.more or p.scores else p for p in pairs]


def _pod(p: Pair, names: dict[int, str], has_scores: bool) -> tuple[Seat, ...]:
    players = [names[n] for n in seats_of(p.a_id, p.b_id, json.loads(p.more or "[]"))]
    if p.scores is None:
        return tuple(map(Seat, players))
    scores = json.loads(p.scores)
    lines = [
        Seat(name, place, "" if score is None or not has_scores else str(score))
        for name, place, score in zip(players, places_of(scores), scores, strict=True)
    ]
    return tuple(sorted(lines, key=lambda seat: (seat.place is None, seat.place or 0)))


class PlayerName(NamedTuple):
    id: int
    name: str
    public_name: str | None
    club: str | None


def find_tables(pairings: Pairings, typed: str) -> list[Pair]:
    """The tables with this number, or with a player whose name contains these letters."""
    typed = folded(typed.strip())
    if is_digits(typed):
        return [p for p in pairings.tables if p.table == int(typed)]
    pairs = (*pairings.tables, *pairings.byes)
    return [p for p in pairs if any(typed in folded(name) for name in (*p.names, *p.members))]


class Line(NamedTuple):
    """A player in the list by name: table and opponent."""

    name: str
    table: int | None
    opponent: str | None  # all of them in a pod; None: nobody, see `result`
    result: str | None = None  # of a player alone: bye | half_bye | missed
    hero: str = ""  # drawn by lot
    round: int = 0  # as of a Pair


def by_name(pairings: Pairings) -> list[Line]:
    lines = [
        Line(
            name,
            p.table,
            ", ".join(p.names[:n] + p.names[n + 1 :]) or None,
            p.result if p.b_id is None else None,
            "" if p.pod else p.heroes[n],
            p.round,
        )
        for p in (*pairings.tables, *pairings.byes)
        for n, name in enumerate(p.names)
    ]
    return sorted(lines, key=lambda line: (line.name.casefold(), line.table or 0))
