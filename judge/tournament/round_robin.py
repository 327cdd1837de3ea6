"""Round robin by the circle method: the first name stays, the others move one seat per round.

With an odd number there is one blank seat, and whoever faces it sits out. Results do not change the schedule.
A player who has dropped is left out, and their opponents sit out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from judge.core.errors import fail
from judge.core.messages import Message
from judge.tournament.brackets.elimination import seeded
from judge.tournament.model import PlayerId, Tournament
from judge.tournament.pairing import Pairing, seat

T = TypeVar("T")


def round_count(players: int) -> int:
    return players - 1 + players % 2


def round_of(players: Sequence[T], number: int) -> tuple[list[tuple[T, T]], T | None]:
    """The pairs of one round, counted from 1, and who sits out."""
    others: list[T | None] = [*players[1:], *([None] if len(players) % 2 else [])]
    cut = len(others) - (number - 1) % len(others)
    seats = [players[0], *others[cut:], *others[:cut]]
    pairs, out = [], None
    for first, second in zip(seats[: len(seats) // 2], reversed(seats), strict=False):
        if first is None or second is None:
            out = first if second is None else second
        else:
            pairs.append((first, second))
    return pairs, out


def schedule(players: Sequence[T]) -> list[tuple[list[tuple[T, T]], T | None]]:
    """Every round of the event."""
    return [round_of(players, number) for number in range(1, round_count(len(players)) + 1)]


def pair_round_robin(t: Tournament, seed: int = 0) -> Pairing:
    rounds = round_count(len(t.entrants))
    number = len(t.rounds) + 1
    if number > rounds:
        raise fail("rounds", "tournament_schedule_over", n=rounds)
    here = {e.id for e in t.active(number)}
    pairs, out = round_of(seeded(t.entrants), number)
    entrants = {e.id: e for e in t.entrants}
    why = (Message("why_schedule", round=number, n=rounds),)
    playing = [(a, b, why) for a, b in pairs if a in here and b in here]
    seated = {p for a, b, _ in playing for p in (a, b)}
    resting: list[PlayerId] = [e.id for e in t.entrants if e.id in here and e.id not in seated]
    reasons = tuple(_why_rests(t, p, out) for p in resting)
    return Pairing(number, seat(playing, entrants), tuple(resting), seed=seed, bye_why=reasons)


def _why_rests(t: Tournament, player: PlayerId, out: PlayerId | None) -> Message:
    key = "why_rest" if player == out else "why_rest_dropped"
    return Message(key, name=t.label(player))
