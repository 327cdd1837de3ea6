"""From files, JSON and CSV to engine dataclasses and back. Shape is checked here; meaning in the engines."""
