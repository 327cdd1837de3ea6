"""Finished tables without health, where health breaks ties: their players would be ranked too low."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import bindparam, or_
from sqlalchemy.orm import aliased
from sqlmodel import col

from judge.services.event.event_view import AnyEvent
from judge.services.event.stage_format import kind_of, planned_stages, setting
from judge.services.play.outcomes import PLAYED
from judge.storage.events import Match, Player, Round
from judge.storage.reader import Prepared, Reader, select_columns
from judge.tournament.tiebreaks import TIEBREAKERS

_A, _B = aliased(Player), aliased(Player)
_MISSING = Prepared(
    select_columns(Match.id, Round.number, Match.table_no, _A.name, _B.name, Round.stage)
    .join(Round, col(Match.round_id) == Round.id)
    .join(_A, col(Match.a_id) == _A.id)
    .join(_B, col(Match.b_id) == _B.id)
    .where(
        Match.event_id == bindparam("event"),
        Round.state == "published",
        or_(*(col(Match.result) == result for result in PLAYED)),
        col(Match.how).is_(None),
        col(Match.health_a).is_(None),
    )
    .order_by(col(Round.number), col(Match.table_no)),
    "event",
)


class HealthMissing(NamedTuple):
    match_id: int
    round: int
    table: int | None
    a: str
    b: str
    stage: int


def counts_health(event: AnyEvent, stage: int) -> bool:
    """Whether health breaks ties in this stage; a bracket has none to break."""
    if kind_of(event, stage).has_bracket:
        return False
    return any(
        TIEBREAKERS[name].counts == "health" for name in setting(event, "tiebreakers", stage=stage) or ()
    )


def health_missing(reader: Reader, event: AnyEvent) -> list[HealthMissing]:
    counting = {stage for stage in range(1, planned_stages(event) + 1) if counts_health(event, stage)}
    rows = map(HealthMissing._make, reader.rows(_MISSING, event.id) if counting else ())
    return [row for row in rows if row.stage in counting]
