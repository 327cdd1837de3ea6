"""Round robin by the circle method: the first name stays, the others move one seat per round.

With an odd number there is one blank seat, and whoever faces it sits out. Results do not change the schedule.
Sides are balanced as in Berger's tables: everybody is `a` as often as `b`, or once more or less. With an even
number the sides alternate seat by seat, so nobody has the same one more than twice running; with an odd
number the lower of two is `a` if their sum is odd, else the higher. A second cycle turns the sides.

A drop (`drop_policy`): whoever leaves before half of their games is taken out of the standings with all games
(`annul`); later, or with `forfeit` always, the games left are won by the opponents without play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from judge.core.errors import fail
from judge.core.messages import Message
from judge.tournament.brackets.elimination import seeded
from judge.tournament.model import Match, PlayerId, Result, Tournament
from judge.tournament.pairing import Pairing, seat

T = TypeVar("T")


# -- the schedule -------------------------------------------------------------------------------------------


def round_count(players: int, cycles: int = 1) -> int:
    return cycles * (players - 1 + players % 2)


def round_of(players: Sequence[T], number: int) -> tuple[list[tuple[T, T]], T | None]:
    """The pairs of one round, counted from 1, and who sits out. Rounds beyond the first cycle begin anew."""
    cycle, turn = divmod(number - 1, round_count(len(players)))
    others: list[int | None] = [*range(1, len(players)), *([None] if len(players) % 2 else [])]
    cut = len(others) - turn % len(others)
    seats = [0, *others[cut:], *others[:cut]]
    pairs: list[tuple[T, T]] = []
    out = None
    for seat_number, first in enumerate(seats[: len(seats) // 2]):
        second = seats[-1 - seat_number]
        if first is None or second is None:
            out = first if second is None else second
            continue
        if len(players) % 2:
            is_first = (first + second) % 2 == (first < second)
        else:
            is_first = seat_number % 2 == 1 if seat_number else turn % 2 == 0
        is_first ^= cycle % 2 == 1
        pairs.append((players[first], players[second]) if is_first else (players[second], players[first]))
    return pairs, None if out is None else players[out]


def schedule(players: Sequence[T], cycles: int = 1) -> list[tuple[list[tuple[T, T]], T | None]]:
    """Every round of the event."""
    return [round_of(players, number) for number in range(1, round_count(len(players), cycles) + 1)]


# -- a player drops -----------------------------------------------------------------------------------------


def is_annulled(t: Tournament, player: PlayerId) -> bool:
    """Whether a player has dropped before half of the games, so that none of them count."""
    if t.drop_policy != "annul" or player not in t.drops:
        return False
    played = sum(player in m.players and m.b is not None for matches in t.rounds for m in matches)
    return 2 * played < t.format.cycles * (len(t.entrants) - 1)


def settled(t: Tournament) -> Tournament:
    """The event as its standings see it after drops: without the games of the annulled, with the games that
    others leave as forfeits, and without the rests that only a drop has made."""
    gone = [e.id for e in t.entrants if e.id in t.drops]
    if not gone:
        return t
    annulled = {player for player in gone if is_annulled(t, player)}
    rests = t.format.cycles * (len(t.entrants) % 2) if not t.late else len(t.rounds)
    rounds: list[list[Match]] = []
    rested: Counter[PlayerId] = Counter()
    for matches in t.rounds:
        kept = [m for m in matches if not annulled & set(m.players)]
        rested.update(m.players[0] for m in kept if m.result is Result.BYE)
        rounds.append([m for m in kept if m.result is not Result.BYE or rested[m.players[0]] <= rests])
    for player in gone:
        if player not in annulled and rounds:
            rounds[min(t.drops[player], len(rounds) - 1)] += _forfeits(t, player, annulled)
    return replace(t, rounds=tuple(map(tuple, rounds)))


def _forfeits(t: Tournament, gone: PlayerId, annulled: set[PlayerId]) -> list[Match]:
    """The games that a player who has dropped leaves to others. Of two who are gone, neither wins."""
    met = Counter(p for matches in t.rounds for m in matches if gone in m.players for p in m.players)
    return [
        Match(a=entrant.id, b=gone, result=Result.NO_SHOW_B)
        for entrant in t.entrants
        if entrant.id != gone and entrant.id not in annulled and entrant.id not in t.drops
        for _ in range(t.format.cycles - met[entrant.id])
    ]


# -- pairing ------------------------------------------------------------------------------------------------


def pair_round_robin(t: Tournament, seed: int = 0) -> Pairing:
    rounds = round_count(len(t.entrants), t.format.cycles)
    number = len(t.rounds) + 1
    if number > rounds:
        raise fail("rounds", "tournament_schedule_over", n=rounds)
    here = {e.id for e in t.active(number)}
    pairs, _ = round_of(seeded(t.entrants), number)
    why = (Message("why_schedule", round=number, n=rounds, cycles=t.format.cycles),)
    playing = [(a, b, why) for a, b in pairs if a in here and b in here]
    seated = {p for a, b, _ in playing for p in (a, b)}
    resting: list[PlayerId] = [e.id for e in t.entrants if e.id in here and e.id not in seated]
    opponents = dict(_both_ways(pairs))
    reasons = tuple(_why_rests(t, p, opponents.get(p)) for p in resting)
    planned = t.format.rounds or rounds
    notes = (Message("note_rounds_over", n=planned, round=number),) if number > planned else ()
    return Pairing(number, seat(playing, t), tuple(resting), seed=seed, bye_why=reasons, notes=notes)


def _both_ways(pairs: list[tuple[PlayerId, PlayerId]]) -> list[tuple[PlayerId, PlayerId]]:
    return pairs + [(b, a) for a, b in pairs]


def _why_rests(t: Tournament, player: PlayerId, opponent: PlayerId | None) -> Message:
    if opponent is None:
        return Message("why_rest", name=t.label(player))
    if opponent not in t.drops:
        return Message("why_rest_absent", name=t.label(player), opponent=t.label(opponent))
    key = "why_rest_annulled" if is_annulled(t, opponent) else "why_rest_forfeit"
    return Message(key, name=t.label(player), opponent=t.label(opponent))
