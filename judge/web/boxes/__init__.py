"""Pages of shared hero boxes."""
