"""The ids of the games, declared once. What a game can do is its record in judge.services.dispute.games."""

from __future__ import annotations

from typing import Final, Literal

GameId = Literal["dice-throne", "dice-forge"]

DICE_THRONE: Final = "dice-throne"
DICE_FORGE: Final = "dice-forge"
