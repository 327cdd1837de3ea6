"""Effect words: the table of them (`vocabulary`), and what each does."""
