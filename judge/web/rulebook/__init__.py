"""The rule book, hero sheets and calculators."""
