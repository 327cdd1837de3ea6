"""The final score, and claims about a score or a reserve."""
