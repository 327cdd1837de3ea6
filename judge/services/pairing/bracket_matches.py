"""Matches of a bracket one by one: a match begins as soon as both its players are known, while others of the
round before are still playing. It joins the round that follows the matches its players come from.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from judge.core.errors import InputError, Refused
from judge.core.messages import Lang, Message
from judge.services.event.event_rows import EventRows, read_rows
from judge.services.event.event_view import AnyEvent
from judge.services.event.stage_format import kind_of
from judge.services.event.tournament_of import first_number, tournament_of
from judge.services.log.changes import Actor, Change, changing, hold
from judge.services.pairing.pairing_drafts import refused_by_engine
from judge.services.pairing.reasons import numbered, pack, phrasebook
from judge.services.pairing.rounds import check_running, find_round, next_number, stage_now
from judge.services.play.bans_and_picks import draw_for_round
from judge.storage.events import Match, Round
from judge.tournament.brackets.elimination import Bout, Bracket, round_name
from judge.tournament.brackets.plan import From
from judge.tournament.formats import play_bracket


@dataclass(frozen=True, slots=True)
class ReadyMatch:
    """A match whose players are known and which has not begun."""

    slot: str
    what: str  # semi-finals ...
    a: str
    b: str


def ready_matches(rows: EventRows, lang: Lang) -> list[ReadyMatch]:
    """What could begin although other tables still play; empty where the next round is simply paired."""
    if rows.draft or not rows.missing() or not kind_of(rows.event, stage_now(rows)).has_bracket:
        return []
    bracket, book = _bracket(rows), phrasebook(lang)
    return [
        ReadyMatch(bout.id, book.say(round_name(bracket, bout.node)), *_names(rows, bout))
        for bout in bracket.due()
    ]


def _names(rows: EventRows, bout: Bout) -> tuple[str, str]:
    return rows.names[int(bout.a or 0)], rows.names[int(bout.b or 0)]


def _bracket(rows: EventRows) -> Bracket:
    try:
        return play_bracket(tournament_of(rows, stage_now(rows), name_of=numbered))
    except InputError as error:
        raise refused_by_engine(rows, error) from error


def start_match(session: Session, event: AnyEvent, actor: Actor, slot: str, now: datetime) -> Change[Match]:
    """Begin a match of the bracket now. If somebody has begun it meanwhile, nothing is begun twice."""
    row = hold(session, event)
    rows = read_rows(session, row)
    check_running(row)
    if rows.draft:
        raise Refused(Message("round_still_draft", round=rows.draft.number))
    bracket = _bracket(rows)
    bout = next((b for b in bracket.due() if b.id == slot), None)
    if bout is None:
        raise Refused(Message("match_not_ready"))
    number = _round_for(rows, bout)
    round_ = find_round(rows, number)
    with changing(session, row, actor, "round.match-started", round_) as recording:
        if round_ is None:
            round_ = Round(
                event_id=row.id, stage=stage_now(rows), number=number, state="published", published_at=now
            )
            session.add(round_)
            session.flush()
            recording.subject = round_
        match = _match(rows, round_, bout)
        session.add(match)
        session.flush()
        draw_for_round(session, read_rows(session, row), round_)
    return recording.change.giving(match)


def _round_for(rows: EventRows, bout: Bout) -> int:
    """The number of the round after those in which the players of the match have qualified."""
    stage = stage_now(rows)
    rounds = {m.slot: r.number for r, m in rows.all_matches() if r.stage == stage and m.slot}
    sources = (source.match for source in (bout.node.a, bout.node.b) if isinstance(source, From))
    after = max((rounds[s] for s in sources if s in rounds), default=first_number(rows, stage) - 1)
    return min(after + 1, next_number(rows))


def _match(rows: EventRows, round_: Round, bout: Bout) -> Match:
    used = {m.table_no for m in rows.missing()} | {m.table_no for m in rows.matches.get(round_.id, ())}
    table = next(n for n in range(1, len(used) + 2) if n not in used)
    return Match(
        event_id=round_.event_id, round_id=round_.id, table_no=table, a_id=int(bout.a or 0),
        b_id=int(bout.b or 0), slot=bout.id, why=pack([Message("why_started_alone")]),
    )  # fmt: skip
