"""What players still need to go on or to be first, before the last result is in."""
