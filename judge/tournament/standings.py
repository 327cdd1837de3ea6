"""Standings after any round: points, then the tie-breakers in order; equal on everything, equal rank.

Only the rounds up to the requested one are read, so a later drop or result changes nothing. `LiveStandings`
keeps its intermediate values and, after one changed result, updates only the players it can affect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from judge.tournament.history import History, histories, played_of
from judge.tournament.model import PlayerId, Tournament
from judge.tournament.tiebreaks import TIEBREAKERS, Field, TieBreaker, Worked

Values = tuple[Fraction, ...]
Key = tuple[Fraction, Values, int]


@dataclass(frozen=True, slots=True)
class Standing:
    rank: int
    player: PlayerId
    points: Fraction
    record: str
    byes: int
    tiebreakers: dict[str, Fraction]
    group: int | None = None  # in an event with groups: the rank is the one inside the group


def standings(tournament: Tournament, after: int | None = None) -> list[Standing]:
    """Everybody's place after round `after` (all rounds if not given)."""
    return LiveStandings(tournament, after).table()


def explain(tournament: Tournament, player: PlayerId, after: int | None = None) -> dict[str, Worked]:
    """Each tie-breaker of one player with its arithmetic."""
    live = LiveStandings(tournament, after)
    tied = live.still_tied(player)
    return {
        name: TIEBREAKERS[name].work(player, live.field, tied[n])
        for n, name in enumerate(tournament.tiebreakers)
    }


class LiveStandings:
    def __init__(self, tournament: Tournament, after: int | None = None) -> None:
        self.after = after
        self._start(tournament)

    def _start(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.field = Field(tournament, histories(tournament, self.after))
        self._entry = {e.id: n for n, e in enumerate(tournament.entrants)}
        self.values: dict[PlayerId, Values] = {}
        self._keys: dict[PlayerId, Key] = {}
        self._work_out(list(self._entry))
        self._order = sorted(self._entry, key=self._keys.__getitem__)

    def table(self) -> list[Standing]:
        result: list[Standing] = []
        names = self.tournament.tiebreakers
        before: tuple[Fraction, Values] | None = None
        rank = 0
        for place, player in enumerate(self._order, start=1):
            history, values = self.field.histories[player], self.values[player]
            if (history.points, values) != before:
                rank, before = place, (history.points, values)
            tiebreakers = dict(zip(names, values, strict=True))
            result.append(Standing(rank, player, history.points, history.record, history.byes, tiebreakers))
        return result

    def key(self, player: PlayerId) -> tuple[Fraction, Values]:
        """Sort key, best first; players with equal keys share a rank."""
        points, values, _ = self._keys[player]
        return points, values

    def still_tied(self, player: PlayerId) -> list[list[PlayerId]]:
        """For each tie-breaker, who is level with the player on points and on all earlier tie-breakers."""
        points, values = self.field.points(player), self.values[player]
        level = [p for p in self._entry if self.field.points(p) == points]
        return [
            [p for p in level if self.values[p][:n] == values[:n]]
            for n in range(len(self.tournament.tiebreakers))
        ]

    def _key(self, player: PlayerId) -> Key:
        values = self.values[player]
        return -self.field.points(player), tuple(-v for v in values), self._entry[player]

    def _work_out(self, players: Sequence[PlayerId]) -> None:
        for player in players:
            self.values[player] = ()
        for tiebreaker in self._tiebreakers():
            if tiebreaker.is_among_tied:
                self._work_out_among_tied(tiebreaker)
                continue
            work = tiebreaker.work
            for player in players:
                self.values[player] += (work(player, self.field, ()).value,)
        for player in players:
            self._keys[player] = self._key(player)

    def _tiebreakers(self) -> list[TieBreaker]:
        return [TIEBREAKERS[name] for name in self.tournament.tiebreakers]

    def _work_out_among_tied(self, tiebreaker: TieBreaker) -> None:
        tied: dict[tuple[Fraction, Values], list[PlayerId]] = {}
        for player in self._entry:
            tied.setdefault((self.field.points(player), self.values[player]), []).append(player)
        for level in tied.values():
            for player in level:
                self.values[player] += (tiebreaker.work(player, self.field, level).value,)

    def update(self, tournament: Tournament, changed: Sequence[PlayerId]) -> None:
        """Update after a result of the `changed` players was entered or corrected."""
        if any(TIEBREAKERS[name].is_among_tied for name in tournament.tiebreakers):
            self._start(tournament)
            return
        self.tournament = self.field.tournament = tournament
        around = self._around(changed)
        self._replay(changed)
        moved = list(dict.fromkeys([*around, *self._around(changed)]))
        self.field.forget(moved)
        self._work_out(moved)
        self._reorder(moved)

    def _replay(self, players: Sequence[PlayerId]) -> None:
        for player in players:
            history = History(player)
            for played in played_of(self.tournament, player, self.after):
                history.add(played)
            self.field.histories[player] = history

    def _around(self, players: Sequence[PlayerId]) -> list[PlayerId]:
        """These players, their opponents and, where a tie-breaker reaches that far, the next opponents."""
        reach = list(players)
        for _ in range(max((tiebreaker.reach for tiebreaker in self._tiebreakers()), default=1)):
            reach += [
                p.opponent
                for player in reach
                for p in self.field.histories[player].opponents()
                if p.opponent is not None
            ]
        return list(dict.fromkeys(reach))

    def _reorder(self, moved: Sequence[PlayerId]) -> None:
        gone = set(moved)
        self._order = [p for p in self._order if p not in gone] + list(moved)
        self._order.sort(key=self._keys.__getitem__)
