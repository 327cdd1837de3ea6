"""From files and events to printed documents."""
