"""Players check themselves in and leave the event, if the organiser lets them."""

from __future__ import annotations

from dataclasses import replace

from sqlmodel import Session

from judge.core.errors import Refused
from judge.core.messages import Message
from judge.schemas.tournament.event_settings import PhoneSettings
from judge.services.event.event_view import AnyEvent
from judge.services.event.events import settings_of
from judge.services.log.changes import Actor, Change, changing, hold, unchanged
from judge.services.players.players import drop_player, get_player, set_present
from judge.services.players.roster import PLAYING
from judge.storage.events import Player

NOT_SURE = Message("phone_not_sure")


def phone_settings(event: AnyEvent) -> PhoneSettings:
    return PhoneSettings(**event.settings.get("phones", {}))


def set_phones(session: Session, event: AnyEvent, actor: Actor, phones: PhoneSettings) -> Change[None]:
    """Say what players may do on their phones; possible at any time, since it decides nothing."""
    row = hold(session, event)
    settings = replace(settings_of(row), phones=phones).as_row()
    with changing(session, row, actor, "event.phones") as recording:
        if row.settings != settings:
            row.settings = settings
    return recording.change


def may_check_in(event: AnyEvent, state: str) -> bool:
    return phone_settings(event).check_in and event.state == "setup" and state == "registered"


def may_leave(event: AnyEvent, state: str) -> bool:
    return phone_settings(event).drop and event.state != "finished" and state in (*PLAYING, "waiting")


def check_in(session: Session, event: AnyEvent, player_id: int) -> Change[Player]:
    """Check oneself in. Twice is no fault: the second changes nothing."""
    event = hold(session, event)
    player = get_player(session, event, player_id)
    if player.state == "present":
        return unchanged("player.checked-in", player).giving(player)
    if not may_check_in(event, player.state):
        raise Refused(Message("phone_check_in_closed"))
    return set_present(session, event, Actor(player.name), player_id, present=True)


def leave(session: Session, event: AnyEvent, player_id: int, why: str = "") -> Change[Player]:
    """Leave the event after the round being played; the match at the table is still played or conceded."""
    event = hold(session, event)
    player = get_player(session, event, player_id)
    if player.state == "dropped":
        return unchanged("player.dropped", player).giving(player)
    if not may_leave(event, player.state):
        raise Refused(Message("phone_leave_closed"))
    change = drop_player(session, event, Actor(player.name), player_id, player.version, why)
    return change.giving(player)
