"""Pages of the list of players and of registration."""
