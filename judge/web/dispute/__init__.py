"""The judge's desk: entering a table, its ruling, kept rulings, whole games."""
