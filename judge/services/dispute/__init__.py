"""A dispute at one table: entering it, ruling on it, keeping, mending, following and comparing it."""
