"""Dice Throne: damage, priority and legality, under three rulebooks and for any hero."""

# Importing these registers their effect words, in the order in which the desk lists them.
from judge.rules.dice_throne.effects import (
    choice_words,
    companion_words,
    damage_words,
    dice_words,
    hand_words,
    phase_words,
    token_words,
)
from judge.rules.dice_throne.flow.engine import carried_on, rule, rule_counting
from judge.rules.dice_throne.state.report import continuation

__all__ = [
    "carried_on", "choice_words", "companion_words", "continuation", "damage_words", "dice_words",
    "hand_words", "phase_words", "rule", "rule_counting", "token_words",
]  # fmt: skip
