"""Changes to a round that is a draft or already published: a player who comes late, or comes although marked
as absent, is seated; unplayed tables are paired again. The engine works out the round as it would be; tables
with a result or a report never move.

A change to a published round needs a reason, which stands in the log. A match with other players than before
gets a new link, so that an old slip reports nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session

from judge.core.errors import InputError, Missing, Refused
from judge.core.messages import Message
from judge.services.event.event_rows import EventRows, read_rows
from judge.services.event.event_view import AnyEvent
from judge.services.event.stage_format import kind_of, more_of
from judge.services.event.tournament_of import is_excused, matches_in, player_id
from judge.services.log.changes import Actor, Change, Recording, changing, hold
from judge.services.pairing.pairing_drafts import CostJson, before_round, cost_json, refused_by_engine
from judge.services.pairing.reasons import pack
from judge.services.pairing.rounds import check_running, get_round, is_played
from judge.services.play.bans_and_picks import draw_for_round
from judge.storage.events import Match, Player, Round, first_link
from judge.tournament import model
from judge.tournament.model import PlayerId, Tournament
from judge.tournament.pairing import Table
from judge.tournament.swiss.again import Changed, take_seat
from judge.tournament.swiss.again import pair_again as pair_these_again
from judge.tournament.swiss.again import seat_late as seat_one


def check_open(round_: Round, tables: Collection[Match], why: str) -> None:
    """Refuse changes to played tables, and to a published round without a reason."""
    played = [m.table_no or 0 for m in tables if is_played(m)]
    if played:
        raise Refused(Message("tables_were_played", tables=played))
    if round_.state == "published" and not why.strip():
        raise Refused(Message("change_needs_reason"))


def is_last(rows: EventRows, round_: Round) -> bool:
    return rows.last is not None and rows.last.id == round_.id


def unseated(rows: EventRows, round_: Round) -> list[Player]:
    """Players of the event who have no seat in this round and could be given one."""
    is_over = rows.event.state == "finished"
    if is_over or not is_last(rows, round_) or not kind_of(rows.event, round_.stage).can_pair_again:
        return []
    matches = rows.matches.get(round_.id, ())
    away = {m.a_id for m in matches if m.result == model.Result.MISSED and is_excused(rows, round_, m)}
    seated = {p for m in matches for p in m.seats} - away
    here = [p for p in rows.players.values() if p.id not in seated and p.state in ("registered", "present")]
    return here if round_.stage == 1 else [p for p in here if p.id in away]


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """A seat at an unplayed table of a published round whose player has left the event."""

    table: int
    leaver: int
    other: int


def free_seats(rows: EventRows, round_: Round, late: Player) -> list[FreeSeat]:
    """The seats left in this round that somebody may take: not against somebody they have met or must not."""
    kept_apart = _must_not_meet(rows, round_, late.id)
    return [
        FreeSeat(match.table_no or 0, leaver, other)
        for match in rows.matches.get(round_.id, ())
        if match.b_id is not None and not match.more and not is_played(match)
        for leaver, other in ((match.a_id, match.b_id), (match.b_id, match.a_id))
        if rows.players[leaver].state == "dropped" and other not in kept_apart
    ]


def _must_not_meet(rows: EventRows, round_: Round, player: int) -> set[int]:
    met = {p for r, m in rows.all_matches() if r.id != round_.id and player in m.seats for p in m.seats}
    pairs = more_of(rows.event).get("forbidden", ())
    return met | {p for pair in pairs if player in pair for p in pair}


def seat_late(
    session: Session,
    event: AnyEvent,
    actor: Actor,
    number: int,
    version: int,
    player: int,
    leaver: int | None = None,
) -> Change[Message]:
    """Seat somebody who is not in this round, or was marked as absent: against the bye, else with the bye; or
    in the seat of somebody who left. Returns where, in words."""
    event = hold(session, event)
    rows = read_rows(session, event)
    round_ = get_round(rows, number, version)
    check_running(event)
    late = next((p for p in unseated(rows, round_) if p.id == player), None)
    if late is None:
        raise Refused(Message("late_not_possible"))
    is_back = number in (late.absent or ())
    what = "round.absent-seated" if is_back else "round.late-seated"
    with changing(session, event, actor, what, late) as recording:
        late.state = "present"
        if is_back:
            late.absent = [n for n in late.absent if n != number]
        else:
            late.first_round = number
        if leaver is not None:
            _leave_before(rows, round_, late, leaver)
        t = _without(_as_played(rows, round_), player_id(player))
        changed = _asked(rows, lambda: _seated(t, player_id(player), leaver))
        _write(recording, rows, round_, changed)
    rows = read_rows(session, event)
    match = next(m for m in rows.matches[round_.id] if player in m.seats)
    if match.b_id is None:
        return recording.change.giving(Message("late_has_bye", name=late.name))
    other = next(rows.players[p].name for p in match.seats if p != player)
    where = Message("late_sits", name=late.name, other=other, table=match.table_no or 0)
    return recording.change.giving(where)


def _leave_before(rows: EventRows, round_: Round, late: Player, leaver: int) -> None:
    """Whoever left gives up the seat: the round before was their last."""
    if leaver not in {seat.leaver for seat in free_seats(rows, round_, late)}:
        raise Refused(Message("late_seat_not_free"))
    rows.players[leaver].last_round = round_.number - 1


def _seated(t: Tournament, player: PlayerId, leaver: int | None) -> Changed:
    return seat_one(t, player) if leaver is None else take_seat(t, player, player_id(leaver))


@dataclass(frozen=True, slots=True)
class Again:
    """Unplayed tables as they would be after pairing them again."""

    tables: list[tuple[int | None, list[str]]]  # number and players; None: the bye
    before: CostJson
    after: CostJson


def preview_again(
    session: Session, event: AnyEvent, number: int, version: int, tables: Collection[int]
) -> Again:
    rows = read_rows(session, event)
    round_ = get_round(rows, number, version)
    changed = _paired_again(rows, round_, tables)
    moved = [(t.number, [rows.names[int(p)] for p in t.players]) for t in changed.tables]
    byes = [(None, [rows.names[int(p)]]) for p in changed.byes]
    return Again([*moved, *byes], cost_json(changed.before), cost_json(changed.after))


def pair_unplayed(
    session: Session,
    event: AnyEvent,
    actor: Actor,
    number: int,
    version: int,
    tables: Collection[int],
    why: str,
) -> Change[int]:
    """Pair these unplayed tables of a round anew among their players; the result is how many changed."""
    event = hold(session, event)
    rows = read_rows(session, event)
    round_ = get_round(rows, number, version)
    check_open(round_, [m for m in rows.matches[round_.id] if m.table_no in tables], why)
    changed = _paired_again(rows, round_, tables)
    with changing(session, event, actor, "round.tables-paired-again", round_, why.strip()) as recording:
        _write(recording, rows, round_, changed)
        again = int(round_.report.get("paired_again", 0)) + 1
        round_.report = {**round_.report, "paired_again": again, "by_hand": True}
    return recording.change.giving(len(changed.tables))


def _paired_again(rows: EventRows, round_: Round, tables: Collection[int]) -> Changed:
    if not is_last(rows, round_) or not kind_of(rows.event, round_.stage).can_pair_again:
        raise Refused(Message("again_not_possible"))
    open_tables = {m.table_no for m in rows.matches[round_.id] if m.b_id is not None and not is_played(m)}
    if not tables or not set(tables) <= open_tables:
        raise Refused(Message("again_which_tables"))
    seed = 1 + int(round_.report.get("paired_again", 0))
    return _asked(rows, lambda: pair_these_again(_as_played(rows, round_), set(tables), seed))


def _asked(rows: EventRows, ask: Callable[[], Changed]) -> Changed:
    try:
        return ask()
    except InputError as error:
        raise refused_by_engine(rows, error) from error


def _as_played(rows: EventRows, round_: Round) -> Tournament:
    """The tournament with this round, draft or not, as its last."""
    before = before_round(rows, round_)
    return replace(before, rounds=(*before.rounds, matches_in(rows, round_)))


def _without(t: Tournament, player: PlayerId) -> Tournament:
    """The round without this player, who may enter it."""
    *before, now = t.rounds
    kept = tuple(m for m in now if player not in m.players)
    return replace(t, rounds=(*before, kept), late={p: n for p, n in t.late.items() if p != player})


def _write(recording: Recording, rows: EventRows, round_: Round, changed: Changed) -> None:
    """Bring the rows of the round in line with the engine's round; rows of unchanged tables stay."""
    tables = {table.number: table for table in changed.tables}
    current = [m for m in rows.matches[round_.id] if not is_excused(rows, round_, m)]
    free = {(frozenset(m.seats), m.result if m.b_id is None else None): m for m in current}
    wanted: list[model.Match] = []
    for match in changed.matches:
        alone = match.result.value if match.b is None and match.result else None
        row = free.pop((_seats(match), alone), None)
        if row is None:
            wanted.append(match)
        else:
            row.table_no = match.table if match.b is not None else None
    spare = list(free.values())
    new: list[Match] = []
    for match in wanted:
        row = spare.pop() if spare else Match(event_id=round_.event_id, round_id=round_.id, a_id=0)
        _sit(row, match, tables)
        if row.id is None:
            new.append(row)
    session = recording.session
    session.add_all(new)
    for row in spare:
        session.delete(row)
    bye_why = {"bye_why": pack(changed.bye_why)} if changed.bye_why else {}
    marks = int(round_.report.get("changes", 0)) + 1
    round_.report = {**round_.report, "cost": cost_json(changed.after), "changes": marks, **bye_why}
    session.flush()
    if round_.state == "published":
        draw_for_round(session, read_rows(session, rows.event), round_)


def _seats(match: model.Match) -> frozenset[int]:
    return frozenset(int(p) for p in match.players)


def _sit(row: Match, match: model.Match, tables: dict[int, Table]) -> None:
    players: Sequence[PlayerId] = match.players
    row.a_id, row.b_id = int(players[0]), int(players[1]) if len(players) > 1 else None
    row.table_no = match.table if row.b_id is not None else None
    row.result = match.result.value if match.result else None
    row.why = pack(tables[match.table].why) if match.table in tables else []
    row.selection, row.reports, row.extension_s, row.link = {}, {}, 0, first_link()


def get_match(rows: EventRows, round_: Round, match_id: int) -> Match:
    match = next((m for m in rows.matches.get(round_.id, ()) if m.id == match_id), None)
    if match is None or match.b_id is None:
        raise Missing(Message("match_gone"))
    return match
