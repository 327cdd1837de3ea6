"""The cut: the players who advance from the first stage, by the standings or from each group.

Groups are compared by place first (judge/tournament/across_groups.py). The next player takes the place of one
who has dropped.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import groupby

from judge.core.messages import Message
from judge.services.event.stage_format import cut_size, kind_of, setting
from judge.services.event.tournament_of import EventRows, tournament_of
from judge.services.pairing.reasons import numbered
from judge.tournament.ranking import in_order_of_going_on
from judge.tournament.stages import seeds
from judge.tournament.standings import Standing

Rated = Sequence[tuple[Hashable, Standing]]  # equal ratings are level


def going_on(rows: EventRows) -> int | None:
    """How many players advance into the cut; None without a cut."""
    of_each = _of_each_group(rows)
    if not of_each:
        return cut_size(rows.event)
    return len(_of_groups(_standings(rows), of_each)[0]) or None


def qualified(rows: EventRows, size: int | None = None) -> tuple[list[int], list[Message]]:
    """The players who advance, by seed, and notes about ties at the edge of the cut."""
    table, of_each = _standings(rows), _of_each_group(rows)
    if of_each and size is None:
        inside, level = _of_groups(table, of_each)
    else:
        inside, level = _cut(table, size or cut_size(rows.event) or 0)
    notes = [
        Message("cut_level", names=[numbered(rows.players[int(line.player)]) for line in lines])
        for lines in level
    ]
    order = [line.player for line in inside]
    before = tournament_of(rows, name_of=numbered)
    return [int(player) for player in seeds(before, order, None)], notes


def _of_each_group(rows: EventRows) -> int:
    own = setting(rows.event, "through")
    return int(own or 0) if kind_of(rows.event, 1).has_groups else 0


def _standings(rows: EventRows) -> Rated:
    rated = in_order_of_going_on(tournament_of(rows, name_of=numbered))
    return [(key, line) for key, line in rated if rows.players[int(line.player)].state != "dropped"]


def _cut(table: Rated, size: int) -> tuple[list[Standing], list[list[Standing]]]:
    """The first `size` players, and those tied across the edge."""
    inside, outside = table[:size], table[size:]
    level = []
    if inside and outside and inside[-1][0] == outside[0][0]:
        level.append([line for key, line in table if key == inside[-1][0]])
    return [line for _, line in inside], level


def _of_groups(table: Rated, of_each: int) -> tuple[list[Standing], list[list[Standing]]]:
    """The first `of_each` players of every group, in overall order, and those tied with the last of them."""
    by_group = sorted((line for _, line in table), key=lambda line: (line.group or 0, line.rank))
    inside: set[str] = set()
    level = []
    for _, lines in groupby(by_group, key=lambda line: line.group):
        ranked = [(line.rank, line) for line in lines]
        through, tied = _cut(ranked, of_each)
        inside |= {line.player for line in through}
        level += tied
    return [line for _, line in table if line.player in inside], level
