"""Damage totals and health dials."""
