"""Seasons: pages of a table over several events."""
