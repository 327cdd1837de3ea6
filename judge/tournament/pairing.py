"""What a paired round is, whoever paired it: tables with their reasons, byes, and what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from judge.core.messages import Message
from judge.tournament.model import Entrant, PlayerId


@dataclass(frozen=True, slots=True)
class Table:
    number: int
    a: PlayerId
    b: PlayerId
    why: tuple[Message, ...] = ()


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


def seat(
    pairs: Sequence[tuple[PlayerId, PlayerId, tuple[Message, ...]]], entrants: dict[PlayerId, Entrant]
) -> tuple[Table, ...]:
    """Number the tables in the order given, keeping fixed tables for the players who need them."""
    fixed: dict[int, int] = {}
    notes: dict[int, Message] = {}
    for n, (a, b, _) in enumerate(pairs):
        for player in (a, b):
            wanted = entrants[player].table
            if wanted is None:
                continue
            if wanted in fixed.values() or n in fixed:
                notes.setdefault(n, Message("why_table_taken", name=entrants[player].name, table=wanted))
                continue
            fixed[n] = wanted
            notes[n] = Message("why_table_fixed", name=entrants[player].name, table=wanted)
    free = iter(k for k in range(1, len(pairs) + len(fixed) + 1) if k not in fixed.values())
    tables = [
        Table(fixed[n] if n in fixed else next(free), a, b, (*why, *([notes[n]] if n in notes else [])))
        for n, (a, b, why) in enumerate(pairs)
    ]
    return tuple(sorted(tables, key=lambda table: table.number))
