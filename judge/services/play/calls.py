"""Calls for a judge: a table makes one, a judge claims it and resolves it. A table has one open call at a
time.

The minutes of a call run from the call to its end: that is how long the table could not play, and the
extension it is offered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import and_, bindparam, func, or_
from sqlalchemy import select as sa_select  # sqlmodel types at most four columns
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from judge.core.errors import Conflict, Missing, Refused
from judge.core.messages import Message
from judge.services.event.event_view import AnyEvent
from judge.services.log.changes import Actor, Change, changing, hold, unchanged
from judge.services.play.clock import extend, seconds
from judge.storage.events import Match, Player, Round
from judge.storage.reader import Prepared, Reader, select_columns
from judge.storage.rulings import JudgeCall

OPEN = ("waiting", "claimed")
SHOWN_RESOLVED = 8
LONGEST_EXTENSION = 120


@dataclass(frozen=True, slots=True)
class Call:
    """A call as lists show it. minutes: how long it has been open, or how long it took."""

    id: int
    state: str
    called_by: str
    note: str
    called_at: datetime
    claimed_by: str | None
    claimed_account_id: int | None
    match_id: int | None
    round: int | None
    table: int | None
    a: str
    b: str
    minutes: int
    extension: int  # minutes the table already has
    is_playing: bool
    is_for_head: bool = False

    @property
    def offered(self) -> int:
        """The table's total extension with the minutes of this call added."""
        return min(self.extension + self.minutes, LONGEST_EXTENSION)


def call_judge(
    session: Session, event: AnyEvent, match_id: int, caller: str, note: str, now: datetime
) -> Change[JudgeCall]:
    """Call a judge to a table. Calling again while a call is open changes nothing."""
    event = hold(session, event)
    match = session.get(Match, match_id)
    if match is None or match.event_id != event.id or match.b_id is None:
        raise Refused(Message("call_without_table"))
    open_call = find_open(session, match_id)
    if open_call is not None:
        return unchanged("call.made", match).giving(open_call)
    call = JudgeCall(
        event_id=event.id, match_id=match_id, called_by=caller[:80], note=note.strip()[:300], called_at=now
    )
    with changing(session, event, Actor(caller[:80] or "–"), "call.made", match, why=call.note) as recording:
        session.add(call)
    return recording.change.giving(call)


def withdraw(session: Session, event: AnyEvent, match_id: int, caller: str, now: datetime) -> Change[None]:
    """Withdraw a call that no judge has claimed."""
    event = hold(session, event)
    call, match = find_open(session, match_id), session.get(Match, match_id)
    if match is None or match.event_id != event.id:
        raise Refused(Message("call_without_table"))
    if call is None:
        return unchanged("call.withdrawn", match)
    if call.state != "waiting":
        raise Conflict(Message("call_claimed", who=call.claimed_by or "?"))
    with changing(session, event, Actor(caller[:80] or "–"), "call.withdrawn", match) as recording:
        call.state, call.resolved_at = "withdrawn", now
    return recording.change


def find_open(session: Session, match_id: int) -> JudgeCall | None:
    query = select(JudgeCall).where(JudgeCall.match_id == match_id, col(JudgeCall.state).in_(OPEN))
    return session.exec(query.order_by(col(JudgeCall.id).desc())).first()


@dataclass(frozen=True, slots=True)
class TableCall:
    """The open call of a table as its players see it."""

    state: str
    note: str
    claimed_by: str | None
    minutes: int


def read_table_call(session: Session, match_id: int, now: datetime) -> TableCall | None:
    call = find_open(session, match_id)
    if call is None:
        return None
    return TableCall(call.state, call.note, call.claimed_by, minutes_taken(call, now))


@dataclass(frozen=True, slots=True)
class Waiting:
    """A call that nobody has taken, or that is for the head judge, as every page of the desk shows it."""

    id: int
    table: int | None
    minutes: int
    is_for_head: bool


def calls_for(session: Session, event: AnyEvent, now: datetime, *, is_head: bool) -> list[Waiting]:
    """The calls that wait for this judge, oldest first; those passed on wait for the head judge alone."""
    query = (
        select(JudgeCall, Match.table_no)
        .join(Match, col(JudgeCall.match_id) == col(Match.id), isouter=True)
        .where(JudgeCall.event_id == event.id)
        .order_by(col(JudgeCall.id))
    )
    if is_head:
        query = query.where(
            or_(
                col(JudgeCall.state) == "waiting",
                and_(col(JudgeCall.is_for_head).is_(True), col(JudgeCall.state).in_(OPEN)),
            )
        )
    else:
        query = query.where(col(JudgeCall.state) == "waiting", col(JudgeCall.is_for_head).is_(False))
    return [
        Waiting(call.id, table, minutes_taken(call, now), call.is_for_head)
        for call, table in session.exec(query).all()
    ]


def pass_on(session: Session, event: AnyEvent, actor: Actor, call_id: int) -> Change[None]:
    """Ask the head judge to come to this call; it waits for nobody else then."""
    event = hold(session, event)
    call = session.get(JudgeCall, call_id)
    if call is None or call.event_id != event.id or call.state not in OPEN:
        raise Missing(Message("call_gone"))
    with changing(session, event, actor, "call.passed-on", _subject(session, call)) as recording:
        call.is_for_head, call.state = True, "waiting"
        call.claimed_by = call.claimed_account_id = call.claimed_at = None
    return recording.change


def count_waiting(session: Session, event: AnyEvent) -> int:
    query = select(func.count()).where(JudgeCall.event_id == event.id, JudgeCall.state == "waiting")
    return session.exec(query).one()


class OpenCall(NamedTuple):
    """A call that nobody has resolved yet, with its table."""

    state: str
    claimed_by: str | None
    match_id: int
    a_id: int
    b_id: int | None


_OPEN = Prepared(
    select_columns(JudgeCall.state, JudgeCall.claimed_by, Match.id, Match.a_id, Match.b_id)
    .join(Match, col(JudgeCall.match_id) == col(Match.id))
    .where(JudgeCall.event_id == bindparam("event"))
    .where((JudgeCall.state == "waiting") | (JudgeCall.state == "claimed"))
    .order_by(col(JudgeCall.id).desc()),
    "event",
)


def read_open_calls(reader: Reader, event_id: int) -> list[OpenCall]:
    """The open calls of all tables, the newest first."""
    return [OpenCall(*row) for row in reader.rows(_OPEN, event_id)]


def call_of_player(calls: Sequence[OpenCall], player: int, match: int) -> tuple[str, str | None] | None:
    """The state of the open call at a player's table, and the judge who claimed it."""
    for call in calls:
        if player in (call.a_id, call.b_id) or call.match_id == match:  # a pod's other players have only that
            return call.state, call.claimed_by
    return None


# -- what a judge does --------------------------------------------------------------------------------------


def claim(session: Session, event: AnyEvent, actor: Actor, call_id: int, now: datetime) -> Change[JudgeCall]:
    """Claim a call. A second judge is told who has claimed it."""
    call = _get(session, event, call_id)
    if call.state == "claimed" and call.claimed_account_id == actor.account_id:
        return unchanged("call.claimed", _subject(session, call) or event).giving(call)
    if call.state == "claimed":
        raise Conflict(Message("call_claimed", who=call.claimed_by or "?"))
    _check_open(call)
    with changing(session, event, actor, "call.claimed", _subject(session, call)) as recording:
        call.state, call.claimed_by, call.claimed_at = "claimed", actor.name[:80], now
        call.claimed_account_id = actor.account_id
    return recording.change.giving(call)


def release(session: Session, event: AnyEvent, actor: Actor, call_id: int) -> Change[JudgeCall]:
    """Release a claimed call for another judge."""
    call = _get(session, event, call_id)
    if call.state != "claimed":
        raise Conflict(Message("call_not_claimed"))
    with changing(session, event, actor, "call.released", _subject(session, call)) as recording:
        call.state, call.claimed_by, call.claimed_at, call.claimed_account_id = "waiting", None, None, None
    return recording.change.giving(call)


def resolve(
    session: Session, event: AnyEvent, actor: Actor, call_id: int, now: datetime, extension: int | None = None
) -> Change[JudgeCall]:
    """Resolve a call. With `extension`, also set the table's total extra minutes, as a second change."""
    call = _get(session, event, call_id)
    _check_open(call)
    with changing(session, event, actor, "call.resolved", _subject(session, call)) as recording:
        call.state, call.resolved_at = "resolved", now
        if call.claimed_by is None:
            call.claimed_by, call.claimed_account_id = actor.name[:80], actor.account_id
    resolved = recording.change.giving(call)
    if extension is None:
        return resolved
    extended = _give_extension(session, event, actor, call, extension)
    return resolved if extended.entry is None else extended.giving(call)


def extend_after(session: Session, event: AnyEvent, actor: Actor, call_id: int, minutes: int) -> Change[None]:
    """Give a table its extension after the call was resolved without one."""
    return _give_extension(session, event, actor, get_call(session, event, call_id), minutes)


def _give_extension(
    session: Session, event: AnyEvent, actor: Actor, call: JudgeCall, minutes: int
) -> Change[None]:
    match = session.get(Match, call.match_id) if call.match_id is not None else None
    if match is None:
        raise Conflict(Message("match_gone"))
    return extend(session, event, match, actor, minutes)


def get_call(session: Session, event: AnyEvent, call_id: int) -> JudgeCall:
    call = session.get(JudgeCall, call_id)
    if call is None or call.event_id != event.id:
        raise Missing(Message("call_gone"))
    return call


def _get(session: Session, event: AnyEvent, call_id: int) -> JudgeCall:
    event = hold(session, event)
    call = get_call(session, event, call_id)
    session.refresh(call)
    return call


def _check_open(call: JudgeCall) -> None:
    if call.state not in OPEN:
        raise Conflict(Message("call_resolved"))


def _subject(session: Session, call: JudgeCall) -> Match | None:
    return session.get(Match, call.match_id) if call.match_id is not None else None


# -- lists --------------------------------------------------------------------------------------------------


def read_calls(session: Session, event: AnyEvent, now: datetime) -> tuple[list[Call], list[Call]]:
    """The open calls, oldest first, and the last resolved ones. One query."""
    a, b = aliased(Player), aliased(Player)
    recent = (
        select(JudgeCall.id)
        .where(JudgeCall.event_id == event.id, JudgeCall.state == "resolved")
        .order_by(col(JudgeCall.resolved_at).desc())
        .limit(SHOWN_RESOLVED)
    )
    rows = session.execute(
        sa_select(JudgeCall, Match, col(Round.number), col(a.name), col(b.name))
        .outerjoin(Match, col(JudgeCall.match_id) == col(Match.id))
        .outerjoin(Round, col(Match.round_id) == col(Round.id))
        .outerjoin(a, col(Match.a_id) == col(a.id))
        .outerjoin(b, col(Match.b_id) == col(b.id))
        .where(col(JudgeCall.event_id) == event.id)
        .where(col(JudgeCall.state).in_(OPEN) | col(JudgeCall.id).in_(recent))
        .order_by(col(JudgeCall.called_at), col(JudgeCall.id))
    ).all()
    others = _names_of_pods(session, [match for _, match, *_ in rows if match and match.more])
    calls = [_call(call, match, number, names, now, others) for call, match, number, *names in rows]
    resolved = sorted((c for c in calls if c.state not in OPEN), key=lambda c: c.id, reverse=True)
    return [c for c in calls if c.state in OPEN], resolved


def _call(
    call: JudgeCall,
    match: Match | None,
    number: int | None,
    names: Sequence[str | None],
    now: datetime,
    others: dict[int, str],
) -> Call:
    after_b = [others[p] for p in (match.more or ())] if match else []
    return Call(
        id=call.id,
        state=call.state,
        called_by=call.called_by,
        note=call.note,
        called_at=call.called_at,
        claimed_by=call.claimed_by,
        claimed_account_id=call.claimed_account_id,
        match_id=call.match_id,
        round=number,
        table=match.table_no if match else None,
        a=names[0] or "",
        b=" – ".join([names[1] or "", *after_b]),
        minutes=minutes_taken(call, now),
        extension=match.extension_s // 60 if match else 0,
        is_playing=match is not None and match.result is None,
        is_for_head=call.is_for_head,
    )


def _names_of_pods(session: Session, pods: list[Match]) -> dict[int, str]:
    players = {p for match in pods for p in match.more or ()}
    if not players:
        return {}
    return dict(session.execute(select(Player.id, Player.name).where(col(Player.id).in_(players))).all())


def minutes_taken(call: JudgeCall, now: datetime) -> int:
    """Minutes from the call to its end, or until now, rounded up."""
    span = max((call.resolved_at or now) - call.called_at, timedelta())
    return -(-seconds(span) // 60)
