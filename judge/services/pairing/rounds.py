"""Pairs rounds as drafts, publishes them, and withdraws them while nothing was played.

Pairing is idempotent: the form names the number of the round, and the second of two gets the round that
already exists. `pairing_drafts` asks the engine for the pairing; `swaps` changes it by hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlmodel import Session

from judge.core.errors import Conflict, Missing, Refused
from judge.core.json_types import JsonObject
from judge.core.messages import Message
from judge.services.event.event_rows import EventRows, read_rows
from judge.services.event.event_view import AnyEvent
from judge.services.event.stage_format import kind_of, planned_stages
from judge.services.event.tournament_of import tournament_of
from judge.services.log.changes import Actor, Change, changing, hold, unchanged
from judge.services.pairing.cuts import qualified
from judge.services.pairing.pairing_drafts import (
    UNPLAYABLE,
    Drawn,
    draw_round,
    drawn_from,
    judge_pairing,
    matches_of,
    pairing_as_it_stands,
    report_of,
    with_seeds,
)  # fmt: skip
from judge.services.pairing.reasons import numbered, with_names
from judge.services.play.bans_and_picks import draw_for_round
from judge.services.season.freezing import freeze, thaw
from judge.storage.events import Match, Round
from judge.tournament.formats import format_of


def next_number(rows: EventRows) -> int:
    return rows.last.number + 1 if rows.last else 1


def stage_now(rows: EventRows) -> int:
    return rows.last.stage if rows.last else 1


def planned_rounds(rows: EventRows, stage: int = 1) -> int | None:
    """The number of rounds of a stage; None for a bracket, which ends when it is decided."""
    t = tournament_of(rows, stage)
    return format_of(t).planned_rounds(t)


@dataclass(frozen=True, slots=True)
class Plan:
    """A round that is paired but not stored, and the version of the event it was paired for."""

    version: int
    number: int
    stage: int
    seed: int
    report: JsonObject
    matches: list[Match]


def plan_next(
    session: Session, event: AnyEvent, number: int, *, seed: int = 0, despite_missing: bool = False
) -> Plan | Round:
    """Pair the round with this number without storing it; returns the round itself if it exists already."""
    rows = read_rows(session, event)
    existing = find_round(rows, number)
    if existing:
        return existing
    check_running(event)
    if number != next_number(rows):
        raise Refused(Message("round_not_next", round=number, next=next_number(rows)))
    _check_results(rows, despite_missing)
    stage = stage_now(rows)
    return _plan(rows, draw_round(rows, stage, seed), stage, seed)


def _plan(rows: EventRows, drawn: Drawn, stage: int, seed: int, notes: tuple[Message, ...] = ()) -> Plan:
    number = next_number(rows)
    report = report_of(drawn, (*notes, *_excused_in_bracket(rows, drawn, number)))
    return Plan(rows.event.version, number, stage, seed, report, matches_of(drawn))


def _excused_in_bracket(rows: EventRows, drawn: Drawn, number: int) -> list[Message]:
    """A note for byes and absences that were named before anybody knew that the round is a bracket's."""
    if not format_of(drawn.tournament).has_bracket:
        return []
    playing = {int(p) for table in drawn.pairing.tables for p in table.players}
    named = [
        numbered(row)
        for p, row in rows.players.items()
        if p in playing and any(number in kept for kept in (row.byes, row.half_byes, row.absent))
    ]
    return [Message("note_excused_in_bracket", names=named)] if named else []


def pair_next(
    session: Session,
    event: AnyEvent,
    actor: Actor,
    number: int,
    *,
    seed: int = 0,
    despite_missing: bool = False,
    plan: Plan | None = None,
) -> Change[Round]:
    """Pair the round with this number as a draft, or return it if it exists already. A plan made beforehand,
    without locking the event, is used if nothing has changed since."""
    event = hold(session, event)
    if plan is None or plan.version != event.version:
        planned = plan_next(session, event, number, seed=seed, despite_missing=despite_missing)
        if isinstance(planned, Round):
            return unchanged("round.paired", planned).giving(planned)
        plan = planned
    return _add_round(session, event, actor, plan)


def check_running(event: AnyEvent) -> None:
    """Refuse to go on with an event that is finished: its final places stand in seasons and on paper."""
    if event.state == "finished":
        raise Refused(Message("event_is_finished"))


def _check_results(rows: EventRows, despite_missing: bool) -> None:
    if rows.draft:
        raise Refused(Message("round_still_draft", round=rows.draft.number))
    missing = rows.missing()
    if missing and not despite_missing:
        raise Refused(Message("results_missing", n=len(missing), tables=[m.table_no or 0 for m in missing]))


def _add_round(session: Session, event: AnyEvent, actor: Actor, plan: Plan) -> Change[Round]:
    round_ = Round(
        event_id=event.id, stage=plan.stage, number=plan.number, seed=plan.seed, report=plan.report
    )
    with changing(session, event, actor, "round.paired", round_) as recording:
        session.add(round_)
        session.flush()
        recording.add_many(plan.matches, event_id=event.id, round_id=round_.id)
    return recording.change.giving(round_)


def start_stage(
    session: Session, event: AnyEvent, actor: Actor, number: int, size: int | None = None
) -> Change[Round]:
    """Start the next stage with the players who go on: its first round as a draft."""
    event = hold(session, event)
    rows = read_rows(session, event)
    existing = find_round(rows, number)
    if existing:
        return unchanged("round.paired", existing).giving(existing)
    check_running(event)
    _check_results(rows, despite_missing=False)
    stage = stage_now(rows) + 1
    if not rows.rounds or stage > max(2, planned_stages(event)):
        raise Refused(Message("cut_not_possible"))
    seeds, notes = qualified(rows, stage, size)
    if len(seeds) < 2:
        raise Refused(Message("cut_not_possible"))
    drawn = first_of_stage(rows, stage, seeds)
    return _add_round(session, event, actor, _plan(rows, drawn, stage=stage, seed=0, notes=tuple(notes)))


def first_of_stage(rows: EventRows, stage: int, seeds: list[int], seed: int = 0) -> Drawn:
    """The first round of a later stage, for the players who go on."""
    begun = tournament_of(rows, stage, name_of=numbered, going=seeds)
    return drawn_from(rows, with_seeds(begun, seeds), seed, seeds)


def find_round(rows: EventRows, number: int) -> Round | None:
    return next((r for r in rows.rounds if r.number == number), None)


def get_round(rows: EventRows, number: int, version: int) -> Round:
    """The round with this number; a Conflict if it changed since the form was made."""
    round_ = find_round(rows, number)
    if round_ is None:
        raise Missing(Message("round_gone", round=number))
    if round_.version != version:
        raise Conflict(Message(f"round_is_{round_.state}_now", round=number))
    return round_


def pair_again(session: Session, event: AnyEvent, actor: Actor, number: int, version: int) -> Change[Round]:
    """Pair the draft again with another random seed."""
    event = hold(session, event)
    rows = read_rows(session, event)
    round_ = get_round(rows, number, version)
    check_draft(round_)
    seed = round_.seed + 1
    seeds = list(round_.report.get("seeds", [])) if round_.stage > 1 else None
    without = EventRows(
        event, rows.players, tuple(r for r in rows.rounds if r is not round_),
        {k: v for k, v in rows.matches.items() if k != round_.id},
    )  # fmt: skip
    drawn = (
        draw_round(without, round_.stage, seed)
        if not seeds
        else first_of_stage(without, round_.stage, seeds, seed)
    )
    with changing(session, event, actor, "round.paired-again", round_) as recording:
        recording.remove_many(rows.matches.get(round_.id, ()))
        round_.seed, round_.report = seed, report_of(drawn)
        recording.add_many(matches_of(drawn), event_id=event.id, round_id=round_.id)
    return recording.change.giving(round_)


def discard(session: Session, event: AnyEvent, actor: Actor, number: int, version: int) -> Change[None]:
    event = hold(session, event)
    rows = read_rows(session, event)
    round_ = get_round(rows, number, version)
    check_draft(round_)
    with changing(session, event, actor, "round.discarded", round_) as recording:
        recording.remove_many(rows.matches.get(round_.id, ()))
        session.delete(round_)
    return recording.change


def check_draft(round_: Round) -> None:
    if round_.state != "draft":
        raise Refused(Message("round_is_public", round=round_.number))


def publish(
    session: Session, event: AnyEvent, actor: Actor, number: int, version: int, now: datetime
) -> Change[Round]:
    """Publish a round. If somebody has published it meanwhile, nothing changes."""
    row = hold(session, event)
    rows = read_rows(session, row)
    existing = find_round(rows, number)
    if existing is not None and existing.state == "published":
        return unchanged("round.published", existing).giving(existing)
    round_ = get_round(rows, number, version)
    check_running(row)
    check_playable(rows, round_)
    with changing(session, row, actor, "round.published", round_) as recording:
        round_.state, round_.published_at = "published", now
        draw_for_round(session, rows, round_)
        if row.state == "setup":
            row.state = "running"
    return recording.change.giving(round_)


def check_playable(rows: EventRows, round_: Round) -> None:
    unplayable = [f for f in faults_now(rows, round_) if f.key in UNPLAYABLE]
    if unplayable:
        raise Refused(*with_names(unplayable, rows.players.values()))


def faults_now(rows: EventRows, round_: Round) -> list[Message]:
    """The checker's faults of a round as it is now: players may have come or gone since it was paired."""
    if kind_of(rows.event, round_.stage).check is None:
        return []
    t, pairing = pairing_as_it_stands(rows, round_, rows.matches.get(round_.id, ()))
    return judge_pairing(t, pairing)


def unpublish(session: Session, event: AnyEvent, actor: Actor, number: int, version: int) -> Change[Round]:
    """Turn a round back into a draft, while nothing was played."""
    row = hold(session, event)
    rows = read_rows(session, row)
    round_ = get_round(rows, number, version)
    check_unplayed(rows, round_)
    with changing(session, row, actor, "round.unpublished", round_) as recording:
        round_.state, round_.published_at = "draft", None
        if number == 1:
            row.state = "setup"
    return recording.change.giving(round_)


def is_played(match: Match) -> bool:
    return bool(match.reports) or (match.b_id is not None and match.result is not None)


def check_unplayed(rows: EventRows, round_: Round) -> None:
    if any(r.number > round_.number for r in rows.rounds):
        raise Refused(Message("round_has_later", round=round_.number))
    played = [m for m in rows.matches.get(round_.id, ()) if is_played(m)]
    if played:
        raise Refused(Message("round_was_played", round=round_.number, n=len(played)))


def finish(session: Session, event: AnyEvent, actor: Actor) -> Change[None]:
    row = hold(session, event)
    rows = read_rows(session, row)
    _check_results(rows, despite_missing=False)
    with changing(session, row, actor, "event.finished") as recording:
        row.state = "finished"
        freeze(session, rows, datetime.now(UTC))
    return recording.change


def reopen(session: Session, event: AnyEvent, actor: Actor) -> Change[None]:
    row = hold(session, event)
    has_begun = bool(read_rows(session, row).published)
    with changing(session, row, actor, "event.reopened") as recording:
        row.state = "running" if has_begun else "setup"
        thaw(session, row)
    return recording.change
