"""Dice Forge files: tables and the box, read into dataclasses."""

from judge.schemas.dice_forge.table import name_of, read_table

__all__ = ["name_of", "read_table"]
