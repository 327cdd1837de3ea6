"""What happens when time is called: who still takes a turn, and how the game then ends.

Play goes on until both have had the same number of turns. Then the event's rule applies: `tie`, or the player
with more health wins. If both fall to 0 at once, the game is a draw; in finals the player with fewer turns
wins, else a roll-off decides: one Roll Attempt, remaining cards and CP may change dice, the highest sum of
five dice wins.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from judge.core.errors import fail
from judge.core.messages import Message
from judge.tournament.model import Result

Seat = Literal["a", "b"]
AtTime = Literal["tie", "most-health"]
SimultaneousDefeat = Literal["draw", "fewest-turns-then-roll-off"]
_WINS: dict[Seat, Result] = {"a": Result.A, "b": Result.B}


@dataclass(frozen=True, slots=True)
class EndOfTime:
    """The outcome: somebody still acts, or the result stands, or a roll-off decides."""

    still_acts: Seat | None = None
    result: Result | None = None
    needs_roll_off: bool = False
    says: Message = field(default_factory=lambda: Message("time_tie"))


def at_time(
    started: Seat,
    turns: tuple[int, int],
    health: tuple[int, int],
    rule: AtTime,
    simultaneous: SimultaneousDefeat = "draw",
) -> EndOfTime:
    """`turns`: turns begun by a and by b, the one under way included and played out."""
    first, second = turns if started == "a" else turns[::-1]
    if not 0 <= second <= first <= second + 1:
        raise fail("turns", "time_turns_impossible", started=started, turns=list(turns))
    if health[0] <= 0 and health[1] <= 0:
        return _both_down(turns, simultaneous)
    if min(health) <= 0:
        winner: Seat = "a" if health[0] > 0 else "b"
        return EndOfTime(result=_WINS[winner], says=Message("time_defeat", winner=winner))
    if first > second:
        other: Seat = "b" if started == "a" else "a"
        return EndOfTime(still_acts=other, says=Message("time_one_more_turn", seat=other))
    if rule == "tie":
        return EndOfTime(result=Result.DRAW, says=Message("time_tie"))
    return _most_health(health, simultaneous)


def _both_down(turns: tuple[int, int], simultaneous: SimultaneousDefeat) -> EndOfTime:
    if simultaneous == "draw":
        return EndOfTime(result=Result.DRAW, says=Message("time_both_down"))
    if turns[0] == turns[1]:
        return EndOfTime(needs_roll_off=True, says=Message("time_roll_off"))
    winner: Seat = "a" if turns[0] < turns[1] else "b"
    return EndOfTime(result=_WINS[winner], says=Message("time_fewer_turns", winner=winner))


def _most_health(health: tuple[int, int], simultaneous: SimultaneousDefeat) -> EndOfTime:
    if health[0] != health[1]:
        winner: Seat = "a" if health[0] > health[1] else "b"
        says = Message("time_most_health", winner=winner, more=max(health), less=min(health))
        return EndOfTime(result=_WINS[winner], says=says)
    if simultaneous == "draw":
        return EndOfTime(result=Result.DRAW, says=Message("time_equal_health"))
    return EndOfTime(needs_roll_off=True, says=Message("time_roll_off"))
