"""Reads Dice Throne files, tables, heroes, effects and editions, into dataclasses."""

from judge.schemas.dice_throne.names import name_of
from judge.schemas.dice_throne.table import read_table

__all__ = ["name_of", "read_table"]
