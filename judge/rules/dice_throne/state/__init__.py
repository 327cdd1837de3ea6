"""The state of the table: players, turn, attack, tokens, edition; and its report."""
