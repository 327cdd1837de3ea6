"""Signing in, accounts, and who may do what."""
