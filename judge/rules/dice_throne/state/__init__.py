"""What lies on the table: players, turn, attack, tokens, edition; and the report of it."""
