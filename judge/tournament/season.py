"""A season: the points of several events added up, the best so many of each player.

Points go by place (level players get the points of their shared place) or by results. A player is the same in
two events if the id is; one without an id is known by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class SeasonPoints:
    """Points by place, with `taking_part` for places beyond the list; or, without places, by results."""

    places: tuple[Fraction, ...] = ()
    taking_part: Fraction = ZERO
    win: Fraction = ZERO
    draw: Fraction = ZERO
    loss: Fraction = ZERO

    def of(self, finish: Finish) -> Fraction:
        if self.places:
            return self.places[finish.rank - 1] if finish.rank <= len(self.places) else self.taking_part
        won, lost, drawn = finish.record or (0, 0, 0)
        return won * self.win + lost * self.loss + drawn * self.draw


@dataclass(frozen=True, slots=True)
class Finish:
    """One player's place in one event; the record is wins, losses and draws."""

    player: str
    rank: int
    id: str | None = None
    record: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class SeasonEvent:
    name: str
    table: tuple[Finish, ...]


@dataclass(frozen=True, slots=True)
class Season:
    name: str
    points: SeasonPoints
    events: tuple[SeasonEvent, ...]
    best: int | None = None  # how many events count for a player; None: all


@dataclass(frozen=True, slots=True)
class Earned:
    """What a player earned in one event."""

    event: str
    rank: int
    points: Fraction


@dataclass(frozen=True, slots=True)
class SeasonStanding:
    rank: int
    player: str
    points: Fraction
    counted: tuple[Earned, ...]
    dropped: tuple[Earned, ...]


def season_standings(season: Season) -> list[SeasonStanding]:
    """Everybody by points; equal points, equal rank."""
    earned: dict[str, list[Earned]] = {}
    names: dict[str, str] = {}
    for event, keys in zip(season.events, _keys(season.events), strict=True):
        for finish, key in zip(event.table, keys, strict=True):
            names.setdefault(key, finish.player)
            points = season.points.of(finish)
            earned.setdefault(key, []).append(Earned(event.name, finish.rank, points))
    totals = [_total(names[key], own, season.best) for key, own in earned.items()]
    totals.sort(key=lambda line: (-line.points, line.player))
    better = {line.points: sum(other.points > line.points for other in totals) for line in totals}
    return [
        SeasonStanding(better[line.points] + 1, line.player, line.points, line.counted, line.dropped)
        for line in totals
    ]


def _total(name: str, own: Sequence[Earned], best: int | None) -> SeasonStanding:
    """The best events count; of equal ones the earlier."""
    order = sorted(range(len(own)), key=lambda n: -own[n].points)
    kept = set(order if best is None else order[:best])
    counted = tuple(own[n] for n in range(len(own)) if n in kept)
    dropped = tuple(own[n] for n in range(len(own)) if n not in kept)
    return SeasonStanding(0, name, sum((one.points for one in counted), ZERO), counted, dropped)


def _keys(events: Sequence[SeasonEvent]) -> list[list[str]]:
    """Who each line is: its id; without one, the only player with an id who has the name; else the name."""
    ids: dict[str, set[str]] = {}
    for event in events:
        for finish in event.table:
            if finish.id is not None:
                ids.setdefault(finish.player, set()).add(finish.id)

    def key(finish: Finish) -> str:
        if finish.id is not None:
            return f"id {finish.id}"
        known = ids.get(finish.player, set())
        return f"id {next(iter(known))}" if len(known) == 1 else f"name {finish.player}"

    return [[key(finish) for finish in event.table] for event in events]
