"""Elimination brackets: which match feeds which, playing them, and drawing them."""
