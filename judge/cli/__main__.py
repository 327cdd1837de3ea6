"""Runs the command as `python -m judge.cli`, where the script `judge` is not installed."""

from judge.cli import main

main()
