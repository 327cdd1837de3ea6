"""What players of a tournament file still need to go on, or to be first."""

from __future__ import annotations

from typing import Any

from judge.core.messages import Lang
from judge.schemas.tournament.reader import read_event
from judge.services.event.tournament_files import entrant_called, say_all
from judge.tournament.model import Tournament
from judge.tournament.outlook.needs import Outlook, outlook


def outlook_file(
    data: Any, player: str | None = None, lang: Lang = "en", seed: int = 0
) -> list[dict[str, Any]]:
    """The outlook of everybody in the stage being played, or of one player, as docs/files.md shows it."""
    event = read_event(data)
    tournament = event.tournament(event.begun)
    who = None if player is None else entrant_called(tournament, player).id
    return [_json(tournament, one, lang) for one in outlook(event, seed) if who in (None, one.player)]


def _json(tournament: Tournament, one: Outlook, lang: Lang) -> dict[str, Any]:
    simulated = {} if one.chance is None or one.error is None else {
        "chance": round(one.chance, 4), "error": round(one.error, 4),
    }  # fmt: skip
    return {
        "player": tournament.label(one.player),
        "state": one.state,
        "needs": say_all(one.needs, lang),
        "draw_is_safe": one.draw_is_safe,
        "exact": one.is_exact,
        **simulated,
    }
