"""Accounts of staff, their roles, and limits on visitors."""
