"""Converts files, JSON and CSV to engine dataclasses and back. Checks shape; the engines check meaning."""
