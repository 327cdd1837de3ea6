"""Read models of the public pages. Each takes a fixed number of queries, whatever the size of the event.

A page first asks for the event's id and version (`find_stamp`), one tiny query. Models built for that version
are cached in the process (`cached`), so any number of workers agree without talking to each other. Only
published rounds are read, and only public names: a player's display name if there is one.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from threading import Lock
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import ColumnElement, Engine, String, bindparam, cast, func
from sqlalchemy.orm import aliased
from sqlmodel import col, select

from judge.core.folding import folded
from judge.core.json_types import JsonObject
from judge.schemas.shape import is_digits
from judge.services.event.stage_format import has_final_table
from judge.services.play.clock import Face, face, timer_of
from judge.services.play.outcomes import places_of
from judge.services.play.running_tables import member_names
from judge.services.players.player_names import shown_names
from judge.storage.events import Announcement, Event, Match, Player, Round, seats_of
from judge.storage.reader import Prepared, Reader, select_columns
from judge.tournament.formats import DEFAULT, FORMATS
from judge.tournament.model import Result, winner

Built = TypeVar("Built")
CACHED_MODELS = 64


class Stamp(NamedTuple):
    """An event's id and version. `born` tells it from an earlier event with the same id."""

    id: int
    version: int
    born: str = ""


_BORN = cast(Event.created_at, String)
_STAMP = Prepared(select(Event.id, Event.version, _BORN).where(Event.slug == bindparam("slug")), "slug")


def find_stamp(reader: Reader, slug: str) -> Stamp | None:
    rows = reader.rows(_STAMP, slug)
    return Stamp(*rows[0]) if rows else None


# -- cached in the process ----------------------------------------------------------------------------------


class Cache:
    """The most recent values by key. If several threads need the same value, the first builds it and the
    others wait: after a result half the hall asks for the same page."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._values: OrderedDict[Hashable, Any] = OrderedDict()
        self._building: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def get(self, key: Hashable, build: Callable[[], Built]) -> Built:
        with self._lock:
            if key in self._values:
                return self._cached(key, build)
            turn = self._building.setdefault(key, Lock())
        with turn:
            with self._lock:
                if key in self._values:
                    return self._cached(key, build)
            try:
                return self._store(key, build())
            finally:
                with self._lock:
                    self._building.pop(key, None)

    def _cached(self, key: Hashable, build: Callable[[], Built]) -> Built:
        """The stored value, which an earlier `build` returned."""
        self._values.move_to_end(key)
        value: Built = self._values[key]
        return value

    def _store(self, key: Hashable, value: Built) -> Built:
        with self._lock:
            self._values[key] = value
            while len(self._values) > self.size:
                self._values.popitem(last=False)
        return value


_MODELS: WeakKeyDictionary[Engine, Cache] = WeakKeyDictionary()  # a process may have more than one database


def cached(reader: Reader, name: str, stamp: Stamp, build: Callable[[], Built], *more: Hashable) -> Built:
    models = _MODELS.get(reader.engine)
    if models is None:
        models = _MODELS.setdefault(reader.engine, Cache(CACHED_MODELS))
    return models.get((name, stamp, *more), build)


# -- the event and its rounds -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Head:
    """The event as every public page names it."""

    id: int
    slug: str
    name: str
    day: date
    state: str
    is_demo: bool
    has_bracket: bool
    is_open: bool  # players may still register themselves
    settings: JsonObject
    announcements: tuple[tuple[datetime, str], ...] = ()  # shown now, the newest first


@dataclass(frozen=True, slots=True)
class RoundHead:
    id: int
    stage: int
    number: int
    clock: Face
    published_at: datetime | None


@dataclass(frozen=True, slots=True)
class Outline:
    """The event and its published rounds in the order of play."""

    head: Head
    rounds: tuple[RoundHead, ...]


_OUTLINE = Prepared(
    select_columns(
        Event.id, Event.slug, Event.name, Event.day, Event.state, Event.is_demo, Event.settings,
        Round.id, Round.stage, Round.number, Round.published_at,
        Round.clock_phase, Round.clock_from, Round.clock_left,
    )
    .join(Round, (col(Round.event_id) == Event.id) & (col(Round.state) == "published"), isouter=True)
    .where(Event.id == bindparam("event"))
    .order_by(col(Round.stage), col(Round.number)),
    "event",
)  # fmt: skip


_ANNOUNCED = Prepared(
    select(Announcement.at, Announcement.text)
    .where(Announcement.event_id == bindparam("event"), col(Announcement.is_shown).is_(True))
    .order_by(col(Announcement.id).desc()),
    "event",
)


def read_outline(reader: Reader, stamp: Stamp) -> Outline:
    def build() -> Outline:
        outline = _outline(reader.rows(_OUTLINE, stamp.id))
        said = tuple((at, text) for at, text in reader.rows(_ANNOUNCED, stamp.id))
        return replace(outline, head=replace(outline.head, announcements=said))

    return cached(reader, "outline", stamp, build)


def _outline(rows: Sequence[Any]) -> Outline:
    settings = rows[0][6]
    kind = FORMATS[(settings.get("format") or {}).get("kind", DEFAULT.id)]
    registration = (settings.get("registration") or {}).get("mode", "closed")
    is_open = registration != "closed" and rows[0][4] == "setup"
    has_cut = bool(settings.get("cut")) and not has_final_table(kind.id, settings.get("cut"))
    later = [(s.get("format") or {}).get("kind", DEFAULT.id) for s in settings.get("stages") or ()]
    has_bracket = kind.has_drawing or has_cut or any(FORMATS[k].has_drawing for k in later)
    timer = timer_of(settings)
    rounds = tuple(
        RoundHead(number, stage, n, face(phase, since, left, timer), published)
        for *_, number, stage, n, published, phase, since, left in rows
        if number is not None
    )
    event_id, slug, name, day, state, is_demo = rows[0][:6]
    head = Head(event_id, slug, name, day, state, is_demo, has_bracket, is_open, settings)
    return Outline(head, rounds)


# -- pairings -----------------------------------------------------------------------------------------------


class Seat(NamedTuple):
    """A player at a pod, with place and score once it is over (no place: absent)."""

    name: str
    place: int | None = None
    score: str = ""


class Pair(NamedTuple):
    """One table, or one player with a bye."""

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


def _public_name(player: Any) -> ColumnElement[Any]:
    return func.coalesce(player.public_name, player.name)


_PAIRS = Prepared(
    select_columns(
        Match.table_no, _public_name(_A), _public_name(_B), Match.result, Match.health_a, Match.health_b,
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
    """The tables of the latest published round; None before the first."""
    outline = read_outline(reader, stamp)
    if not outline.rounds:
        return None
    return read_round(reader, stamp, outline.rounds[-1])


def read_round(reader: Reader, stamp: Stamp, round_: RoundHead) -> Pairings:
    """The tables of one published round."""
    has_scores = (read_outline(reader, stamp).head.settings.get("format") or {}).get("counts") != "places"
    return cached(reader, "pairings", stamp, lambda: _read_pairings(reader, round_, has_scores), round_.id)


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
    opponent: str | None  # all of them in a pod; None: a bye


def by_name(pairings: Pairings) -> list[Line]:
    lines = [
        Line(name, p.table, ", ".join(p.names[:n] + p.names[n + 1 :]) or None)
        for p in (*pairings.tables, *pairings.byes)
        for n, name in enumerate(p.names)
    ]
    return sorted(lines, key=lambda line: (line.name.casefold(), line.table or 0))


_PLAYERS = Prepared(
    select(_public_name(Player)).where(
        Player.event_id == bindparam("event"), (Player.state == "registered") | (Player.state == "present")
    ),
    "event",
)


def read_players(reader: Reader, stamp: Stamp) -> list[str]:
    """The names of all players, sorted."""

    def build() -> list[str]:
        return sorted((name for (name,) in reader.rows(_PLAYERS, stamp.id)), key=str.casefold)

    return cached(reader, "players", stamp, build)


class LinkedPlayer(NamedTuple):
    """The player of a private link, with the stamp of their event."""

    stamp: Stamp
    link: int
    is_erased: bool
    declared: JsonObject | None  # when the heroes were locked


_PLAYER = Prepared(
    select_columns(Event.id, Event.version, _BORN, Player.link, Player.is_erased, Player.declared)
    .join(Event, col(Event.id) == Player.event_id)
    .where(Player.id == bindparam("player")),
    "player",
)


def find_player(reader: Reader, player: int) -> LinkedPlayer | None:
    rows = reader.rows(_PLAYER, player)
    return LinkedPlayer(Stamp(*rows[0][:3]), *rows[0][3:]) if rows else None
