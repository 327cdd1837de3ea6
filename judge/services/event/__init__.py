"""An event around its rounds: settings, staff, players, registration, files, catalogue."""
