"""Rounds as they are played: results, reports, corrections, clock, calls, penalties."""
