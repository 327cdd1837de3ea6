"""The log of an event, and the offer to undo after each change."""
