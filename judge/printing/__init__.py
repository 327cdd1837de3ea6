"""Every document an event needs, as PDF bytes. Uses no files, no database, no clock and no web."""
