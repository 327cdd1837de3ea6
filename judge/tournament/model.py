"""What a tournament is: entrants, rounds of matches, and the settings that standings and pairings read.

Values only. Reading and checking files is the schema's work; everything here is taken to be consistent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Literal, NewType

PlayerId = NewType("PlayerId", str)

Kind = Literal["swiss", "single-elimination", "double-elimination", "round-robin", "groups", "pods"]
KINDS: tuple[Kind, ...] = (
    "swiss", "single-elimination", "double-elimination", "round-robin", "groups", "pods",
)  # fmt: skip
ELIMINATION: tuple[Kind, ...] = ("single-elimination", "double-elimination")
Pattern = Literal["slide", "fold", "adjacent", "random"]
PATTERNS: tuple[Pattern, ...] = ("slide", "fold", "adjacent", "random")
GrandFinal = Literal["reset", "single", "skip"]
GRAND_FINALS: tuple[GrandFinal, ...] = ("reset", "single", "skip")
Counts = Literal["scores", "places"]
COUNTS: tuple[Counts, ...] = ("scores", "places")
USUAL_SIZE = 4  # of a group (store Lockout) and of a pod (UK Games Expo, Dice Forge)
SMALLEST_TABLE = 3  # of a pod; with two it would be a match


class Result(StrEnum):
    A = "a"
    B = "b"
    DRAW = "draw"
    BYE = "bye"
    NO_SHOW_A = "no_show_a"
    NO_SHOW_B = "no_show_b"
    DOUBLE_LOSS = "double_loss"
    MISSED = "missed"


ALONE = frozenset({Result.BYE, Result.MISSED})


@dataclass(frozen=True, slots=True)
class Entrant:
    id: PlayerId
    name: str
    club: str | None = None
    seed: int | None = None
    table: int | None = None
    heroes: tuple[str, ...] = ()
    given_id: bool = False
    group: int | None = None

    @property
    def is_plain(self) -> bool:
        """Nothing is known but the name."""
        return not (self.given_id or self.club or self.seed or self.table or self.heroes or self.group)


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
    scores: Mapping[PlayerId, Fraction] | None = None
    seats: tuple[PlayerId, ...] = ()

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
class Scoring:
    win: Fraction = Fraction(3)
    draw: Fraction = Fraction(1)
    loss: Fraction = Fraction(0)
    bye: Fraction = Fraction(3)


@dataclass(frozen=True, slots=True)
class Format:
    kind: Kind = "swiss"
    rounds: int | None = None
    pattern: Pattern | None = None
    third_place: bool = False
    grand_final: GrandFinal = "reset"
    groups: int | None = None  # how many; without it as many as `group_size` needs
    group_size: int | None = None
    pod_size: int | None = None
    counts: Counts = "scores"  # pods: whether a table's scores stand for places only


# Dice Throne's published order.
DEFAULT_TIEBREAKERS = ("wins-vs-tied", "median-buchholz", "health-diff")
POD_TIEBREAKERS = ("table-wins", "share-sum", "score-total")
DEFAULT_FLOOR = Fraction(33, 100)


def usual_tiebreakers(shape: Format) -> tuple[str, ...]:
    """What an event of this format uses that names none."""
    if shape.kind == "pods":  # those of matches of two would all be 0
        return POD_TIEBREAKERS[:1] if shape.counts == "places" else POD_TIEBREAKERS
    return () if shape.kind in ELIMINATION else DEFAULT_TIEBREAKERS


@dataclass(frozen=True)
class Tournament:
    name: str = ""
    game: str = "other"
    preset: str | None = None
    format: Format = Format()
    scoring: Scoring = Scoring()
    best_of: int = 1
    floor: Fraction = DEFAULT_FLOOR
    tiebreakers: tuple[str, ...] = DEFAULT_TIEBREAKERS
    entrants: tuple[Entrant, ...] = ()
    drops: Mapping[PlayerId, int] = field(default_factory=dict)
    late: Mapping[PlayerId, int] = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    place_points: Mapping[int, tuple[Fraction, ...]] = field(default_factory=dict)
    forbidden: tuple[tuple[PlayerId, PlayerId], ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)  # the settings as the file wrote them
    labels: Mapping[PlayerId, str] = field(
        default_factory=dict
    )  # what the file calls a player, if not the id

    def label(self, player: PlayerId) -> str:
        return self.labels.get(player, player)

    def active(self, round_number: int) -> list[Entrant]:
        """Who takes part in that round: entered by then and not dropped before it."""
        return [
            e
            for e in self.entrants
            if self.late.get(e.id, 1) <= round_number and self.drops.get(e.id, round_number) >= round_number
        ]

    def first_missing_result(self) -> tuple[int, int] | None:
        """Round and table, counted from 1, of the first match still being played."""
        for r, matches in enumerate(self.rounds, start=1):
            for m, match in enumerate(matches, start=1):
                if not match.is_finished:
                    return r, m
        return None
