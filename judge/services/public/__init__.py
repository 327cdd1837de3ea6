"""What public pages show."""
