"""What earlier rounds of pods have seen: who met whom, who sat at a small table, who sat in which seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from judge.tournament.model import Match, PlayerId, Tournament


def pods_in(t: Tournament) -> Iterator[Match]:
    return (m for matches in t.rounds for m in matches if m.seats or m.scores is not None)


def meetings(t: Tournament) -> Counter[frozenset[PlayerId]]:
    """How often each two players have sat at the same table."""
    times_met: Counter[frozenset[PlayerId]] = Counter()
    for match in pods_in(t):
        times_met.update(map(frozenset, combinations(match.players, 2)))
    return times_met


def small_tables(t: Tournament) -> Counter[PlayerId]:
    """How often each player has sat at a table smaller than others of its round."""
    times_small: Counter[PlayerId] = Counter()
    for matches in t.rounds:
        pods = [m.players for m in matches if m.seats or m.scores is not None]
        biggest = max(map(len, pods), default=0)
        times_small.update(p for players in pods if len(players) < biggest for p in players)
    return times_small


def seats_taken(t: Tournament) -> Counter[tuple[PlayerId, int]]:
    """How often each player has sat first, second, third ... at a table."""
    return Counter((player, seat) for match in pods_in(t) for seat, player in enumerate(match.players))
