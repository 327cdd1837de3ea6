"""Claims about damage, and the mistakes that explain wrong ones."""
