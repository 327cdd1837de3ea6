"""Erases a player: removes the name from every row and log entry of the event, and keeps the results.

An erased player is called "N. N. 12": the usual sign for an unnamed person in every language, with a number
to tell two of them apart. It cannot be undone.
"""

from __future__ import annotations

import re
from typing import Any

from sqlmodel import Session, select

from judge.services.dispute.kept_rulings import words_in
from judge.services.event.event_view import AnyEvent
from judge.services.log.chain import note_erasure
from judge.services.log.changes import Actor, Change, RowCopy, changing, unchanged
from judge.services.players.players import get_player
from judge.services.players.roster import names_of_members
from judge.storage.audit import AuditRow
from judge.storage.events import Announcement, Match, Player, Round
from judge.storage.rulings import JudgeCall, KeptRuling, Penalty, TableDraft

# columns with text that may name people
FREE_TEXT = ("why", "report", "called_by", "note", "remedy", "text")
RULED = ("title", "players", "table", "rulings", "appeal", "ruled_by")  # of a kept ruling


def erase_player(
    session: Session, event: AnyEvent, actor: Actor, player_id: int, version: int
) -> Change[Player]:
    player = get_player(session, event, player_id, version)
    if player.is_erased:
        return unchanged("player.erased", player).giving(player)
    entries = session.exec(select(AuditRow).where(AuditRow.event_id == str(event.id))).all()
    names = _names(player, entries)
    with changing(session, event, actor, "player.erased", player) as recording:
        player.name, player.public_name, player.club = f"N. N. {player.id}", None, None
        player.members, player.key = [], None
        player.is_erased, player.link = True, player.link + 1
    _scrub_rows(session, event, names, player)
    for entry in entries:
        _scrub_entry(entry, player, names)
    if (erasure := recording.entry) is not None:
        erasure.before, erasure.after = [], []  # no copy is kept, so it cannot be undone
    for entry in (*entries, *([recording.entry] if recording.entry else [])):
        note_erasure(entry)
    session.flush()
    return recording.change.giving(player)


def _names(player: Player, entries: Any) -> set[str]:
    """Every name the player ever had in this event."""
    names = {player.name, player.public_name, *names_of_members(player)}
    for entry in entries:
        for row in [*(entry.before or []), *(entry.after or [])]:
            if row["table"] == "player" and row["id"] == player.id and row["row"]:
                names |= {row["row"].get("name"), row["row"].get("public_name")}
    return {name for name in names if name}


def _scrub_entry(entry: AuditRow, player: Player, names: set[str]) -> None:
    for side in ("before", "after"):
        rows = getattr(entry, side)
        if rows:
            setattr(entry, side, [_scrub_row(row, player, names) for row in rows])
    entry.why = _without(entry.why, names, player.name)
    if entry.account_id is None:
        entry.actor = _without(entry.actor, names, player.name)


def _scrub_row(row: RowCopy, player: Player, names: set[str]) -> RowCopy:
    values = row["row"]
    if not values:
        return row
    if row["table"] == "player" and row["id"] == player.id:
        erased: dict[str, Any] = {
            "name": player.name,
            "public_name": None,
            "club": None,
            "members": [],
            "key": None,
        }
        return {**row, "row": {key: erased.get(key, value) for key, value in values.items()}}
    if row["table"] == "kept_ruling":
        return {**row, "row": _without(values, names, player.name)}
    texts = {key: _without(values[key], names, player.name) for key in FREE_TEXT if key in values}
    return {**row, "row": {**values, **texts}}


def _scrub_rows(session: Session, event: AnyEvent, names: set[str], player: Player) -> None:
    """Remove the names from the reasons of pairings, calls, penalties and rulings."""
    for row in session.exec(select(Match).where(Match.event_id == event.id)):
        cleaned = _without(row.why, names, player.name)
        if cleaned != row.why:
            row.why = cleaned
    for round_ in session.exec(select(Round).where(Round.event_id == event.id)):
        cleaned = _without(round_.report, names, player.name)
        if cleaned != round_.report:
            round_.report = cleaned
    for call in session.exec(select(JudgeCall).where(JudgeCall.event_id == event.id)):
        _scrub_words(call, names, player.name)
    for penalty in session.exec(select(Penalty).where(Penalty.event_id == event.id)):
        _scrub_words(penalty, names, player.name)
    for said in session.exec(select(Announcement).where(Announcement.event_id == event.id)):
        cleaned = _without(said.text, names, player.name)
        if cleaned != said.text:
            said.text = cleaned
    _scrub_rulings(session, event, names, player.name)


def _scrub_rulings(session: Session, event: AnyEvent, names: set[str], instead: str) -> None:
    """Remove the names from kept rulings and drafts, which contain them everywhere."""
    for kept in session.exec(select(KeptRuling).where(KeptRuling.event_id == event.id)):
        values = {column: _without(getattr(kept, column), names, instead) for column in RULED}
        if values != {column: getattr(kept, column) for column in RULED}:
            for column, value in values.items():
                setattr(kept, column, value)
            kept.words = words_in(kept.table, kept.rulings["en"], kept.title)
    for draft in session.exec(select(TableDraft).where(TableDraft.event_id == event.id)):
        steps, title = _without(draft.steps, names, instead), _without(draft.title, names, instead)
        if (steps, title) != (draft.steps, draft.title):
            draft.steps, draft.title = steps, title


def _scrub_words(row: JudgeCall | Penalty, names: set[str], instead: str) -> None:
    for column in FREE_TEXT:
        if hasattr(row, column):
            cleaned = _without(getattr(row, column), names, instead)
            if cleaned != getattr(row, column):
                setattr(row, column, cleaned)


def _without(value: Any, names: set[str], instead: str) -> Any:
    """The value with the names replaced wherever they stand as whole words."""
    if isinstance(value, str):
        for name in sorted(names, key=len, reverse=True):
            # a first name alone may be an ordinary word: "will", "rose", "art"
            case = re.IGNORECASE if " " in name else 0
            value = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", instead, value, flags=case)
        return value
    if isinstance(value, list):
        return [_without(item, names, instead) for item in value]
    if isinstance(value, dict):
        return {_without(key, names, instead): _without(item, names, instead) for key, item in value.items()}
    return value
