"""Pages of rounds and pairing."""
