"""Finds the player or the match of a private link that is still valid."""

from __future__ import annotations

from sqlmodel import Session

from judge.services.event.event_view import (
    EventView,
    MatchView,
    PlayerView,
    event_view,
    match_view,
    player_view,
)
from judge.storage.events import Event, Match, Player


def find_linked_player(session: Session, number: int, link: int) -> tuple[EventView, PlayerView] | None:
    """The player and their event; None if a newer link was issued or the player is gone."""
    player = session.get(Player, number)
    if player is None or player.link != link or player.is_erased:
        return None
    return event_view(session.get_one(Event, player.event_id)), player_view(player)


def find_linked_match(session: Session, number: int, link: int) -> tuple[EventView, MatchView] | None:
    """The match and its event; None if there is no such match any more."""
    match = session.get(Match, number)
    if match is None or match.link != link:
        return None
    return event_view(session.get_one(Event, match.event_id)), match_view(match)
