"""What players do on their own phones: checking in, leaving, declaring heroes, the toss, bans and picks."""
