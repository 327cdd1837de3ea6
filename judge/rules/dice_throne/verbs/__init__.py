"""The verbs: how each is checked and carried out, and what players may do next."""
