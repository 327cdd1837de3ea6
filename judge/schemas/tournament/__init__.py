"""Reads and writes tournament files, presets, event settings and lists of players."""
