"""Tie-breakers: one record each, in a registry; values are exact fractions with their arithmetic.

A tie-breaker returns the terms it adds up, so that a value can always be shown with its arithmetic:
`9 (Cleo) + 6 (Eva), without 3 (Ben) and 9 (Dov) = 15`. Definitions are those of the published regulations
that Dice Throne events use (Challonge's options); where several formulas share a name, the docstring says
which one is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from judge.core.messages import Phrasebook
from judge.tournament.history import ZERO, History, Played, has_finished
from judge.tournament.model import PlayerId, Tournament


class Term(NamedTuple):
    """One number of a sum. Without an opponent it is a round's own value, or that of a dummy opponent."""

    value: Fraction
    round: int
    opponent: PlayerId | None = None
    is_dummy: bool = False
    is_own_choice: bool = False  # a round that the player chose not to play: left out before any other


class Worked(NamedTuple):
    """A value and its arithmetic: the sum of `terms`, without those left out, divided by `divisor`.

    `is_floored`: the division gave less than the floor, so the floor counts instead. `again`: the same among
    those whom it left tied, where that decides more.
    """

    value: Fraction
    terms: Sequence[Term]
    left_out: Sequence[Term] = ()
    divisor: int = 1
    is_floored: bool = False
    again: Worked | None = None


def total(terms: Sequence[Term], left_out: Sequence[Term] = ()) -> Worked:
    return Worked(sum((t.value for t in terms), ZERO), terms, left_out)


def mean(terms: Sequence[Term]) -> Worked:
    if not terms:
        return Worked(ZERO, terms)
    return Worked(sum((t.value for t in terms), ZERO) / len(terms), terms, divisor=len(terms))


@dataclass
class Field:
    """Everybody's history, and the shares that several tie-breakers need, each computed once."""

    tournament: Tournament
    histories: dict[PlayerId, History]
    rounds: int = 0  # how many of them are read
    _mw: dict[PlayerId, Fraction] = field(default_factory=dict)
    _gw: dict[PlayerId, Fraction] = field(default_factory=dict)
    _omw: dict[PlayerId, Fraction] = field(default_factory=dict)
    _as_opponent: dict[PlayerId, Fraction] = field(default_factory=dict)
    _pending: set[tuple[int, PlayerId]] | None = None

    @cached_property
    def _entered(self) -> frozenset[PlayerId]:
        """Who is in this stage; the others were left behind in one whose points are carried on."""
        return frozenset(entrant.id for entrant in self.tournament.entrants)

    def points(self, player: PlayerId) -> Fraction:
        return self.histories[player].points

    def points_as_opponent(self, player: PlayerId) -> Fraction:
        """The points with which a player counts for opponents. With dummies the rounds after one has left
        count as draws (FIDE 2023, article 16), so that nobody suffers for an opponent who went home."""
        if self.tournament.unplayed != "dummy":
            return self.points(player)
        if player not in self._as_opponent:
            self._as_opponent[player] = self._with_draws_at_the_end(player)
        return self._as_opponent[player]

    def _with_draws_at_the_end(self, player: PlayerId) -> Fraction:
        t, history = self.tournament, self.histories[player]
        if has_finished(t.format, history):
            return history.points
        skipped = {p.round for p in self.unplayed(player) if is_own_choice(p)}
        last = end = self.rounds if player in self._entered else t.rounds_before
        while last in skipped:
            last -= 1
        return sum((p.points for p in history.played if p.round <= last), (end - last) * t.scoring.draw)

    def match_win_share(self, player: PlayerId) -> Fraction:
        """Match points / the most they could be, never below the floor. A bye is a round won (Magic's MTR,
        appendix C), unless the event leaves byes out or gives less than a win for one."""
        if player not in self._mw:
            rounds = [p for p in self.histories[player].played if self._counts(p)]
            got = sum(map(self._match_points, rounds), ZERO)
            self._mw[player] = self._share(got, self.tournament.scoring.win * len(rounds))
        return self._mw[player]

    def _counts(self, played: Played) -> bool:
        """Whether a round counts in the match-win share; of byes only one that is worth a win."""
        t = self.tournament
        if played.outcome == "bye":
            return t.byes_in_omw and t.scoring.bye >= t.scoring.win
        return played.outcome != "half-bye"

    def _match_points(self, played: Played) -> Fraction:
        """What a round is worth as a match, also where points are given per game."""
        s = self.tournament.scoring
        if s.per == "match" or played.outcome not in _MATCH_WORTH:
            return played.points
        return Fraction(getattr(s, _MATCH_WORTH[played.outcome])) if played.points else ZERO

    def unplayed(self, player: PlayerId) -> list[Played]:
        """The rounds without play, in order: byes, no-shows, missed rounds, and those after a drop."""
        own = {p.round: p for p in self.histories[player].played}
        if self._pending is None:
            self._pending = {
                (n, player)
                for n, matches in enumerate(self.tournament.all_rounds[: self.rounds], start=1)
                for match in matches
                if not match.is_finished
                for player in match.players
            }
        return [
            own.get(n) or Played(n, "missed", ZERO)
            for n in range(1, self.rounds + 1)
            if (n, player) not in self._pending and not (n in own and _was_played(own[n]))
        ]

    def game_win_share(self, player: PlayerId) -> Fraction:
        """Game points (3 for a win, 1 for a draw) / 3 per game, never below the floor; a bye is games won."""
        if player not in self._gw:
            games = [p.games for p in self.histories[player].played]
            won, drawn = sum(g[0] for g in games), sum(g[2] for g in games)
            played = sum(map(sum, games))
            self._gw[player] = self._share(Fraction(3 * won + drawn), Fraction(3 * played))
        return self._gw[player]

    def opponents_match_win(self, player: PlayerId) -> Fraction:
        if player not in self._omw:
            self._omw[player] = omw(player, self, ()).value
        return self._omw[player]

    def _share(self, got: Fraction, possible: Fraction) -> Fraction:
        share = got / possible if possible else ZERO
        return max(share, self.tournament.floor)

    def forget(self, players: Sequence[PlayerId]) -> None:
        """Drop the cached shares of these players after a changed result."""
        self._pending = None
        for player in players:
            for values in (self._mw, self._gw, self._omw, self._as_opponent):
                values.pop(player, None)


_MATCH_WORTH = {"win": "win", "bye": "win", "draw": "draw", "loss": "loss"}


def _was_played(played: Played) -> bool:
    return played.over_the_board or played.outcome == "pod"


def is_own_choice(played: Played) -> bool:
    """A round not played because the player stayed away: missed, a half bye asked for, or a no-show."""
    return played.outcome in ("missed", "half-bye", "loss") and not played.over_the_board


Work = Callable[[PlayerId, Field, Sequence[PlayerId]], Worked]


@dataclass(frozen=True, slots=True)
class TieBreaker:
    """A tie-breaker: its id in files, how it is worked out, and what it is called.

    Every language has its name under `key` and its definition under `says_key`; one that no language knows
    is called by its own `label` and `says`."""

    id: str
    work: Work
    label: str = ""
    says: str = ""
    is_among_tied: bool = False  # computed among those still tied, so a result can also move other players
    is_of_group_only: bool = False  # defined inside a group, so it cannot compare players across groups
    is_share: bool = False  # a share or mean, which does not grow with the number of games
    is_of_opponents: bool = False  # adds up opponents' points, so that a round without one adds nothing
    is_of_match_wins: bool = False  # made of match-win shares, in which a bye is a round won
    counts: str = ""  # what it takes from a match beside its result: health, games or scores
    reach: int = 1  # how far a changed result reaches; 1: the opponents, 2: their opponents too

    @property
    def key(self) -> str:
        return f"tiebreaker_{self.id.replace('-', '_')}"

    @property
    def says_key(self) -> str:
        return f"{self.key}_says"

    def name(self, book: Phrasebook) -> str:
        return book.label(self.key, self.label or self.id)

    def definition(self, book: Phrasebook) -> str:
        return book.label(self.says_key, self.says)


TIEBREAKERS: dict[str, TieBreaker] = {}


def register(tiebreaker: TieBreaker) -> TieBreaker:
    """Add a tie-breaker: files, forms, pages and papers offer it from now on."""
    TIEBREAKERS[tiebreaker.id] = tiebreaker
    return tiebreaker


def tiebreaker(name: str, **facts: Any) -> Callable[[Work], Work]:
    """Decorator: register the function as the tie-breaker `name`."""

    def add(work: Work) -> Work:
        register(TieBreaker(name, work, **facts))
        return work

    return add


def over_opponents(
    player: PlayerId, everybody: Field, value: Callable[[PlayerId, Played], Fraction]
) -> list[Term]:
    """One term per match with an opponent; an opponent met twice counts twice."""
    return [
        Term(value(p.opponent, p), p.round, p.opponent)
        for p in everybody.histories[player].played
        if p.opponent is not None
    ]


@tiebreaker("wins-vs-tied", is_of_group_only=True)
def wins_vs_tied(player: PlayerId, everybody: Field, still_tied: Sequence[PlayerId]) -> Worked:
    """Wins over players who end on the same points, counted once over the whole group. Byes never count."""
    own = everybody.points(player)
    won = [p for p in everybody.histories[player].opponents() if p.outcome == "win"]
    return total(
        [
            Term(Fraction(1), p.round, p.opponent)
            for p in won
            if p.opponent is not None and everybody.points(p.opponent) == own
        ]
    )


@tiebreaker("head-to-head", is_among_tied=True, is_of_group_only=True)
def head_to_head(player: PlayerId, everybody: Field, still_tied: Sequence[PlayerId]) -> Worked:
    """Points against those still tied, if every one of them met every other; otherwise nothing is decided.
    The standings apply it again to those whom it leaves tied."""
    if len(still_tied) > len(everybody.histories[player].played) + 1:  # too many to have met them all
        return total([])
    group = set(still_tied)
    if any(not _has_met_all(everybody.histories[tied], group) for tied in group):
        return total([])
    return total(
        [
            Term(p.points, p.round, p.opponent)
            for p in everybody.histories[player].opponents()
            if p.opponent in group
        ]
    )


def _has_met_all(history: History, group: set[PlayerId]) -> bool:
    if len(group) > len(history.played) + 1:
        return False
    return group <= {p.opponent for p in history.opponents()} | {history.player}


def _opposition(player: PlayerId, everybody: Field) -> list[Term]:
    """The final points of each opponent. With `unplayed: dummy` a round without play has a dummy opponent who
    ends on the player's own points, and an opponent who left drew from then on (FIDE 2023); else only a
    no-show counts, with the absent opponent."""
    if everybody.tournament.unplayed != "dummy":
        return over_opponents(player, everybody, lambda opponent, _: everybody.points(opponent))
    own = everybody.points(player)
    terms = [
        Term(everybody.points_as_opponent(p.opponent), p.round, p.opponent)
        for p in everybody.histories[player].played
        if p.opponent is not None and p.over_the_board
    ]
    terms += [
        Term(own, p.round, is_dummy=True, is_own_choice=is_own_choice(p)) for p in everybody.unplayed(player)
    ]
    return sorted(terms, key=lambda term: term.round)


@tiebreaker("buchholz", is_of_opponents=True)
def buchholz(player: PlayerId, everybody: Field, still_tied: Sequence[PlayerId]) -> Worked:
    """Sum of the opponents' points (also called Solkoff)."""
    return total(_opposition(player, everybody))


@tiebreaker("median-buchholz", is_of_opponents=True)
def median_buchholz(player: PlayerId, everybody: Field, still_tied: Sequence[PlayerId]) -> Worked:
    """Buchholz without one highest and one lowest value; a bye leaves one value fewer before the cut."""
    return _without(_opposition(player, everybody), highest=1, lowest=1)


@tiebreaker("buchholz-cut-1", is_of_opponents=True)
def buchholz_cut_1(player: PlayerId, everybody: Field, still_tied: Sequence[PlayerId]) -> Worked:
    """Buchholz without one lowest value."""
    return _without(_opposition(player, everybody), lowest=1)


def _without(terms: list[Term], highest: int = 0, lowest: int = 0) -> Worked:
    if len(terms) <= highest + lowest:
        return total([], terms)
    order = sorted(
        range(len(terms)), key=lambda n: (not terms[n].is_own_choice, terms[n].value, terms[n].round)
    )
    out = set(order[:lowest] + order[len(order) - highest :])
    kept = [term for n, term in enumerate(terms) if n not in out]
    return total(kept, [terms[n] for n in sorted(out)])


@tiebreaker("sonneborn-berger", is_of_opponents=True)
def sonneborn_berger(player: PlayerId, everybody: Field, still_tied: Sequence[PlayerId]) -> Worked:
    """Points of the opponents beaten, plus half the points of those drawn with; of dummies by the points that
    the round brought."""
    is_dummy = everybody.tournament.unplayed == "dummy"
    part = {"win": Fraction(1), "draw": Fraction(1, 2)}
    terms = [
        Term(everybody.points_as_opponent(p.opponent) * part[p.outcome], p.round, p.opponent)
        for p in everybody.histories[player].played
        if p.opponent is not None and p.outcome in part and (p.over_the_board or not is_dummy)
    ]
    if is_dummy:
        own, s = everybody.points(player), everybody.tournament.scoring
        rounds = [(p, p.points >= s.win) for p in everybody.unplayed(player) if p.points > 0]
        terms += [Term(own if is_win else own / 2, p.round, is_dummy=True) for p, is_win in rounds]
    return total(sorted(terms, key=lambda term: term.round))


@tiebreaker("omw", is_share=True, is_of_match_wins=True)
def omw(player: PlayerId, everybody: Field, still_tied: Sequence[PlayerId]) -> Worked:
    """Mean of the opponents' match-win shares; byes have no opponent."""
    return mean(over_opponents(player, everybody, lambda opponent, _: everybody.match_win_share(opponent)))


@tiebreaker("gw", is_share=True, counts="games")
def gw(player: PlayerId, everybody: Field, still_tied: Sequence[PlayerId]) -> Worked:
    """The player's own game-win share, with the floor (published standings show it so)."""
    played = everybody.histories[player].played
    terms = [Term(Fraction(3 * p.games[0] + p.games[2]), p.round, p.opponent) for p in played]
    games = sum(sum(p.games) for p in played)
    share = everybody.game_win_share(player)
    return Worked(share, terms, (), 3 * games, share * 3 * games != sum(t.value for t in terms))


@tiebreaker("ogw", is_share=True, counts="games")
def ogw(player: PlayerId, everybody: Field, still_tied: Sequence[PlayerId]) -> Worked:
    """Mean of the opponents' game-win shares."""
    return mean(over_opponents(player, everybody, lambda opponent, _: everybody.game_win_share(opponent)))


@tiebreaker("oomw", is_share=True, is_of_match_wins=True, reach=2)
def oomw(player: PlayerId, everybody: Field, still_tied: Sequence[PlayerId]) -> Worked:
    """Mean of the opponents' OMW."""
    return mean(
        over_opponents(player, everybody, lambda opponent, _: everybody.opponents_match_win(opponent))
    )


@tiebreaker("health-diff", counts="health")
def health_diff(player: PlayerId, everybody: Field, still_tied: Sequence[PlayerId]) -> Worked:
    """Own minus opposing health over the games played; below 0 counts as 0, byes and no-shows do not."""
    return total(
        [
            Term(Fraction(max(p.health[0], 0) - max(p.health[1], 0)), p.round, p.opponent)
            for p in everybody.histories[player].played
            if p.health
        ]
    )


@tiebreaker("health-total", counts="health")
def health_total(player: PlayerId, everybody: Field, still_tied: Sequence[PlayerId]) -> Worked:
    """Own remaining health over the games played. A bye brings none: our assumption, no source says."""
    return total(
        [
            Term(Fraction(max(p.health[0], 0)), p.round, p.opponent)
            for p in everybody.histories[player].played
            if p.health
        ]
    )


@tiebreaker("cumulative")
def cumulative(player: PlayerId, everybody: Field, still_tied: Sequence[PlayerId]) -> Worked:
    """Sum of the running totals after each round the player was in: early wins weigh more. With
    `unplayed: dummy` the rounds after a drop count too, as FIDE adds up every round of the event."""
    own = everybody.histories[player].played
    if everybody.tournament.unplayed == "dummy":
        seen = {p.round for p in own}
        own = sorted([*own, *(p for p in everybody.unplayed(player) if p.round not in seen)])
    running, terms = ZERO, []
    for p in own:
        running += p.points
        terms.append(Term(running, p.round))
    return total(terms)


@tiebreaker("table-wins")
def table_wins(player: PlayerId, everybody: Field, still_tied: Sequence[PlayerId]) -> Worked:
    """Pods: first places; one shared by k players counts 1/k for each."""
    return total([Term(p.place_share, p.round) for p in _pods(player, everybody)])


@tiebreaker("share-sum", counts="scores")
def share_sum(player: PlayerId, everybody: Field, still_tied: Sequence[PlayerId]) -> Worked:
    """Pods: own score x table size / table total, summed over the games."""
    return total([Term(p.score_share, p.round) for p in _pods(player, everybody)])


@tiebreaker("score-total", counts="scores")
def score_total(player: PlayerId, everybody: Field, still_tied: Sequence[PlayerId]) -> Worked:
    """Pods: sum of the own scores."""
    return total([Term(p.score, p.round) for p in _pods(player, everybody)])


def _pods(player: PlayerId, everybody: Field) -> list[Played]:
    return [p for p in everybody.histories[player].played if p.outcome == "pod"]
