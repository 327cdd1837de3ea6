"""The dataclasses of a tournament: entrants, rounds of matches, and the settings for standings and pairings.

Values only. The schemas read and check files; everything here is assumed to be consistent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from fractions import Fraction
from itertools import count
from typing import Any, Literal, NewType

PlayerId = NewType("PlayerId", str)

Pattern = Literal["slide", "fold", "adjacent", "random"]
PATTERNS: tuple[Pattern, ...] = ("slide", "fold", "adjacent", "random")
GrandFinal = Literal["reset", "single", "skip"]
GRAND_FINALS: tuple[GrandFinal, ...] = ("reset", "single", "skip")
Counts = Literal["scores", "places"]
COUNTS: tuple[Counts, ...] = ("scores", "places")
Per = Literal["match", "game"]
PER: tuple[Per, ...] = ("match", "game")
Unplayed = Literal["left-out", "dummy"]
UNPLAYED: tuple[Unplayed, ...] = ("left-out", "dummy")
DropPolicy = Literal["annul", "forfeit"]
DROP_POLICIES: tuple[DropPolicy, ...] = ("annul", "forfeit")
USUAL_SIZE = 4  # of a group (store Lockout) and of a pod (UK Games Expo, Dice Forge)
SMALLEST_TABLE = 3  # of a pod; with two it would be a match


Side = Literal["a", "b"]
Outcome = Literal["win", "loss", "draw", "bye", "half-bye", "missed", "pod"]  # of one player in one round


class Result(StrEnum):
    """How a match ended. Every consequence of a result is declared here, once."""

    A = "a"
    B = "b"
    DRAW = "draw"
    BYE = "bye"
    NO_SHOW_A = "no_show_a"
    NO_SHOW_B = "no_show_b"
    DOUBLE_LOSS = "double_loss"
    MISSED = "missed"

    @property
    def outcomes(self) -> tuple[Outcome, Outcome | None]:
        """The outcome for a and for b; None for b if a is alone."""
        return _OUTCOMES[self]

    @property
    def is_alone(self) -> bool:
        """Whether there is no opponent."""
        return self.outcomes[1] is None

    @property
    def is_played(self) -> bool:
        """Whether both players played the match, so that health counts."""
        return self in _PLAYED


_OUTCOMES: dict[str, tuple[Outcome, Outcome | None]] = {
    Result.A: ("win", "loss"),
    Result.B: ("loss", "win"),
    Result.DRAW: ("draw", "draw"),
    Result.BYE: ("bye", None),
    Result.NO_SHOW_A: ("loss", "win"),
    Result.NO_SHOW_B: ("win", "loss"),
    Result.DOUBLE_LOSS: ("loss", "loss"),
    Result.MISSED: ("missed", None),
}
_PLAYED = (Result.A, Result.B, Result.DRAW)
_TURNED: dict[str, Result] = {
    Result.A: Result.B,
    Result.B: Result.A,
    Result.NO_SHOW_A: Result.NO_SHOW_B,
    Result.NO_SHOW_B: Result.NO_SHOW_A,
}
_WINNERS: dict[str, Side] = {
    result: "a" if outcomes[0] == "win" else "b"
    for result, outcomes in _OUTCOMES.items()
    if "win" in outcomes
}


How = Literal["intentional-draw", "concession"]
# How a result came about other than by play, and the results that fit.
HOWS: dict[How, tuple[Result, ...]] = {
    "intentional-draw": (Result.DRAW,), "concession": (Result.A, Result.B),
}  # fmt: skip


def winner(result: str | None) -> Side | None:
    """The winner over an opponent, by play or no-show; None for a draw, a double loss, a bye or a pod."""
    return _WINNERS.get(result or "")


def turned(result: str) -> str:
    """The same result with a and b exchanged."""
    return _TURNED.get(result, result)


def outcome_for(result: str | None, side: Side) -> Outcome | None:
    """The outcome of a result for one side; None while the match is being played."""
    of_a, of_b = _OUTCOMES.get(result or "", (None, None))
    return of_a if side == "a" else of_b


@dataclass(frozen=True, slots=True)
class Member:
    """One person of a team."""

    name: str
    heroes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player, or a team with its members."""

    id: PlayerId
    name: str
    club: str | None = None
    seed: int | None = None
    table: int | None = None
    heroes: tuple[str, ...] = ()
    given_id: bool = False
    group: int | None = None
    members: tuple[Member, ...] = ()
    file_id: str | None = None  # the id in files, where it is another than the engine's

    @property
    def id_in_files(self) -> str:
        return self.file_id or self.id

    @property
    def is_plain(self) -> bool:
        """Whether nothing but the name is known."""
        facts = (self.given_id, self.club, self.seed, self.table, self.heroes, self.group, self.members)
        return not any(facts)

    def is_called(self, name: str) -> bool:
        """Whether the entrant, or a member of the team, has this name or id."""
        return name in (self.id, self.name) or any(member.name == name for member in self.members)


@dataclass(frozen=True, slots=True)
class Selection:
    """Bans and picks before a match, by side, and the dice thrown for who bans and who starts."""

    ban_rolls: tuple[tuple[int, int], ...] = ()
    ban_first: Side | None = None
    bans: Mapping[Side, tuple[str, ...]] = field(default_factory=dict)
    start_rolls: tuple[tuple[int, int], ...] = ()
    first: Side | None = None  # by the dice, so pairings need not balance it
    picks: Mapping[Side, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Match:
    """`a` against `b`; or `a` alone (bye, missed); or a pod: `seats`, and `scores` once it is over.

    No result and no scores: still being played."""

    a: PlayerId | None = None
    b: PlayerId | None = None
    result: Result | None = None
    health: tuple[int, int] | None = None
    games: tuple[int, int, int] | None = None
    table: int | None = None
    first: Literal["a", "b"] | None = None
    how: How | None = None  # None: played out
    scores: Mapping[PlayerId, Fraction] | None = None
    seats: tuple[PlayerId, ...] = ()
    selection: Selection | None = None

    @property
    def players(self) -> tuple[PlayerId, ...]:
        if self.scores is not None:
            return tuple(self.scores)
        if self.seats:
            return self.seats
        return tuple(p for p in (self.a, self.b) if p is not None)

    @property
    def is_finished(self) -> bool:
        return self.result is not None or self.scores is not None


Round = tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class Penalty:
    """A penalty as the desk keeps it; what it changes is in the results. Rounds count through the stages."""

    player: PlayerId
    infraction: str
    penalty: str
    round: int | None = None
    remedy: str = ""
    note: str = ""
    by: str = ""
    at: str = ""  # a moment, as the desk writes it


@dataclass(frozen=True, slots=True)
class Scoring:
    win: Fraction = Fraction(3)
    draw: Fraction = Fraction(1)
    loss: Fraction = Fraction(0)
    bye: Fraction = Fraction(3)
    half_bye: Fraction | None = None  # without it as much as a draw
    per: Per = "match"  # whether the points are those of a match or of each of its games

    @property
    def worth_of_half_bye(self) -> Fraction:
        return self.draw if self.half_bye is None else self.half_bye


@dataclass(frozen=True, slots=True)
class ClubRule:
    """How club mates are kept apart: in the first `rounds` (all if not given); `is_hard`: they never meet."""

    rounds: int | None = None
    is_hard: bool = False

    def holds_in(self, round_number: int) -> bool:
        return self.rounds is None or round_number <= self.rounds


@dataclass(frozen=True, slots=True)
class TableNumbers:
    """Which table numbers are used: those of the ranges (all if there are none), without the skipped ones."""

    ranges: tuple[tuple[int, int], ...] = ()
    skip: frozenset[int] = frozenset()

    def __contains__(self, number: int) -> bool:
        in_range = not self.ranges or any(low <= number <= high for low, high in self.ranges)
        return in_range and number not in self.skip

    def __iter__(self) -> Iterator[int]:
        """The usable numbers, range by range; if those are too few, they go on above the highest."""
        for low, high in self.ranges:
            yield from (n for n in range(low, high + 1) if n not in self.skip)
        beyond = 1 + max((high for _, high in self.ranges), default=0)
        yield from (n for n in count(beyond) if n not in self.skip)


@dataclass(frozen=True, slots=True)
class Format:
    kind: str  # the id of a format kind (formats.py)
    rounds: int | None = None
    pattern: Pattern | None = None
    patterns: tuple[tuple[int, Pattern], ...] = ()  # of single rounds; number 0 stands for the last one
    third_place: bool = False
    grand_final: GrandFinal = "reset"
    groups: int | None = None  # how many; without it as many as `group_size` needs
    group_size: int | None = None
    pod_size: int | None = None
    counts: Counts = "scores"  # pods: whether a table's scores stand for places only
    repeat_weight: int | None = None  # pods: what a repeated meeting costs; a step of points costs 2
    cycles: int = 1  # round robin and groups: how often everybody meets
    until_wins: int | None = None  # Swiss: with so many wins a player is through and plays no more
    until_losses: int | None = None  # with so many losses a player is out; as many as wins if not given

    def pattern_in(self, round_number: int) -> Pattern:
        """The pattern of one round: its own, that of the last round, or the event's."""
        own = dict(self.patterns)
        last = own.get(0) if round_number == self.rounds else None
        return own.get(round_number) or last or self.pattern or "slide"


# Dice Throne's published order.
DEFAULT_TIEBREAKERS = ("wins-vs-tied", "median-buchholz", "health-diff")
DEFAULT_FLOOR = Fraction(33, 100)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The settings that pairing and standings read."""

    format: Format
    scoring: Scoring
    best_of: int
    floor: Fraction
    tiebreakers: tuple[str, ...]
    place_points: Mapping[int, tuple[Fraction, ...]]
    byes_in_omw: bool = True
    unplayed: Unplayed = "left-out"
    drop_policy: DropPolicy = "annul"
    clubs: ClubRule = ClubRule()
    tables: TableNumbers = TableNumbers()

    def as_fields(self) -> dict[str, Any]:
        """These settings as fields of a tournament."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


ByRound = Mapping[PlayerId, tuple[int, ...]]  # rounds of each player, counted from 1


@dataclass(frozen=True, kw_only=True)
class Tournament:
    """One stage of an event, or an event of one stage."""

    name: str = ""
    game: str = "other"
    preset: str | None = None
    format: Format
    scoring: Scoring = Scoring()
    best_of: int = 1
    floor: Fraction = DEFAULT_FLOOR
    tiebreakers: tuple[str, ...] = DEFAULT_TIEBREAKERS
    entrants: tuple[Entrant, ...] = ()
    drops: Mapping[PlayerId, int] = field(default_factory=dict)
    late: Mapping[PlayerId, int] = field(default_factory=dict)
    byes: ByRound = field(default_factory=dict)  # awarded: won without play
    half_byes: ByRound = field(default_factory=dict)  # asked for: half a win without play
    absent: ByRound = field(default_factory=dict)  # missed, and back afterwards
    carried: Tournament | None = None  # the stage whose points and meetings count on
    rounds: tuple[Round, ...] = ()
    place_points: Mapping[int, tuple[Fraction, ...]] = field(default_factory=dict)
    byes_in_omw: bool = True  # whether a bye is a round won in the own match-win share
    unplayed: Unplayed = "left-out"  # whether a round without play counts as a dummy opponent (FIDE)
    drop_policy: DropPolicy = "annul"  # round robin and groups: what a drop does to the games
    clubs: ClubRule = ClubRule()
    tables: TableNumbers = TableNumbers()
    forbidden: tuple[tuple[PlayerId, PlayerId], ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)  # the settings as the file wrote them
    labels: Mapping[PlayerId, str] = field(
        default_factory=dict
    )  # what the file calls a player, if not the id

    def label(self, player: PlayerId) -> str:
        return self.labels.get(player, player)

    @property
    def rounds_before(self) -> int:
        """How many rounds were played in the stages that count on."""
        return 0 if self.carried is None else self.carried.rounds_before + len(self.carried.rounds)

    @property
    def all_rounds(self) -> tuple[Round, ...]:
        """Every round that counts, also those of the stages before."""
        return self.rounds if self.carried is None else self.carried.all_rounds + self.rounds

    def active(self, round_number: int) -> list[Entrant]:
        """Who is to be paired in that round: entered by then, not dropped before it, not excused from it."""
        away = {p for kept in self.excused for p, rounds in kept.items() if round_number in rounds}
        return [
            e
            for e in self.entrants
            if e.id not in away
            and self.late.get(e.id, 1) <= round_number
            and self.drops.get(e.id, round_number) >= round_number
        ]

    @property
    def excused(self) -> tuple[ByRound, ByRound, ByRound]:
        """The rounds in which somebody is not paired, although in the event: byes, half byes, absences."""
        return self.byes, self.half_byes, self.absent

    def awarded(self, round_number: int) -> list[PlayerId]:
        """Whose bye in that round was awarded, of those who have not dropped."""
        return [
            e.id
            for e in self.entrants
            if round_number in self.byes.get(e.id, ()) and self.drops.get(e.id, round_number) >= round_number
        ]

    def first_missing_result(self) -> tuple[int, int] | None:
        """Round and table, counted from 1, of the first match still being played."""
        for r, matches in enumerate(self.rounds, start=1):
            for m, match in enumerate(matches, start=1):
                if not match.is_finished:
                    return r, m
        return None


def labels_of(entrants: Collection[Entrant], used: Collection[str] = ()) -> dict[PlayerId, str]:
    """The players called by name instead of id: the name is unique, and `used` does not prefer the id.
    Others go by their id, or by that of the file."""
    times = Counter(e.name for e in entrants)
    ids = {e.id_in_files for e in entrants if e.given_id}
    others = {e.id: e.file_id for e in entrants if e.file_id}
    return others | {
        e.id: e.name
        for e in entrants
        if times[e.name] == 1
        and e.name != e.id
        and e.name not in ids
        and (e.id not in used or e.name in used)
    }
