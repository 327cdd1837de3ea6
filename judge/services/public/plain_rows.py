"""The rows of an event as the public may see them: four queries, whatever its size, cached by its version.

They are views, which replace the table classes in `tournament_of`, since it only needs their values: five
thousand matches are read about ten times faster this way. After a result the log says which match changed,
and only that one is read again: five hundred phones ask for their pages after every result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from sqlalchemy import bindparam, func
from sqlmodel import col, select

from judge.services.event.event_rows import EventRows
from judge.services.event.event_view import EventView, MatchView, PlayerView, RoundView
from judge.services.public.read_models import Stamp, cached, latest, note_latest
from judge.storage.audit import AuditRow
from judge.storage.events import Event, Match, Player, Round
from judge.storage.reader import Prepared, Reader, Row, select_columns

MOST_ENTRIES = 40  # of the log since the last time; after more, reading everything takes no longer
READ_HERE = {"event", "player", "round", "match"}  # tables
# Columns of a match that do not move it to another place in the list.
OF_PLAY = {"result", "how", "health_a", "health_b", "games", "scores", "selection", "reports", "extension_s"}


def _all(view: type[Any], table: type[Any], *where: Any, order: tuple[Any, ...]) -> Prepared:
    """The query of all rows of an event with the columns of the view."""
    columns = [getattr(table, name) for name in view._fields]
    statement = select(*columns).where(table.event_id == bindparam("event"), *where).order_by(*order)
    return Prepared(statement, "event")


_EVENT = Prepared(
    select_columns(
        *(getattr(Event, name) for name in EventView._fields),
        select(func.max(AuditRow.id)).where(AuditRow.event_id == bindparam("log")).scalar_subquery(),
    ).where(Event.id == bindparam("event")),
    "event",
    "log",
)
_PLAYERS = _all(PlayerView, Player, order=(Player.id,))
_ROUNDS = _all(RoundView, Round, Round.state == "published", order=(Round.stage, Round.number))
_MATCHES = _all(MatchView, Match, order=(col(Match.b_id).is_(None), Match.table_no, Match.id))
_MATCH = Prepared(
    select_columns(*(getattr(Match, name) for name in MatchView._fields)).where(
        Match.id == bindparam("match")
    ),
    "match",
)
_ENTRIES = Prepared(
    select(AuditRow.id, AuditRow.before, AuditRow.after)
    .where(AuditRow.event_id == bindparam("event"), col(AuditRow.id) > bindparam("last"))
    .order_by(col(AuditRow.id))
    .limit(MOST_ENTRIES + 1),
    "event",
    "last",
)


class Known(NamedTuple):
    """The rows read last: for which version, and after which entry of the log."""

    version: int
    entry: int
    rows: EventRows


def read_plain_rows(reader: Reader, stamp: Stamp) -> EventRows:
    """The rows of the event that the public may see: only published rounds."""

    def build() -> EventRows:
        before: Known | None = latest(reader, "rows", stamp)
        known = (before and _brought_up(reader, stamp, before)) or _read(reader, stamp)
        note_latest(reader, "rows", stamp, known)
        return known.rows

    return cached(reader, "rows", stamp, build)


def _read(reader: Reader, stamp: Stamp) -> Known:
    # First, since what changes after this entry is read again the next time.
    *columns, entry = reader.rows(_EVENT, stamp.id, str(stamp.id))[0]
    event = EventView._make(columns)
    rounds = [RoundView._make(row) for row in reader.rows(_ROUNDS, stamp.id)]
    matches: dict[int, list[MatchView]] = {r.id: [] for r in rounds}
    for match in map(MatchView._make, reader.rows(_MATCHES, stamp.id)):
        if match.round_id in matches:
            matches[match.round_id].append(match)
    players = {player.id: player for player in map(PlayerView._make, reader.rows(_PLAYERS, stamp.id))}
    by_round = {key: tuple(in_round) for key, in_round in matches.items()}
    rows = EventRows(cast(Any, event), cast(Any, players), cast(Any, tuple(rounds)), cast(Any, by_round))
    return Known(event.version, entry or 0, rows)


def _brought_up(reader: Reader, stamp: Stamp, known: Known) -> Known | None:
    """The known rows with the matches that have changed since; None if anything else may have changed. Each
    entry raises the version by one; with fewer entries than versions, another database was put in place."""
    entries = reader.rows(_ENTRIES, str(stamp.id), known.entry)
    numbers = _changed_matches(entries)
    if numbers is None or not 0 <= stamp.version - known.version <= len(entries) <= MOST_ENTRIES:
        return None
    new = {n: MatchView._make(row) for n in numbers for row in reader.rows(_MATCH, n)}
    old = known.rows
    matches: dict[int, Any] = {
        number: tuple(new.get(m.id, m) for m in in_round) for number, in_round in old.matches.items()
    }
    version, last = known.version + len(entries), entries[-1][0] if entries else known.entry
    event = cast(EventView, old.event)._replace(version=version)
    return Known(version, last, EventRows(cast(Any, event), old.players, old.rounds, matches))


def _changed_matches(entries: Sequence[Row]) -> set[int] | None:
    """The matches in which the entries changed what was played; None if they changed anything else of the
    tournament, or do not say."""
    numbers = set()
    for _, before, after in entries:
        if not before or not after:
            return None
        for copy in (*before, *after):
            if copy["table"] not in READ_HERE:
                continue
            if copy["table"] != "match" or copy["row"] is None or not copy["row"].keys() <= OF_PLAY:
                return None
            numbers.add(copy["id"])
    return numbers
