"""Words that every layer shares: messages, references to named things, and the error types."""
