"""An organiser's pages: events, staff, players, registration, files, catalogue."""
