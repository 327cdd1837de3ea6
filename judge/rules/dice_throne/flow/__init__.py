"""The course of the game: replay, phases, attacks, colliding actions."""
