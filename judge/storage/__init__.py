"""SQLModel tables, the database and its migrations. Independent of pages, requests and rules."""
