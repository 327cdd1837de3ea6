"""The event's desk while it is played."""
