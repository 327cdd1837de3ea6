"""The events in the order of the rules: set-up, step 1, turns, the replay and the ruling made of it."""
