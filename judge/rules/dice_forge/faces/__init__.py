"""Rolled faces and what they give: one function per kind of face, Mirrors, the reserves."""
