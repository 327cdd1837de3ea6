"""How long an event takes: rounds with set-up and play, and the time between them.

Four rounds of 2 + 30 minutes with 10 between end after 4 × 32 + 3 × 10 = 158 minutes.
"""

from __future__ import annotations

from dataclasses import dataclass

from judge.tournament.brackets.plan import size_for
from judge.tournament.formats import FORMATS, format_of
from judge.tournament.model import Format, Tournament


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds of set-up and of play in a round, and between two rounds."""

    setup_s: int
    round_s: int
    between_s: int

    def needed(self, rounds: int) -> int:
        """Seconds from the beginning of the first of so many rounds to the end of the last."""
        if rounds < 1:
            return 0
        return rounds * (self.setup_s + self.round_s) + (rounds - 1) * self.between_s


def rounds_of(t: Tournament, players: int | None = None) -> int:
    """How many rounds a stage has, for so many players (else for those in it)."""
    kind, count = format_of(t), players or len(t.entrants)
    planned = kind.planned_rounds(t)
    return planned if planned is not None else bracket_rounds(t.format, count)


def bracket_rounds(shape: Format, players: int) -> int:
    """How many rounds a bracket takes at most: a double elimination has twice as many and the grand final."""
    if players < 2 or not FORMATS[shape.kind].has_bracket:
        return 0
    wins = size_for(players).bit_length() - 1
    is_double = "grand_final" in FORMATS[shape.kind].keys
    if not is_double or shape.grand_final == "skip":
        return wins if not is_double else max(wins, 2 * (wins - 1))
    return 2 * wins + (1 if shape.grand_final == "reset" else 0) if players > 2 else 2
