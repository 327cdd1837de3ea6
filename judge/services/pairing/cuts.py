"""Who goes on into the next stage, by the engine’s rules. Who has dropped makes room for the next."""

from __future__ import annotations

from judge.core.errors import InputError, Refused
from judge.core.messages import Message
from judge.services.event.event_rows import EventRows
from judge.services.event.stage_format import later_stage, planned_stages, take_of
from judge.services.event.tournament_of import tournament_of
from judge.services.pairing.reasons import numbered
from judge.tournament.stages import Take, going_on, seeds


def how_many_go_on(rows: EventRows, stage: int = 2) -> int | None:
    """How many players go on into this stage; None if it is not planned."""
    if stage > planned_stages(rows.event):
        return None
    take = take_of(rows.event, stage)
    if take is not None and take.top is not None:
        return take.top
    return len(qualified(rows, stage)[0]) or None


def qualified(rows: EventRows, stage: int = 2, size: int | None = None) -> tuple[list[int], list[Message]]:
    """The players who go on, by seed, and notes about ties at the edge of the cut."""
    before = tournament_of(rows, stage - 1, name_of=numbered)
    take = Take(top=size) if size else take_of(rows.event, stage)
    try:
        going, notes = going_on(before, take)
        order = seeds(before, going, later_stage(rows.event, stage).seeding)
    except InputError as error:
        raise Refused(*(problem.message for problem in error.problems)) from error
    return [int(player) for player in order], notes
