"""A paired round, whichever format paired it: tables with their reasons, byes, and the cost."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from judge.core.messages import Message
from judge.tournament.model import SMALLEST_TABLE, Entrant, PlayerId, Tournament


@dataclass(frozen=True, slots=True)
class Table:
    number: int
    a: PlayerId
    b: PlayerId
    why: tuple[Message, ...] = ()
    more: tuple[PlayerId, ...] = ()  # a pod's third seat and those after it

    @property
    def players(self) -> tuple[PlayerId, ...]:
        return self.a, self.b, *self.more


@dataclass(frozen=True, slots=True)
class Cost:
    rematches: int = 0
    repeat_byes: int = 0
    score_gap: Fraction = Fraction(0)  # sum over tables of the squared difference in points
    floats: int = 0  # tables whose players differ in points


@dataclass(frozen=True, slots=True)
class Pairing:
    """`is_optimal`: no other pairing of this round has a lower cost, and that is proven."""

    round: int
    tables: tuple[Table, ...]
    byes: tuple[PlayerId, ...] = ()
    cost: Cost = Cost()
    is_optimal: bool = True
    seed: int = 0
    bye_why: tuple[Message, ...] = ()
    notes: tuple[Message, ...] = ()


Tables = Sequence[tuple[tuple[PlayerId, ...], tuple[Message, ...]]]


def seat(
    pairs: Sequence[tuple[PlayerId, PlayerId, tuple[Message, ...]]], tournament: Tournament
) -> tuple[Table, ...]:
    """Number the tables in the order given, keeping fixed tables for the players who need them."""
    return seat_all([((a, b), why) for a, b, why in pairs], tournament)


def seat_all(
    seated: Tables, tournament: Tournament, used: Collection[int] = frozenset()
) -> tuple[Table, ...]:
    """The same for tables of any size. Only numbers the hall has are given, and none that is `used`; a table
    that a player needs may lie outside the hall's ranges."""
    entrants = {e.id: e for e in tournament.entrants}
    fixed, notes = _fixed(seated, entrants, used)
    free = (n for n in tournament.tables if n not in fixed.values() and n not in used)
    tables = [
        Table(
            fixed[n] if n in fixed else next(free), players[0], players[1],
            (*why, *([notes[n]] if n in notes else [])), players[2:],
        )
        for n, (players, why) in enumerate(seated)
    ]  # fmt: skip
    return tuple(sorted(tables, key=lambda table: table.number))


def _fixed(
    seated: Tables, entrants: Mapping[PlayerId, Entrant], used: Collection[int]
) -> tuple[dict[int, int], dict[int, Message]]:
    """The tables that players need, and what is told about each."""
    fixed: dict[int, int] = {}
    notes: dict[int, Message] = {}
    for n, (players, _) in enumerate(seated):
        for player in players:
            wanted = entrants[player].table
            if wanted is None:
                continue
            if wanted in fixed.values() or wanted in used or n in fixed:
                notes.setdefault(n, Message("why_table_taken", name=entrants[player].name, table=wanted))
                continue
            fixed[n] = wanted
            notes[n] = Message("why_table_fixed", name=entrants[player].name, table=wanted)
    return fixed, notes


def split(players: int, size: int) -> list[int]:
    """Table sizes for this many players: three to `size` each, as even as possible, biggest first.

    Empty if there is no such split (five players at tables of four)."""
    for parts in range(-(-players // size), 0, -1):
        small, bigger = divmod(players, parts)
        if small + bool(bigger) > max(size, SMALLEST_TABLE + 1):
            break
        if small >= SMALLEST_TABLE:
            return [small + 1] * bigger + [small] * (parts - bigger)
    return []
