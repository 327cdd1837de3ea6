"""SQLModel tables, the database and its migrations. Knows nothing of pages, requests or rules."""
