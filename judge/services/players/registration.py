"""Self-registration by link: players join at once, after approval, or on the waiting list of a full event."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from sqlmodel import Session, func, select

from judge.core.errors import Refused
from judge.core.messages import Message
from judge.schemas.tournament.player_lists import PlayerFacts
from judge.services.event.event_view import AnyEvent
from judge.services.event.events import settings_of
from judge.services.log.changes import Actor, Change, changing
from judge.services.players.players import hero_faults, lock_places, make_player
from judge.services.players.roster import free_places, last_published
from judge.services.rulebook.heroes import find_hero
from judge.storage.events import Player


def register(
    session: Session, event: AnyEvent, facts: PlayerFacts, now: datetime, *, is_another: bool = False
) -> Change[Player]:
    """Register a player. A namesake must confirm that they are another person, because most second
    registrations come from one person who was not sure about the first."""
    settings = settings_of(event)
    if settings.registration.mode == "closed" or event.state == "finished":
        raise Refused(Message("registration_closed"))
    facts = replace(facts, heroes=tuple(find_hero(event.game, hero) for hero in facts.heroes))
    if faults := hero_faults(settings.heroes, facts.heroes):
        raise Refused(*faults)
    lock_places(session, event)
    same = select(Player.id).where(Player.event_id == event.id, func.lower(Player.name) == facts.name.lower())
    if not is_another and session.exec(same).first() is not None:
        raise Refused(Message("player_twins", name=facts.name))
    free = free_places(session, event)
    state = "registered"
    if settings.registration.mode == "approval":
        state = "pending"
    elif free == 0:
        state = "waiting"
    player = make_player(event, facts, state, last_published(session, event), now)
    with changing(session, event, Actor(facts.name), "player.registered", player) as recording:
        session.add(player)
    return recording.change.giving(player)
