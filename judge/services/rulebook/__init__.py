"""Rules and heroes as people look them up."""
