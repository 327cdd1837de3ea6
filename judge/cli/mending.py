"""`judge repair`, and the output of `judge rule --compare`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from judge.cli.io import load, named, print_json, printing
from judge.core.errors import fail
from judge.core.games import GAME_NAMES
from judge.core.messages import Lang, Message, Phrasebook
from judge.schemas.books import short_name
from judge.schemas.fixtures import sentences
from judge.services.dispute import repair as mending
from judge.services.dispute.case import Case


@click.command()
@click.argument("file")
@click.option(
    "--shows", metavar="FILE", help="What the table shows now: players (and teams) as in a table file."
)
@click.option("--illegal", type=int, metavar="N", help="Event N was illegal: take it back.")
@printing
def repair(file: str, shows: str | None, illegal: int | None, as_json: bool, lang: Lang) -> None:
    """Print the changes that mend the table in FILE."""
    if shows is None and illegal is None:
        raise click.UsageError("give --shows FILE, --illegal N or both")
    data = load(file)
    if not isinstance(data, dict) or "tables" in data:
        named(file, lambda: _refuse())
    shown = load(shows) if shows is not None else None
    case: Case = named(file, lambda: Case(data))
    named(file, case.check)  # an error in the table is reported before one in SHOWN
    repaired = named(shows or file, lambda: mending.repair(case, shown, illegal, lang))
    if as_json:
        print_json(repaired)
        return
    click.echo(click.style(repaired["says"], bold=True))
    for change in repaired["changes"]:
        click.echo(f"  {change['says']}")


def _refuse() -> None:
    raise fail("", "expected_one_table")


def comparison_lines(comparison: dict[str, Any], lang: Lang) -> Iterator[str]:
    book = Phrasebook(lang, sentences(lang))
    yield click.style(str(comparison["id"] or GAME_NAMES[comparison["game"]]), bold=True)
    if not comparison["differences"]:
        names = [short_name(edition, lang) for edition in comparison["editions"]]
        yield book.say(Message("compare_same", editions=names))
        return
    yield click.style(book.say(Message("compare_differs")), bold=True)
    for entry in comparison["differences"]:
        values = " · ".join(
            f"{short_name(edition, lang)} {_plain(value)}" for edition, value in entry["values"].items()
        )
        yield f"  {entry['path']}: {values}"
    yield click.style(book.say(Message("compare_rules")), bold=True)
    for rule in comparison["rules"]:
        yield f"  {rule['id']} ({', '.join(short_name(e, lang) for e in rule['editions'])})  {rule['text']}"


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
