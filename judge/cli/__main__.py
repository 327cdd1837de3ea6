"""`python -m judge.cli`: the command where no script of that name is installed."""

from judge.cli import main

main()
