"""Erasing a player: the name goes from every row of the event and from its log, the results stay.

Whoever is erased is called "N. N. 12" from then on: the usual sign for a person who is not named, the same in
every language, with a number so that two of them are told apart. It cannot be undone.
"""

from __future__ import annotations

import re
from typing import Any

from sqlmodel import Session, select

from judge.services.dispute.kept_rulings import words_in
from judge.services.event.event_view import AnyEvent
from judge.services.event.players import get_player
from judge.services.log.changes import Actor, Change, changing, unchanged
from judge.storage.audit import AuditRow
from judge.storage.events import Match, Player, Round
from judge.storage.rulings import JudgeCall, KeptRuling, Penalty, TableDraft

# columns in which people are named
SPOKEN = ("why", "report", "called_by", "note", "remedy")
RULED = ("title", "players", "table", "rulings", "appeal", "ruled_by")  # of a kept ruling


def erase_player(
    session: Session, event: AnyEvent, actor: Actor, player_id: int, version: int
) -> Change[Player]:
    player = get_player(session, event, player_id, version)
    if player.is_erased:
        return unchanged("player.erased", player).giving(player)
    entries = session.exec(select(AuditRow).where(AuditRow.event_id == str(event.id))).all()
    known = _names(player, entries)
    with changing(session, event, actor, "player.erased", player) as recording:
        player.name, player.public_name, player.club = f"N. N. {player.id}", None, None
        player.is_erased, player.link = True, player.link + 1
    _scrub_rows(session, event, known, player)
    for entry in entries:
        _scrub_entry(entry, player, known)
    if (erasure := recording.entry) is not None:
        erasure.before, erasure.after = [], []  # nothing of it is kept, so nothing can be put back
    session.flush()
    return recording.change.giving(player)


def _names(player: Player, entries: Any) -> set[str]:
    """Every name the player ever had here."""
    found = {player.name, player.public_name}
    for entry in entries:
        for row in [*(entry.before or []), *(entry.after or [])]:
            if row["table"] == "player" and row["id"] == player.id and row["row"]:
                found |= {row["row"].get("name"), row["row"].get("public_name")}
    return {name for name in found if name}


def _scrub_entry(entry: AuditRow, player: Player, known: set[str]) -> None:
    for side in ("before", "after"):
        rows = getattr(entry, side)
        if rows:
            setattr(entry, side, [_scrub_row(row, player, known) for row in rows])
    entry.why = _without(entry.why, known, player.name)
    if entry.account_id is None:
        entry.actor = _without(entry.actor, known, player.name)


def _scrub_row(row: dict[str, Any], player: Player, known: set[str]) -> dict[str, Any]:
    values = row["row"]
    if not values:
        return row
    if row["table"] == "player" and row["id"] == player.id:
        now = {"name": player.name, "public_name": None, "club": None}
        return {**row, "row": {key: now.get(key, value) for key, value in values.items()}}
    if row["table"] == "kept_ruling":
        return {**row, "row": _without(values, known, player.name)}
    spoken = {key: _without(values[key], known, player.name) for key in SPOKEN if key in values}
    return {**row, "row": {**values, **spoken}}


def _scrub_rows(session: Session, event: AnyEvent, known: set[str], player: Player) -> None:
    """Pairings keep their reasons, and reasons name people."""
    for row in session.exec(select(Match).where(Match.event_id == event.id)):
        cleaned = _without(row.why, known, player.name)
        if cleaned != row.why:
            row.why = cleaned
    for round_ in session.exec(select(Round).where(Round.event_id == event.id)):
        cleaned = _without(round_.report, known, player.name)
        if cleaned != round_.report:
            round_.report = cleaned
    for call in session.exec(select(JudgeCall).where(JudgeCall.event_id == event.id)):
        _scrub_words(call, known, player.name)
    for penalty in session.exec(select(Penalty).where(Penalty.event_id == event.id)):
        _scrub_words(penalty, known, player.name)
    _scrub_rulings(session, event, known, player.name)


def _scrub_rulings(session: Session, event: AnyEvent, known: set[str], instead: str) -> None:
    """A kept ruling and a table being entered name their players everywhere."""
    for kept in session.exec(select(KeptRuling).where(KeptRuling.event_id == event.id)):
        named = {name: _without(getattr(kept, name), known, instead) for name in RULED}
        if named != {name: getattr(kept, name) for name in RULED}:
            for name, value in named.items():
                setattr(kept, name, value)
            kept.words = words_in(kept.table, kept.rulings["en"], kept.title)
    for draft in session.exec(select(TableDraft).where(TableDraft.event_id == event.id)):
        steps, title = _without(draft.steps, known, instead), _without(draft.title, known, instead)
        if (steps, title) != (draft.steps, draft.title):
            draft.steps, draft.title = steps, title


def _scrub_words(row: JudgeCall | Penalty, known: set[str], instead: str) -> None:
    for name in SPOKEN:
        if hasattr(row, name):
            cleaned = _without(getattr(row, name), known, instead)
            if cleaned != getattr(row, name):
                setattr(row, name, cleaned)


def _without(value: Any, known: set[str], instead: str) -> Any:
    """The value with the names replaced: whole in data, as whole words in sentences."""
    if isinstance(value, str):
        for name in sorted(known, key=len, reverse=True):
            # a first name alone may be a word of the language: "will", "rose", "art"
            case = re.IGNORECASE if " " in name else 0
            value = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", instead, value, flags=case)
        return value
    if isinstance(value, list):
        return [_without(item, known, instead) for item in value]
    if isinstance(value, dict):
        return {_without(key, known, instead): _without(item, known, instead) for key, item in value.items()}
    return value
