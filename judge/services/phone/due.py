"""What waits for a player, as the player's own page shows it."""

from __future__ import annotations

from typing import Any, NamedTuple

from judge.core.messages import Lang
from judge.services.event.event_rows import EventRows
from judge.services.event.event_view import AnyEvent
from judge.services.event.stage_format import pod_counts
from judge.services.event.tournament_files import phrasebook
from judge.services.phone.declaring import may_declare
from judge.services.phone.hero_steps import is_open, step_due
from judge.services.phone.presence import may_check_in, may_leave
from judge.services.play.bans_and_picks import hero_rules, other
from judge.services.play.outcomes import describe
from judge.services.play.reports import SEATS, read_reports
from judge.services.play.selection import read_selection
from judge.services.public.standings import Game, PlayerBoard
from judge.services.rulebook.heroes import hero_name
from judge.storage.events import Match
from judge.tournament.model import Side


class Due(NamedTuple):
    """What a player's page offers; equal values make equal pages."""

    check_in: bool = False
    declare: bool = False
    leave: bool = False
    step: str = ""  # of bans and picks: roll | choose | ban | pick | reveal, when it is this player's turn
    has_heroes: bool = False  # there are bans, picks or a toss at this table
    mine: str = ""  # the hero this player plays
    theirs: str = ""
    reported: str = ""  # what somebody else at the table reported and this player has not answered
    differs: bool = False  # both have reported, and not the same
    waits: bool = False  # this player has reported, nobody else yet


def due_of(rows: EventRows, player: int, board: PlayerBoard, declared: object, lang: Lang) -> Due:
    event = rows.event
    due = Due(
        check_in=may_check_in(event, board.state),
        declare=may_declare(event, board.state, declared) and not board.is_out,
        leave=may_leave(event, board.state),
    )
    if board.now is None or board.now.opponent is None:
        return due
    round_ = next(r for r in rows.published if r.number == board.now.round)
    table = next(m for m in rows.matches[round_.id] if m.id == board.now.match_id)
    seats = table.seats
    if not table.more:
        due = due._replace(**_heroes(event, "a" if seats[0] == player else "b", table, lang))
    if table.result is None:
        due = due._replace(**_reports(event, board.name, board.now, table, seats.index(player), lang))
    return due


def _heroes(event: AnyEvent, side: Side, table: Match, lang: Lang) -> dict[str, Any]:
    selection, can_act = read_selection(table.selection), is_open(event, table.result)
    picks = selection.picks
    step = step_due(selection, hero_rules(event), side) if can_act else None
    return {
        "step": step.kind if step else "",
        "has_heroes": bool(selection) or can_act,
        "mine": hero_name(event.game, picks[side], lang) if side in picks else "",
        "theirs": hero_name(event.game, picks[other(side)], lang) if other(side) in picks else "",
    }


def _reports(event: AnyEvent, name: str, game: Game, table: Match, seat: int, lang: Lang) -> dict[str, Any]:
    reports = {side: one.outcome for side, one in sorted(read_reports(table.reports).items())}
    said = reports.pop(SEATS[seat], None)
    theirs = next(iter(reports.values()), None)
    reported = ""
    if theirs is not None and said is None:
        names = [name, game.opponent or ""] if seat == 0 else [game.opponent or "", name]
        says = describe(names, theirs, pod_counts(event, game.stage))
        reported = "…" if table.more else phrasebook(lang).say(says)
    return {
        "reported": reported,
        "differs": bool(theirs and said),
        "waits": said is not None and theirs is None,
    }
