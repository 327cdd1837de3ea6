"""What players of a tournament file still need to advance, or to win."""

from __future__ import annotations

from typing import Any

from judge.core.json_types import JsonObject
from judge.core.messages import Lang
from judge.schemas.tournament.reader import read_event
from judge.services.event.tournament_files import entrant_called, say_all
from judge.tournament.model import Tournament
from judge.tournament.outlook.needs import Outlook, outlook


def outlook_file(data: Any, player: str | None = None, lang: Lang = "en", seed: int = 0) -> list[JsonObject]:
    """The outlook of everybody in the stage being played, or of one player, as docs/files.md shows it."""
    event = read_event(data)
    tournament = event.tournament(event.begun)
    who = None if player is None else entrant_called(tournament, player).id
    outlooks = [each for each in outlook(event, seed) if who in (None, each.player)]
    return [_json(tournament, each, lang) for each in outlooks]


def _json(tournament: Tournament, outlook: Outlook, lang: Lang) -> JsonObject:
    simulated = {} if outlook.chance is None or outlook.error is None else {
        "chance": round(outlook.chance, 4), "error": round(outlook.error, 4),
    }  # fmt: skip
    return {
        "player": tournament.label(outlook.player),
        "state": outlook.state,
        "needs": say_all(outlook.needs, lang),
        "draw_is_safe": outlook.draw_is_safe,
        "exact": outlook.is_exact,
        **simulated,
    }
