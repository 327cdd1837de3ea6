"""Dice Throne: damage, priority and legality, under three rulebooks and for any hero."""

from judge.rules.dice_throne.effects import damage_words, token_words  # they register their effect words
from judge.rules.dice_throne.flow.engine import carried_on, rule, rule_counting
from judge.rules.dice_throne.state.report import continuation

__all__ = ["carried_on", "continuation", "damage_words", "rule", "rule_counting", "token_words"]
