"""The state of a Dice Forge table: components, players, the turn, the file, the record of one event."""
