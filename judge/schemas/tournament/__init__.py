"""Tournament files, presets, event settings and lists of players."""
