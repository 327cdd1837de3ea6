"""Reads Dice Forge files, tables and the game's components, into dataclasses."""

from judge.schemas.dice_forge.table import name_of, read_table

__all__ = ["name_of", "read_table"]
