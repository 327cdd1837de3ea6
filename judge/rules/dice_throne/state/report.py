"""The state as the ruling shows it, and as a table file that continues the game."""

from __future__ import annotations

from typing import Any

from judge.rules.dice_throne.flow.attack import leaders
from judge.rules.dice_throne.state.model import Game, Player
from judge.rules.dice_throne.verbs.rolling import attempts_allowed


def players(game: Game) -> dict[str, dict[str, Any]]:
    return {player.id: player_state(game, player) for player in game.seats}


def player_state(game: Game, player: Player) -> dict[str, Any]:
    """Every key of the player they began as, and what has come since."""
    state: dict[str, Any] = {
        "health": game.health_of(player),
        "cp": player.cp,
        "hand": player.hand,
        "statuses": dict(player.statuses),
    }
    given = player.given
    if player.hero_id is not None:
        state["hero"] = player.hero_id
    if player.team is not None:
        state["team"] = player.team
    if player.deck is not None:
        state["deck"] = player.deck
    if player.discard is not None:
        state["discard"] = player.discard
    if player.limits or "limits" in given:
        state["limits"] = dict(player.limits)
    if player.upgrades or "upgrades" in given:
        state["upgrades"] = {name: _upgrade(game, player, name) for name in player.upgrades}
    if player.companions or "companions" in given:
        state["companions"] = dict(player.companions)
    if "die" in given:
        state["die"] = list(player.die)
    if player.side:
        state["side"] = player.side
    return state


def _upgrade(game: Game, player: Player, name: str) -> Any:
    upgrade = player.upgrades[name]
    card = game.catalog.find_upgrade(player.hero_id, name, upgrade.level)
    if upgrade.cost is None or (card is not None and card.cost == upgrade.cost):
        return upgrade.level
    return {"level": upgrade.level, "cost": upgrade.cost}


def turn(game: Game) -> dict[str, Any]:
    active = game.active or game.seats[0]
    is_rolling = game.attack is None and game.phase in (None, "offensive-roll")
    state: dict[str, Any] = {
        "active": active.id,
        "phase": game.phase,
        "attempts_left": max(attempts_allowed(game) - game.attempts, 0) if is_rolling else 0,
        "leaders": leaders(game) if game.mode == "king-of-the-hill" else [],
    }
    if game.dice is not None and is_rolling:
        state["dice"] = list(game.dice)
    if game.announced is not None:
        state["announced"] = game.announced
    return state


def _remembered(game: Game) -> dict[str, Any]:
    """What this turn has used up; between two turns there is nothing."""
    target = game.extra_target
    kept: dict[str, Any] = {
        "resolved": dict(game.resolved),
        "skipped": dict(game.skipped),
        "extra_attempts": game.extra_attempts,
        "extra_target": target.id if target is not None else None,
        "altered": game.altered,
    }
    return {key: value for key, value in kept.items() if value}


def continuation(game: Game) -> dict[str, Any]:
    """Players and turn as a table file gives them: a game cut between two turns goes on from here.

    `aged` names the statuses a player has held since the beginning of their own turn.
    """
    seats = []
    for player in game.seats:
        state = {
            "id": player.id,
            **player_state(game, player),
            "aged": sorted(player.aged & player.statuses.keys()),
        }
        if any(player.foreign.values()):
            state["foreign"] = dict(player.foreign)
        if game.is_team_game:
            del state["health"]
        seats.append(state)
    now: dict[str, Any] = {"active": (game.active or game.seats[0]).id, "attempts": game.attempts}
    if game.phase is not None:
        now["phase"] = game.phase
    if game.first:
        now["first"] = True
    if game.dice is not None:
        now["dice"] = list(game.dice)
    if game.announced is not None:
        now["announced"] = game.announced
    if game.table.turn.order:
        now["order"] = list(game.table.turn.order)
    now.update(_remembered(game))
    result: dict[str, Any] = {"players": seats, "turn": now}
    if game.is_team_game:
        result["teams"] = dict(game.teams)
    return result
