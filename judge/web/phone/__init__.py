"""Players' phones: pages behind a private link on which players act for themselves."""
