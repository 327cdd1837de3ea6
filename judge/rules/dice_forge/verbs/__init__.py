"""What players do: blessings, actions, feats, forging, tokens, corrections, and what each may do next."""
