"""Standings after any round: points, then the tie-breakers in order; equal on everything, equal rank.

Only the rounds up to the requested one are read, so a later drop or result changes nothing. `LiveStandings`
keeps its intermediate values and, after one changed result, updates only the players it can affect.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
        name: live.work(TIEBREAKERS[name], player, tied[n]) for n, name in enumerate(tournament.tiebreakers)
    }


class LiveStandings:
    """`players`: whose tie-breakers are worth working out; the others are ordered by points alone. It is
    ignored where a tie-breaker compares everybody who is tied."""

    def __init__(
        self, tournament: Tournament, after: int | None = None, players: Collection[PlayerId] | None = None
    ) -> None:
        self.after, self._wanted = after, players
        self._start(tournament)

    def _start(self, tournament: Tournament) -> None:
        self.tournament = tournament
        rounds = tournament.rounds_before + len(tournament.rounds[: self.after])
        self.field = Field(tournament, histories(tournament, self.after), rounds)
        self._entry = {e.id: n for n, e in enumerate(tournament.entrants)}
        self.values: dict[PlayerId, Values] = {}  # as shown, one per tie-breaker
        # By which players are ordered: with the values of a tie-breaker applied again to those still tied.
        has_again = any(tiebreaker.is_among_tied for tiebreaker in self._tiebreakers())
        self.ratings: dict[PlayerId, Values] = {} if has_again else self.values
        self._keys: dict[PlayerId, Key] = {}
        wanted = None if has_again else self._wanted
        self._work_out([p for p in self._entry if wanted is None or p in wanted])
        if wanted is not None:
            for player in self._entry.keys() - self._keys.keys():
                self._keys[player] = (-self.field.points(player), (), self._entry[player])
        self._order = sorted(self._entry, key=self._keys.__getitem__)

    def table(self) -> list[Standing]:
        result: list[Standing] = []
        names = self.tournament.tiebreakers
        before: tuple[Fraction, Values] | None = None
        rank = 0
        for place, player in enumerate(self._order, start=1):
            history, rating = self.field.histories[player], self.ratings[player]
            if (history.points, rating) != before:
                rank, before = place, (history.points, rating)
            tiebreakers = dict(zip(names, self.values[player], strict=True))
            result.append(Standing(rank, player, history.points, history.record, history.byes, tiebreakers))
        return result

    def levels(self) -> dict[PlayerId, int]:
        """Everybody's level, 0 for the leader; players equal on everything share one."""
        levels: dict[PlayerId, int] = {}
        level, before = -1, None
        for player in self._order:
            key = self._keys[player][:2]
            if key != before:
                level, before = level + 1, key
            levels[player] = level
        return levels

    def still_tied(self, player: PlayerId) -> list[list[PlayerId]]:
        """For each tie-breaker, who is level with the player on points and on all earlier tie-breakers."""
        tied = [[p for p in self._entry if self.field.points(p) == self.field.points(player)]]
        for n, tiebreaker in enumerate(self._tiebreakers()):
            level = [p for p in tied[n] if self.values[p][n] == self.values[player][n]]
            if tiebreaker.is_among_tied and len(level) < len(tied[n]):
                own = self._among(tiebreaker, level)
                level = [p for p in level if own[p] == own[player]]
            tied.append(level)
        return tied

    def work(self, tiebreaker: TieBreaker, player: PlayerId, tied: Sequence[PlayerId]) -> Worked:
        """A tie-breaker of one player with its arithmetic, applied again as often as the standings do."""
        worked = tiebreaker.work(player, self.field, tied)
        if not tiebreaker.is_among_tied:
            return worked
        level = [p for p in tied if tiebreaker.work(p, self.field, tied).value == worked.value]
        if not 1 < len(level) < len(tied):
            return worked
        return worked._replace(again=self.work(tiebreaker, player, level))

    def _key(self, player: PlayerId) -> Key:
        rating = tuple(-v for v in self.ratings[player])
        return -self.field.points(player), rating, self._entry[player]

    def _work_out(self, players: Sequence[PlayerId]) -> None:
        for player in players:
            self.values[player] = self.ratings[player] = ()
        for tiebreaker in self._tiebreakers():
            if tiebreaker.is_among_tied:
                self._work_out_among_tied(tiebreaker)
                continue
            work = tiebreaker.work
            for player in players:
                value = work(player, self.field, ()).value
                self.values[player] += (value,)
                if self.ratings is not self.values:
                    self.ratings[player] += (value,)
        for player in players:
            self._keys[player] = self._key(player)

    def _tiebreakers(self) -> list[TieBreaker]:
        return [TIEBREAKERS[name] for name in self.tournament.tiebreakers]

    def _work_out_among_tied(self, tiebreaker: TieBreaker) -> None:
        tied: dict[tuple[Fraction, Values], list[PlayerId]] = {}
        for player in self._entry:
            tied.setdefault((self.field.points(player), self.ratings[player]), []).append(player)
        for level in tied.values():
            for player, values in self._among(tiebreaker, level).items():
                self.values[player] += values[:1]
                self.ratings[player] += values

    def _among(self, tiebreaker: TieBreaker, level: list[PlayerId]) -> dict[PlayerId, Values]:
        """The values among these tied players, then again among those it leaves tied, until it decides no
        more."""
        value = {player: tiebreaker.work(player, self.field, level).value for player in level}
        again: dict[Fraction, list[PlayerId]] = {}
        for player in level:
            again.setdefault(value[player], []).append(player)
        if len(again) == 1:
            return {player: (value[player],) for player in level}
        return {
            player: (value[player], *values)
            for rest in again.values()
            for player, values in (self._among(tiebreaker, rest) if len(rest) > 1 else {rest[0]: ()}).items()
        }

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
