"""Figures of an event or a season: heroes, first player, health, each with its uncertainty."""
