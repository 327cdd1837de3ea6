"""Shared by all commands: the file argument, --json, --lang, and the report of bad input."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, get_args

import click

from judge.core.errors import InputError, fail
from judge.core.messages import Lang, Phrasebook
from judge.schemas.files import MAX_BYTES, read_file
from judge.schemas.fixtures import sentences

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def default_lang() -> Lang:
    code = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return next((lang for lang in get_args(Lang) if code.startswith(lang)), "en")


lang_option = click.option(
    "--lang", type=click.Choice(get_args(Lang)), default=default_lang, help="Language of the answer."
)


def printing(command: F) -> F:
    """The options of every printing command."""
    return json_option(lang_option(command))


def load(path: str) -> Any:
    """Read FILE; an error names the file."""
    try:
        return read_file(path)
    except InputError as error:
        error.add_note(path)
        raise


def table_files(path: str) -> list[str]:
    """The path itself, or the table files in a folder and the folders inside it."""
    folder = Path(path)
    if not folder.is_dir():
        return [path]
    return [
        str(file) for file in sorted(folder.rglob("*")) if file.suffix in (".yaml", ".yml") and file.is_file()
    ]


def read_bytes(path: str) -> bytes:
    """The bytes of FILE, whatever its form; an error names the file."""
    if path == "-":
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    try:
        with open(path, "rb") as handle:
            return handle.read(MAX_BYTES + 1)
    except OSError as error:
        problem = fail("", "file_unreadable", why=error.strerror or str(error))
        problem.add_note(path)
        raise problem from None


def named(path: str, work: Callable[[], T]) -> T:
    """Run `work`; an error about its input names the file."""
    try:
        return work()
    except InputError as error:
        if not getattr(error, "__notes__", None):
            error.add_note(path)
        raise


def report(error: InputError) -> None:
    """One line on stderr: file, path inside it, what was expected."""
    book = Phrasebook("en", sentences("en"))
    first, *others = error.problems
    place = ": ".join([*getattr(error, "__notes__", []), *([first.path] if first.path else [])])
    more = f" (and {len(others)} more)" if others else ""
    click.echo(f"{place or 'input'}: {book.say(first.message)}{more}", err=True)


def print_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=1))
