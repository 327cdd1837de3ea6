"""Rounds before they are played: pairing, drafts, swaps, cuts, table numbers and the reasons behind them."""
