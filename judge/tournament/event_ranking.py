"""The ranking of a whole event: the one answer for pages, papers, spreadsheets, screens and phones.

Places of the last stage come first, then those of the stage before. Points and tie-breakers stand beside each
player as the last stage that counts points left them; a line marks every cut, also one that is only planned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge.tournament.formats import format_of
from judge.tournament.model import PlayerId, Tournament
from judge.tournament.ranking import in_order_of_going_on, rank
from judge.tournament.stages import Take, going_on, is_complete, last_stage_first
from judge.tournament.standings import Standing


@dataclass(frozen=True, slots=True)
class Place:
    """A player's place. `stage` is the last one they played in; `is_above_cut`: a line is drawn below."""

    rank: int
    player: PlayerId
    stage: int
    standing: Standing
    is_above_cut: bool = False

    @property
    def group(self) -> int | None:
        return self.standing.group


@dataclass(frozen=True, slots=True)
class EventRanking:
    stages: tuple[Tournament, ...]  # those that have begun
    places: tuple[Place, ...]
    is_over: bool = False  # everything that was planned is played

    @property
    def first(self) -> Tournament:
        """The stage whose tie-breakers are shown."""
        return self.stages[0]

    @property
    def rounds(self) -> int:
        return sum(len(stage.rounds) for stage in self.stages)


def rank_event(
    stages: Sequence[Tournament], planned: int = 1, next_take: Take | None = None, after: int | None = None
) -> EventRanking:
    """The ranking of the stages that have begun, of so many planned; `next_take` says who goes on from the
    last of them. With `after` the first stage alone, as it stood after that round."""
    if len(stages) == 1 or after is not None:
        places = _of_one_stage(stages[0], next_take, after)
    else:
        places = _of_several(stages)
    is_last = len(stages) >= planned and (after is None or after == len(stages[0].rounds))
    return EventRanking(tuple(stages), tuple(places), is_last and is_complete(stages[-1]))


def _of_one_stage(stage: Tournament, take: Take | None, after: int | None) -> list[Place]:
    table = rank(stage, after)
    through = set(going_on(stage, take)[0]) if take and stage.rounds and after is None else set()
    below = [*table[1:], None]
    return [
        Place(line.rank, line.player, 1, line, line.player in through and _is_cut(line, following, through))
        for line, following in zip(table, below, strict=True)
    ]


def _is_cut(line: Standing, below: Standing | None, through: set[PlayerId]) -> bool:
    return below is not None and below.group == line.group and below.player not in through


def _of_several(stages: Sequence[Tournament]) -> list[Place]:
    order = last_stage_first([in_order_of_going_on(stage) for stage in stages])
    shown = _shown(stages)
    numbers = [*(number for number, _ in order[1:]), 0]
    return [
        Place(line.rank, line.player, number, shown.get(line.player, line), 0 < below < number)
        for (number, line), below in zip(order, numbers, strict=True)
    ]


def _shown(stages: Sequence[Tournament]) -> dict[PlayerId, Standing]:
    """Everybody's points and tie-breakers: of the last stage they played in that is no bracket."""
    shown: dict[PlayerId, Standing] = {}
    for stage in stages:
        if not format_of(stage).has_bracket or not shown:
            shown |= {line.player: line for line in rank(stage)}
    return shown
