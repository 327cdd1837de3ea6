"""Sets the number of a table by hand, of an unplayed one also after publishing. If another match has that
number, the two swap. A player who
needs a fixed table may be moved, but the draft says so.
"""

from __future__ import annotations

from sqlmodel import Session

from judge.core.errors import Missing, Refused
from judge.core.messages import Message
from judge.services.event.event_rows import EventRows, read_rows
from judge.services.event.event_view import AnyEvent
from judge.services.log.changes import Actor, Change, changing, hold
from judge.services.pairing.last_minute import check_open
from judge.services.pairing.reasons import numbered
from judge.services.pairing.rounds import get_round
from judge.storage.events import Round

HIGHEST = 9999


def set_table(
    session: Session,
    event: AnyEvent,
    actor: Actor,
    number: int,
    version: int,
    match_id: int,
    table: int,
    why: str = "",
) -> Change[int | None]:
    """Give a match this table; the result is the table of the match that had to leave it."""
    event = hold(session, event)
    rows = read_rows(session, event)
    round_ = get_round(rows, number, version)
    if not 1 <= table <= HIGHEST:
        raise Refused(Message("table_out_of_range", most=HIGHEST))
    playing = [m for m in rows.matches.get(round_.id, ()) if m.b_id is not None]
    match = next((m for m in playing if m.id == match_id), None)
    if match is None:
        raise Missing(Message("match_gone"))
    occupant = next((m for m in playing if m.table_no == table and m is not match), None)
    check_open(round_, [match] if occupant is None else [match, occupant], why)
    with changing(session, event, actor, "round.tables", round_, why.strip()) as recording:
        if occupant is not None:
            occupant.table_no = match.table_no
        match.table_no = table
        _mark(round_)
    return recording.change.giving(None if occupant is None else occupant.table_no)


def _mark(round_: Round) -> None:
    """Change the draft's version, so that forms with the old numbers are refused."""
    moved = int(round_.report.get("tables_moved", 0)) + 1
    round_.report = {**round_.report, "tables_moved": moved}


def not_at_their_table(rows: EventRows, round_: Round) -> list[Message]:
    """Notes about players who sit elsewhere than at their fixed table."""
    notes = []
    for match in rows.matches.get(round_.id, ()):
        for player in match.seats:
            if match.b_id is None:
                continue
            fixed = rows.players[player].fixed_table
            if fixed is not None and fixed != match.table_no:
                name = numbered(rows.players[player])
                notes.append(
                    Message("not_at_fixed_table", name=name, wanted=fixed, table=match.table_no or 0)
                )
    return notes
