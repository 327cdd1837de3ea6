"""What players do: checked, carried out, and what they may do next."""
