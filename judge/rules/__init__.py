"""The rules engines: pure functions from a table to a ruling. No clock, no files, no language."""
