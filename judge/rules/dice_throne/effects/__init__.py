"""Effect words and what each does."""
