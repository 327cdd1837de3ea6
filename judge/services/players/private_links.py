"""Finds the player or the match of a private link that is still valid."""

from __future__ import annotations

from sqlalchemy import bindparam
from sqlmodel import Session, col

from judge.services.event.event_view import (
    EventView,
    MatchView,
    PlayerView,
    event_view,
    match_view,
)
from judge.storage.events import Event, Match, Player
from judge.storage.reader import Prepared, reader_of, select_columns

_PLAYER_AND_EVENT = Prepared(
    select_columns(
        *(getattr(Player, name) for name in PlayerView._fields),
        *(getattr(Event, name) for name in EventView._fields),
    )
    .join(Event, col(Event.id) == Player.event_id)
    .where(Player.id == bindparam("player")),
    "player",
)


def find_linked_player(session: Session, number: int, link: int) -> tuple[EventView, PlayerView] | None:
    """The player and their event; None if a newer link was issued or the player is gone."""
    for row in reader_of(session).rows(_PLAYER_AND_EVENT, number):
        own = len(PlayerView._fields)
        player, event = PlayerView._make(row[:own]), EventView._make(row[own:])
        return (event, player) if player.link == link and not player.is_erased else None
    return None


def find_linked_match(session: Session, number: int, link: int) -> tuple[EventView, MatchView] | None:
    """The match and its event; None if there is no such match any more."""
    match = session.get(Match, number)
    if match is None or match.link != link:
        return None
    return event_view(session.get_one(Event, match.event_id)), match_view(match)
