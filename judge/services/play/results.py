"""Results: entered once, by whoever is first; corrected later with a reason; taken back.

Entering never overwrites: whoever comes second is told what stands there (409). A form for a correction
names the version of the match it saw.
"""

from __future__ import annotations

from sqlmodel import Session, col, select

from judge.core.errors import Conflict, Missing, Refused
from judge.core.messages import Message
from judge.services.event.event_view import AnyEvent, MatchView, RoundView, match_view, round_view
from judge.services.event.stage_format import pod_counts
from judge.services.event.tournament_of import read_rows
from judge.services.log.changes import Actor, Change, changing, check_version, hold, unchanged, undo
from judge.services.play.corrections import check_bracket
from judge.services.play.outcomes import Outcome, describe, doubts, house_rules, outcome_of, refusals, write
from judge.storage.audit import AuditRow
from judge.storage.events import Match, Player, Round


class Doubtful(Refused):
    """The outcome is unusual under the event's rules; it stands if it is sent again as sure."""


def get_match(session: Session, event: AnyEvent, match_id: int) -> tuple[Match, Round]:
    both = select(Match, Round).join(Round, col(Match.round_id) == col(Round.id))
    rows = session.exec(both.where(Match.id == match_id)).first()
    if rows is None or rows[0].event_id != event.id:
        raise Missing(Message("match_gone"))
    return rows


def read_match(session: Session, event: AnyEvent, match_id: int) -> tuple[MatchView, RoundView]:
    match, round_ = get_match(session, event, match_id)
    return match_view(match), round_view(round_)


def names_of(session: Session, match: Match | MatchView) -> tuple[str, ...]:
    """Everybody at the table, in the order of the seats."""
    names = dict(session.exec(select(Player.id, Player.name).where(col(Player.id).in_(match.seats))).all())
    return tuple(names[player] for player in match.seats)


def check_outcome(event: AnyEvent, stage: int, outcome: Outcome, is_sure: bool, seats: int = 2) -> None:
    rules = house_rules(event, stage)
    wrong = refusals(outcome, rules, seats)
    if wrong:
        raise Refused(*wrong)
    odd = doubts(outcome, rules)
    if odd and not is_sure:
        raise Doubtful(*odd)


def enter(
    session: Session, event: AnyEvent, actor: Actor, match_id: int, outcome: Outcome, *, is_sure: bool = False
) -> Change[Message]:
    """The first result of a match. The result says how it ended; sent twice, it changes nothing."""
    event = hold(session, event)
    match, round_ = get_match(session, event, match_id)
    _check_playable(match, round_)
    names, counts = names_of(session, match), pod_counts(event, round_.stage)
    standing = outcome_of(match)
    if standing == outcome:
        return unchanged("result.entered", match).giving(describe(names, outcome, counts))
    if standing is not None:
        raise Conflict(
            Message("result_already", table=match.table_no or 0, now=describe(names, standing, counts))
        )
    check_outcome(event, round_.stage, outcome, is_sure, len(match.seats))
    with changing(session, event, actor, "result.entered", match) as recording:
        write(match, outcome)
    return recording.change.giving(describe(names, outcome, counts))


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
    """Another outcome in place of the one that stands (None: played again, no result yet). Later published
    rounds stay as they were played."""
    event = hold(session, event)
    match, round_ = get_match(session, event, match_id)
    _check_playable(match, round_)
    names, counts = names_of(session, match), pod_counts(event, round_.stage)
    now = describe(names, outcome_of(match), counts)
    check_version(match, version, Message("result_changed_meanwhile", table=match.table_no or 0, now=now))
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


def has_entered(session: Session, event: AnyEvent, account_id: int | None) -> bool:
    """Whether this person entered a result that has not been taken back."""
    return _last_entry_of(session, event, account_id) is not None


def _last_entry_of(session: Session, event: AnyEvent, account_id: int | None) -> AuditRow | None:
    return session.exec(
        select(AuditRow)
        .where(
            AuditRow.event_id == str(event.id),
            AuditRow.account_id == str(account_id),
            AuditRow.what == "result.entered",
            col(AuditRow.undone_by).is_(None),
        )
        .order_by(col(AuditRow.id).desc())
        .limit(1)
    ).first()


def take_back_last(session: Session, event: AnyEvent, actor: Actor) -> Change[Message]:
    """Undo the newest result this person entered. The result says what is gone."""
    event = hold(session, event)
    entry = _last_entry_of(session, event, actor.account_id)
    if entry is None:
        raise Refused(Message("nothing_to_undo"))
    match, round_ = get_match(session, event, int(entry.subject_id))
    check_no_later_round(session, event, round_)
    names, counts = names_of(session, match), pod_counts(event, round_.stage)
    gone = describe(names, outcome_of(match), counts)
    change = undo(session, event, entry.id, actor)
    return change.giving(Message("taken_back", table=match.table_no or 0, outcome=gone))


def check_no_later_round(session: Session, event: AnyEvent, round_: Round) -> None:
    """A result that a later round was paired from is corrected, not taken away."""
    later = session.exec(
        select(Round.id).where(Round.event_id == event.id, Round.number > round_.number).limit(1)
    ).first()
    if later is not None:
        raise Refused(Message("result_has_later_round", round=round_.number))
