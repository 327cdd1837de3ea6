"""The list of an event's players as pages show it, from a fixed number of queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import func
from sqlmodel import Session, col, select

from judge.core.folding import folded
from judge.core.messages import Message
from judge.schemas.tournament.event_settings import EventSettings
from judge.services.event.event_view import AnyEvent, PlayerView, player_view
from judge.services.event.events import settings_of
from judge.services.players.player_names import shown_names
from judge.storage.events import Player, Round

PLAYING = ("registered", "present")  # states that take up a place
SHOWN_FIRST = {"pending": 0, "waiting": 1, "registered": 2, "present": 2, "dropped": 3}


@dataclass(frozen=True, slots=True)
class RosterLine:
    player: PlayerView
    label: str  # the name, made unique among namesakes
    lacks_heroes: bool


@dataclass(frozen=True, slots=True)
class Roster:
    lines: list[RosterLine]
    counts: dict[str, int]  # by state, over everybody
    settings: EventSettings
    published: int  # the last published round of the first stage
    warnings: list[Message]

    @property
    def playing(self) -> int:
        return sum(self.counts.get(state, 0) for state in PLAYING)

    @property
    def is_full(self) -> bool:
        capacity = self.settings.registration.capacity
        return capacity is not None and self.playing >= capacity

    def of(self, *states: str) -> list[RosterLine]:
        return [line for line in self.lines if line.player.state in states]


def players_of(session: Session, event: AnyEvent) -> Sequence[Player]:
    return session.exec(select(Player).where(Player.event_id == event.id).order_by(col(Player.id))).all()


def people_of(session: Session, event: AnyEvent) -> list[PlayerView]:
    """All players who are not erased, by name."""
    players = (player_view(p) for p in players_of(session, event) if not p.is_erased)
    return sorted(players, key=lambda player: player.name.casefold())


def last_published(session: Session, event: AnyEvent) -> int:
    """The number of the last published round before the cut; 0 before round 1."""
    query = select(func.max(Round.number)).where(Round.event_id == event.id, Round.stage == 1)
    return session.scalar(query.where(Round.state == "published")) or 0


def last_of_all_stages(session: Session, event: AnyEvent) -> int:
    """The number of the last published round, the cut included; 0 before round 1."""
    query = select(func.max(Round.number)).where(Round.event_id == event.id, Round.state == "published")
    return session.scalar(query) or 0


def stages_begun(session: Session, event: AnyEvent) -> dict[int, int]:
    """The first rounds of the stages that have begun."""
    query = select(Round.stage, func.min(Round.number)).where(Round.event_id == event.id)
    return dict(session.exec(query.group_by(col(Round.stage))).all())


def free_places(session: Session, event: AnyEvent) -> int | None:
    """How many more players may be let in; None if there is no limit."""
    capacity = settings_of(event).registration.capacity
    if capacity is None:
        return None
    places = select(func.count()).where(Player.event_id == event.id, col(Player.state).in_(PLAYING))
    return max(0, capacity - session.exec(places).one())


def names_of_members(player: Player) -> list[str]:
    """The people of a team."""
    return [m if isinstance(m, str) else str(m["name"]) for m in player.members or ()]


def roster(session: Session, event: AnyEvent, search: str = "") -> Roster:
    """The list of players; with `search`, only lines whose name or club contains it."""
    everyone = players_of(session, event)
    names, settings = shown_names(everyone), settings_of(event)
    word = folded(" ".join(search.split()))
    lines = [
        RosterLine(player_view(p), names[p.id], lacks_heroes(settings, p))
        for p in everyone
        if word
        in folded(f"{names[p.id]} {p.public_name or ''} {p.club or ''} {' '.join(names_of_members(p))}")
    ]
    lines.sort(key=_order)
    counts = Counter(p.state for p in everyone)
    warnings = table_warnings(tables_of(everyone))
    return Roster(lines, dict(counts), settings, last_published(session, event), warnings)


def tables_of(players: Iterable[Player]) -> dict[int, list[str]]:
    """The names of players by fixed table; dropped players need none."""
    tables: dict[int, list[str]] = {}
    for player in players:
        if player.fixed_table and player.state != "dropped":
            tables.setdefault(player.fixed_table, []).append(player.name)
    return tables


def table_warnings(tables: dict[int, list[str]]) -> list[Message]:
    """Warnings of fixed tables given to several players; paired with each other, two can both sit there."""
    shared = sorted((table, names) for table, names in tables.items() if len(names) > 1)
    return [Message("player_table_shared", table=table, names=names) for table, names in shared]


def lacks_heroes(settings: EventSettings, player: Player | PlayerView) -> bool:
    return settings.heroes.bring > 0 and len(player.heroes) < settings.heroes.bring


def _order(line: RosterLine) -> tuple[int, str, int]:
    """Players who wait for an answer come first, in order of arrival; the others follow by name."""
    player = line.player
    first = SHOWN_FIRST[player.state]
    return (first, "" if first < 2 else line.label.casefold(), player.id)
