"""For machines: an event as JSON, tokens, webhooks, embedded pages, a calendar."""
