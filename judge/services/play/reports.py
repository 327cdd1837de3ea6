"""Players report their own result: by their private link or at the table's code. Two equal reports are the
result; two different ones wait for the staff, who see both.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any, Literal

from sqlmodel import Session, select

from judge.core.errors import Conflict, Refused
from judge.core.messages import Message
from judge.services.event.event_view import AnyEvent
from judge.services.event.stage_format import pod_counts
from judge.services.log.changes import Actor, Change, changing, hold, unchanged
from judge.services.play.outcomes import Outcome, describe, outcome_of, write
from judge.services.play.results import check_outcome, get_match, names_of
from judge.storage.events import Match, Player, Round, sits_at

Side = str  # the seat: a, b, and in a pod c, d ...
SEATS = "abcdef"
Settled = Literal["settled", "waiting", "disputed"]


def report(
    session: Session,
    event: AnyEvent,
    match_id: int,
    side: Side,
    outcome: Outcome,
    now: datetime,
    *,
    is_sure: bool = False,
) -> Change[Settled]:
    """One side says how it ended. Whoever reports again replaces their own report."""
    event = hold(session, event)
    match, round_ = get_match(session, event, match_id)
    if round_.state != "published" or match.b_id is None:
        raise Refused(Message("round_not_public", round=round_.number))
    names, counts = names_of(session, match), pod_counts(event, round_.stage)
    standing = outcome_of(match)
    if standing is not None:
        if standing == outcome:
            return unchanged("result.reported", match).giving("settled")
        raise Conflict(Message("report_too_late", now=describe(names, standing, counts)))
    check_outcome(event, round_.stage, outcome, is_sure, len(names))
    said = {**match.reports, side: {**asdict(outcome), "at": now.isoformat()}}
    agreed = len(said) > 1 and len({report_of(said, one) for one in said}) == 1
    actor = Actor(names[SEATS.index(side)][:200])
    what = "result.agreed" if agreed else "result.reported"
    with changing(session, event, actor, what, match) as recording:
        match.reports = said
        if agreed:
            write(match, outcome)
    settled: Settled = "settled" if agreed else "disputed" if len(said) > 1 else "waiting"
    return recording.change.giving(settled)


def report_of(reports: dict[str, Any], side: str) -> Outcome | None:
    kept = reports.get(side)
    if kept is None:
        return None
    games, scores = (None if kept.get(key) is None else tuple(kept[key]) for key in ("games", "scores"))
    return Outcome(kept["result"], kept["how"], kept["health_a"], kept["health_b"], games or None, scores)


def match_to_report(session: Session, player: Player) -> Match | None:
    """The match this player is in now: the newest published one, an open one before a finished one."""
    found = session.exec(
        select(Match)
        .join(Round, Match.round_id == Round.id)  # type: ignore[arg-type]
        .where(
            Match.event_id == player.event_id,
            Round.state == "published",
            sits_at(player.id or 0),
        )
        .order_by(Round.number.desc())  # type: ignore[attr-defined]
    ).all()
    return next((m for m in found if m.result is None), found[0] if found else None)
