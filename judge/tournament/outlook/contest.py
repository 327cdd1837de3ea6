"""Players who compete for so many places by points, and what each can still get.

What is to come falls into units that do not touch each other, so that the most and the fewest players above
a number of points are sums over the units.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import combinations
from math import lcm
from typing import Literal

from judge.tournament.formats import format_of
from judge.tournament.history import has_finished, histories
from judge.tournament.model import PlayerId, Result, Tournament
from judge.tournament.stages import Take

Own = Literal["win", "draw", "loss"]
OWN: tuple[Own, ...] = ("loss", "draw", "win")  # from the least to the most

Unit = list[dict[PlayerId, int]]  # the ways in which a match can end: final points by player
Ways = tuple[tuple[int, ...], ...]  # the same without names


class Contest:
    """Players who compete for so many places by points, and what each can still get.

    Points are whole numbers in the event's smallest unit."""

    def __init__(self, t: Tournament, take: Take, *, with_dropped: bool = False) -> None:
        self.tournament, self.take = t, take
        still_in = len(t.rounds) + 1
        played = histories(t)
        s = t.scoring
        worths = [s.win, s.draw, s.loss, s.bye, s.worth_of_half_bye]
        worths += [points for by_place in t.place_points.values() for points in by_place]
        unit = lcm(*(w.denominator for w in (*worths, *(h.points for h in played.values()))))
        self.worth: dict[Own, int] = {
            "win": int(s.win * unit), "draw": int(s.draw * unit), "loss": int(s.loss * unit),
        }  # fmt: skip
        self.unit = unit
        self.points = {
            e.id: int(played[e.id].points * unit)
            for e in t.entrants
            if with_dropped or t.drops.get(e.id, still_in) >= still_in
        }
        self.places = len(self.points) if take.top is None else take.top
        self.threshold = None if take.points is None else int(take.points * unit)

    @cached_property
    def matches(self) -> list[tuple[PlayerId, PlayerId]]:
        """Every match that is known and has no result: paired, or due because everybody meets everybody."""
        t = self.tournament
        paired = [(m.a, m.b) for r in t.rounds for m in r if not m.is_finished and m.a and m.b]
        crosses = format_of(t).crosses
        for _, group in crosses(t) if crosses else ():
            met = Counter(frozenset(m.players) for r in group.rounds for m in r)
            here = [e.id for e in group.entrants if e.id not in group.drops]
            for pair in combinations(here, 2):
                paired += [pair] * max(0, t.format.cycles - met[frozenset(pair)])
        return [(a, b) for a, b in paired if a in self.points and b in self.points]

    @cached_property
    def pods(self) -> list[tuple[PlayerId, ...]]:
        """Tables of three and more that are being played."""
        return [m.seats for r in self.tournament.rounds for m in r if m.seats and not m.is_finished]

    @cached_property
    def rounds_to_pair(self) -> range:
        """The rounds, by number, whose meetings nobody knows yet."""
        t = self.tournament
        planned = format_of(t).planned_rounds(t) or 0
        if t.format.until_wins is not None:  # nobody needs more rounds than it takes to win and lose enough
            most = t.format.until_wins + (t.format.until_losses or t.format.until_wins) - 1
            planned = max(len(t.rounds), min(planned or most, most))
        if format_of(t).crosses is not None:
            return range(0)
        return range(len(t.rounds) + 1, planned + 1)

    @cached_property
    def per_round(self) -> tuple[int, ...]:
        """What a round to come can bring, from the least to the most."""
        if not format_of(self.tournament).has_pods:
            return tuple(sorted(self.worth.values()))
        worths = {int(p * self.unit) for by_place in self.tournament.place_points.values() for p in by_place}
        return tuple(sorted(worths))

    def sure(self, player: PlayerId, number: int) -> int | None:
        """What a round to come brings without pairing; None if the player is to be paired."""
        t = self.tournament
        if number > t.drops.get(player, number) or player in self._finished:
            return 0
        if number in t.byes.get(player, ()):
            return int(t.scoring.bye * self.unit)
        if number in t.half_byes.get(player, ()):
            return int(t.scoring.worth_of_half_bye * self.unit)
        return 0 if number in t.absent.get(player, ()) else None

    @cached_property
    def _finished(self) -> set[PlayerId]:
        """Who is through or out of a Swiss until so many wins."""
        played = histories(self.tournament)
        return {p for p in self.points if has_finished(self.tournament.format, played[p])}

    @cached_property
    def open_matches(self) -> dict[PlayerId, int]:
        """How many matches each player has left, tables of pods and rounds to come included."""
        left = dict.fromkeys(self.points, 0)
        for players in (*self.matches, *self.pods):
            for player in players:
                if player in left:
                    left[player] += 1
        for player in left:
            left[player] += sum(self.sure(player, n) is None for n in self.rounds_to_pair)
        return left

    @cached_property
    def certain(self) -> dict[PlayerId, int]:
        """The points that nobody can take away: those won, awarded byes, and rests to come."""
        return {
            player: points + sum(self.sure(player, n) or 0 for n in self.rounds_to_pair) + self.rest(player)
            for player, points in self.points.items()
        }

    @cached_property
    def _rested(self) -> set[PlayerId]:
        return {m.a for r in self.tournament.rounds for m in r if m.a and m.result is Result.BYE}

    def rest(self, player: PlayerId) -> int:
        """The bye to come of a player whose group has an odd number, where rests are written down as byes."""
        crosses = format_of(self.tournament).crosses
        if crosses is None or not self._rested or player in self._rested:
            return 0
        return int(self.tournament.scoring.bye * self.unit) if player in self._in_odd_groups else 0

    @cached_property
    def _in_odd_groups(self) -> set[PlayerId]:
        crosses = format_of(self.tournament).crosses
        groups = [group for _, group in crosses(self.tournament)] if crosses else []
        return {e.id for group in groups if len(group.entrants) % 2 for e in group.entrants}

    @cached_property
    def is_one_round(self) -> bool:
        """Whether every missing result is that of a known match, one at the most for each player."""
        is_open = bool(self.rounds_to_pair or self.pods)
        return not is_open and all(left <= 1 for left in self.open_matches.values())

    @cached_property
    def units(self) -> list[Unit]:
        """Independent parts of what is to come: matches of one round; else each player alone, between the
        least and the most they can get, which is more than can happen at once."""
        if not self.is_one_round:
            least, most = self.per_round[0], self.per_round[-1]
            return [
                [{p: self.certain[p] + least * left}, {p: self.certain[p] + most * left}]
                for p, left in self.open_matches.items()
            ]
        seated = {p for pair in self.matches for p in pair}
        units: list[Unit] = [[{p: self.points[p]}] for p in self.points if p not in seated]
        for a, b in self.matches:
            units.append([{a: self._after(a, own), b: self._after(b, _other(own))} for own in OWN])
        return units

    def _after(self, player: PlayerId, own: Own) -> int:
        return self.points[player] + self.worth[own]

    @cached_property
    def unit_of(self) -> dict[PlayerId, Unit]:
        return {player: unit for unit in self.units for player in unit[0]}

    def stand_of(self, player: PlayerId) -> tuple[object, ...]:
        """What a player has and can get. Players of whom it is equal have the same prospects."""
        ways = tuple(
            (way[player], tuple(sorted(points for p, points in way.items() if p != player)))
            for way in self.unit_of[player]
        )
        return self.certain[player], self.open_matches[player], ways

    @cached_property
    def _counts(self) -> dict[tuple[int, bool, bool], int]:
        return {}

    @cached_property
    def _alike(self) -> Counter[Ways]:
        """How many units have the same points at stake."""
        return Counter(_ways(unit) for unit in self.units)

    def count(self, target: int, *, most: bool, level: bool) -> int:
        """How many players can (or must) end above the target, or level with it."""
        key = (target, most, level)
        if key not in self._counts:
            self._counts[key] = sum(
                times * _count(ways, target, most=most, level=level) for ways, times in self._alike.items()
            )
        return self._counts[key]

    def others(self, player: PlayerId, own: Unit, target: int, *, most: bool, level: bool) -> int:
        """The same without the player, whose match ends in one of the ways of `own`."""
        whole = self.count(target, most=most, level=level)
        rest = _ways([{p: points for p, points in way.items() if p != player} for way in own])
        mine = _count(_ways(self.unit_of[player]), target, most=most, level=level)
        return whole - mine + _count(rest, target, most=most, level=level)


def _other(own: Own) -> Own:
    return {"win": "loss", "loss": "win", "draw": "draw"}[own]  # type: ignore[return-value] # one of the three


def _ways(unit: Unit) -> Ways:
    return tuple(tuple(sorted(way.values())) for way in unit)


def _count(ways: Ways, target: int, *, most: bool, level: bool) -> int:
    above = (sum(p > target or (level and p == target) for p in points) for points in ways)
    return max(above) if most else min(above)
