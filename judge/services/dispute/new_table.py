"""The first table file of a match: its players, heroes and rulebook."""

from __future__ import annotations

from typing import Any

from sqlmodel import Session

from judge.core.errors import Missing
from judge.core.games import DICE_THRONE, GAME_IDS
from judge.core.messages import Lang
from judge.services.dispute.games import game_of
from judge.services.event.catalogue import words_of
from judge.services.event.event_view import AnyEvent, MatchView, match_view
from judge.services.event.tournament_of import display_name
from judge.services.rulebook.heroes import hero_name
from judge.storage.events import Match, Player

LETTERS = "ABCDEF"


def called(name: str, hero: str, players: list[dict[str, Any]], k: int, lang: Lang) -> str:
    """By name; without one by the hero, which both players recognise; without either by a letter."""
    taken = {player["id"] for player in players}
    wanted = name or (hero_name(DICE_THRONE, hero, lang) if hero else LETTERS[k])
    unique, again = wanted, 2
    while unique in taken:
        unique, again = f"{wanted} {again}", again + 1
    return unique


def table_of_match(
    session: Session, event: AnyEvent, match_id: int, lang: Lang
) -> tuple[dict[str, Any], MatchView]:
    """The table file of a match of this event that two or more people play, with the event's own words."""
    match = session.get(Match, match_id)
    if match is None or match.event_id != event.id or match.b_id is None:
        raise Missing
    has_heroes = event.game in GAME_IDS and game_of(event.game).has_heroes
    players = _players(session, match, has_heroes, lang)
    table: dict[str, Any] = {"game": event.game, "edition": event.edition, "players": players, "events": []}
    if has_heroes:
        table["mode"] = "king-of-the-hill" if match.more else "duel"
        own = words_of(session, event)
        if own:
            table["catalogue"] = own
    return table, match_view(match)


def _players(session: Session, match: Match, has_heroes: bool, lang: Lang) -> list[dict[str, Any]]:
    rows = [session.get(Player, number) for number in match.seats]
    picks = match.selection.get("picks") or {}
    players: list[dict[str, Any]] = []
    for k, (side, row) in enumerate(zip("abcdef", rows, strict=False)):
        name = display_name(row) if row else LETTERS[k]
        player: dict[str, Any] = {"id": called(name, "", players, k, lang)}
        hero = picks.get(side) or (row.heroes[0] if row and len(row.heroes) == 1 else None)
        if hero and has_heroes:
            player["hero"] = hero[0] if isinstance(hero, list) else hero
        players.append(player)
    return players
