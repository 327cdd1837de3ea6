"""Dice Throne: damage, priority and legality, under three rulebooks and for any hero."""

from judge.rules.dice_throne.engine import rule

__all__ = ["rule"]
