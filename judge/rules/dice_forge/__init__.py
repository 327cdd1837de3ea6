"""Dice Forge, base game, two to four players: the rules sheet as a function of what was done at the table."""

from judge.rules.dice_forge.engine import rule
from judge.rules.dice_forge.written import as_table

__all__ = ["as_table", "rule"]
