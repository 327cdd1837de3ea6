"""The rules of Dice Forge, base game, two to four players: events at the table in, a ruling out."""

from judge.rules.dice_forge.flow.engine import rule
from judge.rules.dice_forge.state.written import as_table

__all__ = ["as_table", "rule"]
