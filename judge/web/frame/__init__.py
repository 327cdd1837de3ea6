"""What every page shares: transactions, errors, headers, language, navigation."""
