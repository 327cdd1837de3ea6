"""Pages on which a table is entered."""
