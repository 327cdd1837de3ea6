"""Paper: every document a hall needs, as PDF bytes. Knows no files, no database, no clock and no web."""
