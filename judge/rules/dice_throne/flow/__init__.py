"""The order of things: replay, phases, attacks, actions that meet."""
