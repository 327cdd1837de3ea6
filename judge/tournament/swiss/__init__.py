"""Swiss pairing: the players to pair, the cost of each pair, the optimum, and its reasons."""
