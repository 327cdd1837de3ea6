"""Enters results, corrects them with a reason, and undoes them.

Entering never overwrites: the second of two is told the stored result (409). The form of a correction names
the version of the match it was made from.
"""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import bindparam, func
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from judge.core.errors import Conflict, Missing, Refused
from judge.core.messages import Message
from judge.services.event.event_rows import read_rows
from judge.services.event.event_view import AnyEvent, MatchView, RoundView, match_view, round_view
from judge.services.event.stage_format import pod_counts
from judge.services.log.changes import Actor, Change, changing, check_version, hold, unchanged, undo
from judge.services.play.corrections import check_bracket
from judge.services.play.outcomes import Outcome, describe, doubts, house_rules, outcome_of, refusals, write
from judge.storage.audit import AuditRow
from judge.storage.events import Match, Player, Round


class Doubtful(Refused):
    """The outcome is unusual under the event's rules; sent again as sure, it is accepted."""


# Made once: a hall enters hundreds of results within minutes, and building a query takes longer than asking.
_MATCH = (
    select(Match, Round)
    .join(Round, col(Match.round_id) == col(Round.id))
    .where(Match.id == bindparam("match"))
)
_A, _B = aliased(Player), aliased(Player)
_MATCH_WITH_NAMES = (
    _MATCH.add_columns(col(_A.name), col(_B.name))
    .join(_A, col(Match.a_id) == _A.id)
    .join(_B, col(Match.b_id) == _B.id, isouter=True)
)
_LAST_ENTERED = (
    select(AuditRow.id)
    .where(
        AuditRow.event_id == bindparam("event"),
        AuditRow.account_id == bindparam("account"),
        AuditRow.what == "result.entered",
        col(AuditRow.undone_by).is_(None),
    )
    .order_by(col(AuditRow.id).desc())
    .limit(1)
)


def get_match(session: Session, event: AnyEvent, match_id: int) -> tuple[Match, Round]:
    row = session.execute(_MATCH, {"match": match_id}).first()
    if row is None or row[0].event_id != event.id:
        raise Missing(Message("match_gone"))
    return row[0], row[1]


def _match_with_names(
    session: Session, event: AnyEvent, match_id: int
) -> tuple[Match, Round, tuple[str, ...]]:
    """The match, its round and the names of its players, in one query unless it is a pod."""
    row = session.execute(_MATCH_WITH_NAMES, {"match": match_id}).first()
    if row is None or row[0].event_id != event.id:
        raise Missing(Message("match_gone"))
    match, round_, a, b = row
    return match, round_, names_of(session, match) if match.more else (a,) if b is None else (a, b)


def read_match(session: Session, event: AnyEvent, match_id: int) -> tuple[MatchView, RoundView]:
    match, round_ = get_match(session, event, match_id)
    return match_view(match), round_view(round_)


def find_table(session: Session, event: AnyEvent, table: int) -> int | None:
    """The match at this table of the round being played; None if there is none."""
    query = select(Match.id).join(Round, col(Match.round_id) == col(Round.id))
    of_event = query.where(Match.event_id == event.id, Round.state == "published", Match.table_no == table)
    latest = select(func.max(Round.number)).where(Round.event_id == event.id, Round.state == "published")
    return session.exec(of_event.where(Round.number == latest.scalar_subquery())).first()


def names_of(session: Session, match: Match | MatchView) -> tuple[str, ...]:
    """The names of the players at the table, in the order of the seats."""
    names = dict(session.exec(select(Player.id, Player.name).where(col(Player.id).in_(match.seats))).all())
    return tuple(names[player] for player in match.seats)


def check_outcome(event: AnyEvent, stage: int, outcome: Outcome, is_sure: bool, seats: int = 2) -> None:
    rules = house_rules(event, stage)
    reasons = refusals(outcome, rules, seats)
    if reasons:
        raise Refused(*reasons)
    unusual = doubts(outcome, rules)
    if unusual and not is_sure:
        raise Doubtful(*unusual)


def enter(
    session: Session, event: AnyEvent, actor: Actor, match_id: int, outcome: Outcome, *, is_sure: bool = False
) -> Change[Message]:
    """Enter the first result of a match; entering it twice changes nothing. Returns it in words."""
    event = hold(session, event)
    match, round_, names = _match_with_names(session, event, match_id)
    _check_playable(match, round_)
    counts = pod_counts(event, round_.stage)
    current = outcome_of(match)
    if current == outcome:
        return unchanged("result.entered", match).giving(describe(names, outcome, counts))
    if current is not None and is_health_of(current, outcome):
        check_outcome(event, round_.stage, outcome, is_sure, len(match.seats))
        with changing(session, event, actor, "result.health", match) as recording:
            write(match, replace(current, health_a=outcome.health_a, health_b=outcome.health_b))
        return recording.change.giving(describe(names, outcome, counts))
    if current is not None:
        raise Conflict(
            Message("result_already", table=match.table_no or 0, now=describe(names, current, counts))
        )
    check_outcome(event, round_.stage, outcome, is_sure, len(match.seats))
    with changing(session, event, actor, "result.entered", match) as recording:
        write(match, outcome)
    return recording.change.giving(describe(names, outcome, counts))


def is_health_of(current: Outcome, outcome: Outcome) -> bool:
    """Whether the outcome is the stored one, with the health that was still missing."""
    is_missing = current.health is None and outcome.health is not None and current.how is None
    return is_missing and outcome.how is None and current.result == outcome.result


def _check_playable(match: Match, round_: Round) -> None:
    if round_.state != "published":
        raise Refused(Message("round_not_public", round=round_.number))
    if match.b_id is None:
        raise Refused(Message("bye_has_no_result"))


def correct(
    session: Session,
    event: AnyEvent,
    actor: Actor,
    match_id: int,
    version: int,
    outcome: Outcome | None,
    why: str,
    *,
    is_sure: bool = False,
) -> Change[Message]:
    """Replace the outcome of a match (None: it is played again). Later published rounds stay as they were
    played."""
    event = hold(session, event)
    match, round_, names = _match_with_names(session, event, match_id)
    _check_playable(match, round_)
    counts = pod_counts(event, round_.stage)
    current = describe(names, outcome_of(match), counts)
    changed = Message("result_changed_meanwhile", table=match.table_no or 0, now=current)
    check_version(match, version, changed)
    if not why.strip():
        raise Refused(Message("correction_needs_reason"))
    if outcome is None:
        check_no_later_round(session, event, round_)
    else:
        check_outcome(event, round_.stage, outcome, is_sure, len(match.seats))
    with changing(session, event, actor, "result.corrected", match, why.strip()) as recording:
        write(match, outcome)
    check_bracket(read_rows(session, event), round_.stage)
    return recording.change.giving(describe(names, outcome, counts))


def is_of_newest_round(session: Session, event: AnyEvent, match_id: int) -> bool:
    """Whether no later round was paired since."""
    _, round_ = get_match(session, event, match_id)
    later = select(Round.id).where(Round.event_id == event.id, Round.number > round_.number)
    return session.exec(later.limit(1)).first() is None


def last_entered(session: Session, event: AnyEvent, account_id: int | None) -> int | None:
    """The log entry of the newest result that this account entered and that has not been undone."""
    values = {"event": str(event.id), "account": str(account_id)}
    entry: int | None = session.execute(_LAST_ENTERED, values).scalar()
    return entry


def _entered_by(event: AnyEvent, account_id: int | None) -> SelectOfScalar[AuditRow]:
    return select(AuditRow).where(
        AuditRow.event_id == str(event.id),
        AuditRow.account_id == str(account_id),
        AuditRow.what == "result.entered",
    )


def take_back_last(
    session: Session, event: AnyEvent, actor: Actor, entry_id: int | None = None
) -> Change[Message]:
    """Undo a result that this account entered: the newest one, or that of a log entry, which changes nothing
    if it is undone already. Returns it in words."""
    event = hold(session, event)
    number = entry_id or last_entered(session, event, actor.account_id)
    entry = session.exec(_entered_by(event, actor.account_id).where(AuditRow.id == number)).first()
    if entry is None:
        raise Refused(Message("nothing_to_undo"))
    match, round_ = get_match(session, event, int(entry.subject_id))
    names, counts = names_of(session, match), pod_counts(event, round_.stage)
    if event.state == "finished":
        raise Refused(Message("event_is_finished"))
    if entry.undone_by is not None:
        return unchanged("undone", match).giving(Message("taken_back_already", table=match.table_no or 0))
    check_no_later_round(session, event, round_)
    removed = describe(names, outcome_of(match), counts)
    change = undo(session, event, entry.id, actor)
    return change.giving(Message("taken_back", table=match.table_no or 0, outcome=removed))


def check_no_later_round(session: Session, event: AnyEvent, round_: Round) -> None:
    """Refuse to remove a result that a later round was paired from; it can only be corrected."""
    later = session.exec(
        select(Round.id).where(Round.event_id == event.id, Round.number > round_.number).limit(1)
    ).first()
    if later is not None:
        raise Refused(Message("result_has_later_round", round=round_.number))
