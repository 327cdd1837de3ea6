"""For machines: tokens, webhooks with their outbox, public data, a calendar."""
