"""Pages of rulings, being entered or kept."""
