"""The ranking of an event: the one answer for pages, papers, files, spreadsheets and the API."""

from __future__ import annotations

from collections.abc import Hashable

from judge.core.errors import fail
from judge.tournament.across_groups import across_groups
from judge.tournament.formats import format_of
from judge.tournament.model import PlayerId, Tournament
from judge.tournament.standings import Standing
from judge.tournament.tiebreaks import Worked


def rank(tournament: Tournament, after: int | None = None) -> list[Standing]:
    """Everybody's place after round `after` (all rounds if not given), by the event's format: places of a
    bracket, ranks inside each group, else points and tie-breakers."""
    if after is not None and not 0 <= after <= len(tournament.rounds):
        raise fail("rounds", "tournament_no_such_round", round=after, n=len(tournament.rounds))
    return format_of(tournament).rank(tournament, after)


def explain(tournament: Tournament, player: PlayerId, after: int | None = None) -> dict[str, Worked]:
    """Each tie-breaker of one player with its arithmetic."""
    return format_of(tournament).explain(tournament, player, after)


def in_order_of_going_on(tournament: Tournament) -> list[tuple[Hashable, Standing]]:
    """Everybody, best first, each with a rating; tied players have the same rating."""
    if format_of(tournament).has_groups:
        return [*across_groups(tournament)]
    return [(line.rank, line) for line in rank(tournament)]
