"""Claims about damage, and the mistakes behind wrong ones."""
