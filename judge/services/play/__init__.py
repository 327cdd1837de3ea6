"""Rounds as they are played: pairing, results, reports, corrections, clock, calls, penalties."""
