"""An event around its rounds: settings, staff, files, catalogue."""
