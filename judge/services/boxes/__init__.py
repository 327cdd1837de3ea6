"""Hero boxes that are shared: which there are, who has which, and where they clash."""
