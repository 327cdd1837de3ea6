"""Results reported by players, through their private link or the table's code. Two equal reports become the
result; if they differ, the staff sees both and decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from judge.core.errors import Conflict, Refused
from judge.core.json_types import JsonObject
from judge.core.messages import Message
from judge.services.event.event_view import (
    AnyEvent,
    MatchView,
    PlayerView,
    RoundView,
    match_view,
    round_view,
)
from judge.services.event.stage_format import pod_counts
from judge.services.event.tournament_of import display_name
from judge.services.log.changes import Actor, Change, changing, hold, unchanged
from judge.services.play.outcomes import HouseRules, Outcome, describe, house_rules, outcome_of, write
from judge.services.play.results import check_outcome, get_match, names_of
from judge.storage.events import Match, Player, Round, has_seat
from judge.storage.reader import Prepared, reader_of, select_columns

Side = str  # the seat: a, b, and in a pod c, d ...
SEATS = "abcdef"
Settled = Literal["settled", "waiting", "disputed", "one-phone"]


@dataclass(frozen=True, slots=True)
class Report:
    """What one side says came out: when, and from which phone (empty if it is not known)."""

    outcome: Outcome
    at: str
    phone: str = ""

    def as_json(self) -> JsonObject:
        return {**asdict(self.outcome), "at": self.at, "phone": self.phone}


def read_reports(stored: JsonObject) -> dict[Side, Report]:
    """The reports of a match by seat, from the column that only this product writes."""
    return {side: _report(row) for side, row in stored.items()}


def _report(row: JsonObject) -> Report:
    games, scores = (None if row.get(key) is None else tuple(row[key]) for key in ("games", "scores"))
    outcome = Outcome(row["result"], row["how"], row["health_a"], row["health_b"], games or None, scores)
    return Report(outcome, row.get("at") or "", row.get("phone") or "")


def report(
    session: Session,
    event: AnyEvent,
    match_id: int,
    side: Side,
    outcome: Outcome,
    now: datetime,
    *,
    is_sure: bool = False,
    phone: str = "",
) -> Change[Settled]:
    """Record a player's report. A second report replaces the first. Two equal ones settle the result, unless
    they come from one `phone`: nobody agrees with themselves."""
    event = hold(session, event)
    match, round_ = get_match(session, event, match_id)
    if round_.state != "published" or match.b_id is None:
        raise Refused(Message("round_not_public", round=round_.number))
    names, counts = names_of(session, match), pod_counts(event, round_.stage)
    current = outcome_of(match)
    if current is not None:
        if current == outcome:
            return unchanged("result.reported", match).giving("settled")
        raise Conflict(Message("report_too_late", now=describe(names, current, counts)))
    check_outcome(event, round_.stage, outcome, is_sure, len(names))
    reports = {**read_reports(match.reports), side: Report(outcome, now.isoformat(), phone)}
    is_level = len(reports) > 1 and len({one.outcome for one in reports.values()}) == 1
    agreed = is_level and not _is_all_one_phone(reports)
    actor = Actor(names[SEATS.index(side)][:200])
    action = "result.agreed" if agreed else "result.reported"
    with changing(session, event, actor, action, match) as recording:
        match.reports = {seat: one.as_json() for seat, one in reports.items()}
        if agreed:
            write(match, outcome)
    settled: Settled = (
        "settled" if agreed else "one-phone" if is_level else "disputed" if len(reports) > 1 else "waiting"
    )
    return recording.change.giving(settled)


def _is_all_one_phone(reports: Mapping[Side, Report]) -> bool:
    phones = {one.phone for one in reports.values()}
    return len(phones) == 1 and phones != {""}


def is_one_phone(reports: Mapping[Side, Report]) -> bool:
    """Whether two sides have reported from one phone."""
    phones = [one.phone for one in reports.values() if one.phone]
    return len(set(phones)) < len(phones)


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A table as its players see it: names by seat, the outcome, and each player's report."""

    match: MatchView
    round: RoundView
    names: dict[Side, str]
    rules: HouseRules
    outcome: Outcome | None
    reports: dict[Side, Outcome]


def read_report_page(session: Session, event: AnyEvent, match_id: int) -> ReportPage:
    match, round_ = get_match(session, event, match_id)
    names = dict(zip(SEATS, display_names_of(session, match.seats), strict=False))
    reports = read_reports(match.reports)
    return ReportPage(
        match_view(match),
        round_view(round_),
        names,
        house_rules(event, round_.stage),
        outcome_of(match),
        {side: reports[side].outcome for side in names if side in reports},
    )


def display_names_of(session: Session, seats: Sequence[int]) -> list[str]:
    """The public names of the players at a table, in the order of the seats."""
    players = {p.id: p for p in session.exec(select(Player).where(col(Player.id).in_(seats)))}
    return [display_name(players[number]) for number in seats]


# Made once: every player of a hall opens the page of bans and picks.
_MATCHES_OF_PLAYER = Prepared(
    select_columns(*(getattr(Match, name) for name in MatchView._fields))
    .join(Round, col(Match.round_id) == col(Round.id))
    .where(Match.event_id == bindparam("event"), Round.state == "published")
    .where(has_seat(bindparam("player"), bindparam("text")))
    .order_by(col(Round.number).desc()),
    "event",
    "player",
    "text",
)


def match_to_report(session: Session, player: Player | PlayerView) -> MatchView | None:
    """The player's current match: the newest published one, open ones before finished ones."""
    rows = reader_of(session).rows(_MATCHES_OF_PLAYER, player.event_id, player.id, f",{player.id},")
    matches = [MatchView._make(row) for row in rows]
    return next((m for m in matches if m.result is None), matches[0] if matches else None)
