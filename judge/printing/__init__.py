"""Paper: reportlab documents of rulings and events, and the fonts they are set in."""
