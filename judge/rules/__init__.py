"""The rules engines. Pure: a table in, a ruling out. No clock, no files, no language."""
