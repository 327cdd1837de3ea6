"""Pairings, standings and brackets. Pure: no clock, no files, no language."""
