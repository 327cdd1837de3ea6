"""Pages and files of figures."""
