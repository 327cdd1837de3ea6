"""The `judge` command. Each group of commands is a module of its own, imported only when it is called, so
that `judge --help` loads no web framework and `judge rule` only the rules engine.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys

import click

from judge import __version__
from judge.cli.io import report

# command -> (module of judge.cli, one line of help); the command's function has the command's name.
COMMANDS: dict[str, tuple[str, str]] = {
    "rule": ("rulings", "Rule on the table in a file."),
    "check": ("rulings", "Compare the rulings on tables with what they expect."),
    "repair": ("mending", "Say how to mend a table that shows something else."),
    "rules": ("books", "Print rules by id or words, or which cases decide them."),
    "answers": ("books", "Print answers to questions players asked, each with its ruling."),
    "heroes": ("books", "List, show or check heroes."),
    "standings": ("tournaments", "Print the standings of a tournament file."),
    "pair": ("tournaments", "Print the next round of a tournament file."),
    "bracket": ("tournaments", "Print the bracket of a tournament file."),
    "outlook": ("tournaments", "Print what players still need to go on or to be first."),
    "season": ("tournaments", "Print the standings of a season file."),
    "convert": ("tournaments", "Print a file of another tool as a tournament file."),
    "csv": ("tournaments", "Print players, results or standings of a tournament file as CSV."),
    "print": ("prints", "Write pairings, standings, slips, brackets, rulings ... as PDF."),
    "serve": ("server", "Start the web app."),
    "deliver": ("server", "Deliver webhooks, beside another WSGI server."),
    "migrate": ("server", "Bring the database to the shape this version needs."),
    "backup": ("server", "Write all data to one file."),
    "log": ("server", "Say whether the log of all changes is whole."),
    "restore": ("server", "Put a backup into the database."),
    "reset-password": ("server", "Print a link for a new password."),
    "invite-organiser": ("server", "Print a link for one more organiser."),
}


class LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"judge.cli.{COMMANDS[name][0]}")
        command: click.Command = getattr(module, name.replace("-", "_"))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=LazyGroup)
@click.version_option(__version__, prog_name="judge")
def cli() -> None:
    """Rulings and tournaments for Dice Throne and Dice Forge."""


def main() -> None:
    """Run the command. Exit code: 0 done, 1 a check failed, 2 bad input, which never shows a traceback."""
    from judge.core.errors import InputError

    gc.set_threshold(50_000)  # a command makes many things that all stay: looking for cycles early finds none
    try:
        cli.main(prog_name="judge")
    except InputError as error:
        report(error)
        sys.exit(2)
    except BrokenPipeError:  # `judge rule x | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
