"""The ids of the games, declared once. What a game can do is its record in judge.services.dispute.games."""

from __future__ import annotations

from typing import Final, Literal, get_args

GameId = Literal["dice-throne", "dice-forge"]

DICE_THRONE: Final = "dice-throne"
DICE_FORGE: Final = "dice-forge"
GAME_NAMES: Final = {DICE_THRONE: "Dice Throne", DICE_FORGE: "Dice Forge"}
GAME_IDS: tuple[GameId, ...] = get_args(GameId)
OTHER_GAME: Final = "other"  # a tournament may be of any game; judge rules only on its own
