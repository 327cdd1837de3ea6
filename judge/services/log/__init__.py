"""Every change to an event: recorded, read, searched, undone."""
