"""The first table file of a match: its players, heroes and rulebook."""

from __future__ import annotations

from sqlmodel import Session

from judge.core.errors import Missing
from judge.core.games import DICE_THRONE, GAME_IDS
from judge.core.json_types import JsonObject, TableFile
from judge.core.messages import Lang
from judge.services.dispute.games import game_of
from judge.services.event.catalogue import words_of
from judge.services.event.event_view import AnyEvent, MatchView, match_view
from judge.services.event.tournament_of import display_name
from judge.services.rulebook.heroes import find_hero, hero_name
from judge.storage.events import Match, Player

LETTERS = "ABCDEF"


def unique_name(name: str, hero: str, players: list[JsonObject], k: int, lang: Lang) -> str:
    """The player's name; without one the hero, whom both players recognise; without either a letter. A name
    that another player has already gets a number."""
    names = {player["id"] for player in players}
    base = name or (hero_name(DICE_THRONE, hero, lang) if hero else LETTERS[k])
    unique, n = base, 2
    while unique in names:
        unique, n = f"{base} {n}", n + 1
    return unique


def table_of_match(
    session: Session, event: AnyEvent, match_id: int, lang: Lang
) -> tuple[TableFile, MatchView]:
    """The table file of a match of this event that two or more people play, with the event's own
    catalogue."""
    match = session.get(Match, match_id)
    if match is None or match.event_id != event.id or match.b_id is None:
        raise Missing
    has_heroes = event.game in GAME_IDS and game_of(event.game).has_heroes
    players = _players(session, match, has_heroes, lang)
    table: TableFile = {"game": event.game, "edition": event.edition, "players": players, "events": []}
    if has_heroes:
        table["mode"] = "king-of-the-hill" if match.more else "duel"
        own = words_of(session, event)
        if own:
            table["catalogue"] = own
    return table, match_view(match)


def _players(session: Session, match: Match, has_heroes: bool, lang: Lang) -> list[JsonObject]:
    rows = [session.get(Player, number) for number in match.seats]
    picks = match.selection.get("picks") or {}
    players: list[JsonObject] = []
    for k, (side, row) in enumerate(zip("abcdef", rows, strict=False)):
        name = display_name(row) if row else LETTERS[k]
        player: JsonObject = {"id": unique_name(name, "", players, k, lang)}
        hero = picks.get(side) or (row.heroes[0] if row and len(row.heroes) == 1 else None)
        if hero and has_heroes:
            player["hero"] = find_hero(DICE_THRONE, hero[0] if isinstance(hero, list) else hero)
        players.append(player)
    return players
