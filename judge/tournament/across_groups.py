"""Players of different groups compared: who goes on before whom.

They are compared by place, then by points per game, so that a small group is no drawback; rests do not
count as games. Then follow the tie-breakers that mean something across groups, sums of them per game too.
That order is our assumption.
"""

from __future__ import annotations

from fractions import Fraction

from judge.tournament.groups import crossing, group_standings, settled_groups
from judge.tournament.history import ZERO, History, histories
from judge.tournament.model import Tournament
from judge.tournament.standings import Standing
from judge.tournament.tiebreaks import TIEBREAKERS

Rating = tuple[int, Fraction, tuple[Fraction, ...]]


def across_groups(t: Tournament) -> list[tuple[Rating, Standing]]:
    """Everybody in the order in which they advance: group winners first, then the seconds, and so on."""
    parts = [t] if crossing(t) else settled_groups(t)
    played = {player: history for part in parts for player, history in histories(part).items()}
    rated = [(_rating(line, played[line.player]), line) for line in group_standings(t)]
    return sorted(rated, key=lambda pair: pair[0])


def _rating(line: Standing, history: History) -> Rating:
    games = [p for p in history.played if p.opponent is not None]
    per_game = Fraction(1, max(1, len(games)))
    points = sum((p.points for p in games), ZERO)
    values = (
        -value if TIEBREAKERS[name].is_share else -value * per_game
        for name, value in line.tiebreakers.items()
        if not TIEBREAKERS[name].is_of_group_only
    )
    return line.rank, -points * per_game, tuple(values)
