"""Types that every layer shares: messages, references to named things, and errors."""
