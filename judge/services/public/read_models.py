"""Read models of the public pages. Each takes a fixed number of queries, whatever the size of the event.

A page first asks for the event's id and version (`find_stamp`), one tiny query. Models built for that version
are cached in the process (`cached`), so any number of workers agree without talking to each other. Only
published rounds are read, and only public names: a player's display name if there is one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from threading import Lock
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from sqlalchemy import ColumnElement, Engine, String, bindparam, cast, func
from sqlmodel import col, select

from judge.core.json_types import JsonObject
from judge.services.event.stage_format import has_final_table
from judge.services.play.clock import Face, face, timer_of
from judge.storage.events import Announcement, Event, Player, Round
from judge.storage.reader import Prepared, Reader, select_columns
from judge.tournament.formats import DEFAULT, FORMATS

Built = TypeVar("Built")
CACHED_MODELS, CACHED_LATEST = 64, 16


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

    def find(self, key: Hashable) -> Any:
        """The stored value; None if there is none."""
        with self._lock:
            return self._values.get(key)

    def put(self, key: Hashable, value: object) -> None:
        self._store(key, value)

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
_LATEST: WeakKeyDictionary[Engine, Cache] = WeakKeyDictionary()


def cached(reader: Reader, name: str, stamp: Stamp, build: Callable[[], Built], *more: Hashable) -> Built:
    models = _MODELS.get(reader.engine)
    if models is None:
        models = _MODELS.setdefault(reader.engine, Cache(CACHED_MODELS))
    return models.get((name, stamp, *more), build)


def latest(reader: Reader, name: str, stamp: Stamp) -> Any:
    """The model of this event that was built last, of whatever version; None if there is none."""
    models = _LATEST.get(reader.engine)
    return models.find((name, stamp.id, stamp.born)) if models else None


def note_latest(reader: Reader, name: str, stamp: Stamp, model: object) -> None:
    """Remember a model for `latest`."""
    _LATEST.setdefault(reader.engine, Cache(CACHED_LATEST)).put((name, stamp.id, stamp.born), model)


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
    game: str = ""
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
        Event.id, Event.slug, Event.name, Event.day, Event.state, Event.is_demo, Event.settings, Event.game,
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
    rounds = tuple(
        RoundHead(number, stage, n, face(phase, since, left, timer_of(settings, stage)), published)
        for *_, number, stage, n, published, phase, since, left in rows
        if number is not None
    )
    event_id, slug, name, day, state, is_demo = rows[0][:6]
    head = Head(event_id, slug, name, day, state, is_demo, has_bracket, is_open, settings, rows[0][7])
    return Outline(head, rounds)


# -- players ------------------------------------------------------------------------------------------------


def public_name(player: Any) -> ColumnElement[Any]:
    return func.coalesce(player.public_name, player.name)


_PLAYERS = Prepared(
    select(public_name(Player)).where(
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
