"""Dice Throne: damage, priority and legality, under three rulebooks and for any hero."""

from judge.rules.dice_throne import effects_damage, effects_tokens  # they register their effect words
from judge.rules.dice_throne.engine import carried_on, rule, rule_counting
from judge.rules.dice_throne.report import continuation

__all__ = ["carried_on", "continuation", "effects_damage", "effects_tokens", "rule", "rule_counting"]
