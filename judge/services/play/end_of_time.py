"""Time is called at a table: the equal-turns assistant with the rule of the event.

The rule is the file's `at_time`, else the preset's, else a tie.
"""

from __future__ import annotations

from judge.schemas.tournament.presets import presets
from judge.tournament.end_of_time import AtTime, EndOfTime, Seat, SimultaneousDefeat, at_time
from judge.tournament.formats import format_of
from judge.tournament.model import Tournament


def end_of_time(
    tournament: Tournament, started: Seat, turns: tuple[int, int], health: tuple[int, int]
) -> EndOfTime:
    """Who still acts, or how the game ends. `turns`: begun by a and b, the one under way included."""
    preset = presets().get(tournament.preset or "")
    rule: AtTime = tournament.given.get("at_time") or (preset.get("at_time") if preset else None) or "tie"
    needs_winner = not format_of(tournament).has_draws
    usual: SimultaneousDefeat = "fewest-turns-then-roll-off" if needs_winner else "draw"
    simultaneous: SimultaneousDefeat = preset.get("simultaneous_defeat", usual) if preset else usual
    if needs_winner and rule == "tie":
        rule = "most-health"  # a bracket cannot go on with a tie
    return at_time(started, turns, health, rule, simultaneous)
