"""A player declares the heroes brought to the event. From then on they are locked: their time and hash prove
that nothing was changed, and only the desk can open them again. Opponents see them when they meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from judge.core.errors import Refused
from judge.core.messages import Message
from judge.services.event.event_view import AnyEvent
from judge.services.log.changes import Actor, Change, changing, hold, unchanged
from judge.services.phone.presence import phone_settings
from judge.services.phone.sealing import seal
from judge.services.play.bans_and_picks import hero_rules
from judge.services.players.players import get_player, hero_faults
from judge.services.rulebook.heroes import find_hero
from judge.storage.events import Player

DECLARES = ("pending", "waiting", "registered", "present")


def may_declare(event: AnyEvent, state: str, declared: object) -> bool:
    """Whether this player still has heroes to declare."""
    brings = hero_rules(event).bring
    is_asked = bool(brings) and phone_settings(event).heroes and event.state != "finished"
    return is_asked and not declared and state in DECLARES


def declare(
    session: Session, event: AnyEvent, player_id: int, heroes: Sequence[str], now: datetime
) -> Change[Player]:
    event = hold(session, event)
    player = get_player(session, event, player_id)
    chosen = [find_hero(event.game, hero) for hero in heroes if hero]
    if player.declared and player.heroes == chosen:
        return unchanged("player.declared", player).giving(player)
    if not may_declare(event, player.state, player.declared):
        raise Refused(Message("phone_declared" if player.declared else "phone_declare_closed"))
    rules = hero_rules(event)
    faults = hero_faults(rules, chosen)
    if not chosen:
        faults = [Message("player_hero_count", need=rules.bring, has=0)]
    if faults:
        raise Refused(*faults)
    with changing(session, event, Actor(player.name), "player.declared", player) as recording:
        player.heroes, player.declared = chosen, seal(chosen, now)
    return recording.change.giving(player)
