"""Dice Throne at the judge's desk: its record, what can be tapped, and what is asked."""
