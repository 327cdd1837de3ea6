"""Effect words: one table of them (`vocabulary`), and what each does."""
