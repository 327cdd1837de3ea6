"""`judge rule` and `judge check`."""

from __future__ import annotations

import json
import sys
from functools import partial
from itertools import chain
from typing import Any

import click

from judge.cli.io import load, named, print_json, printing, report, table_files
from judge.core.errors import InputError
from judge.core.messages import Lang, Message, Phrasebook
from judge.rules.expectations import Difference
from judge.schemas.fixtures import sentences
from judge.schemas.shape import each
from judge.services.dispute.rulings import cases_in, check_file, continue_file, cut, rule_file


@click.command()
@click.argument("file")
@click.option("--after", type=int, help="The state after this event; those that follow are left out.")
@click.option("--table", "as_table", is_flag=True, help="Print a table file that goes on from that state.")
@click.option(
    "--all-rules", is_flag=True, help="Name every rule a line rests on, not only the deciding ones."
)
@click.option("--compare", is_flag=True, help="Rule under all rulebooks; print only what differs.")
@printing
def rule(
    file: str, after: int | None, as_table: bool, all_rules: bool, compare: bool, as_json: bool, lang: Lang
) -> None:
    """Print the ruling on the table (or tables) in FILE."""
    data = load(file)
    if as_table:
        print_json(named(file, lambda: continue_file(data, after)))
        return
    if compare:
        _print_comparison(named(file, lambda: _compared(data, lang, after)), as_json, lang)
        return
    if as_json:
        print_json(named(file, lambda: rule_file(data, lang, after)))
        return
    texts = named(file, lambda: _texts(data, lang, after, all_rules))
    click.echo("\n\n".join("\n".join(text) for text in texts))


def _texts(data: Any, lang: Lang, after: int | None, all_rules: bool) -> list[list[str]]:
    """The lines of the ruling on each table of a file."""
    from judge.cli.ruling_text import RulingText

    rulings = each(cases_in(data, after), "", lambda case, _: (case.said(lang), case.phrases(lang)))
    return [list(RulingText(ruling, book, all_rules).lines()) for ruling, book in rulings]


def _compared(data: Any, lang: Lang, after: int | None) -> Any:
    from judge.services.dispute.compare import compare_file

    return compare_file(data if after is None else cut(data, after), lang)


def _print_comparison(comparisons: Any, as_json: bool, lang: Lang) -> None:
    from judge.cli.mending import comparison_lines

    if as_json:
        print_json(comparisons)
        return
    for comparison in comparisons if isinstance(comparisons, list) else [comparisons]:
        for line in comparison_lines(comparison, lang):
            click.echo(line)


def _checked(file: str, data: Any, lang: Lang) -> list[tuple[str, list[Difference]]]:
    def name_the_file(error: InputError) -> None:
        error.add_note(file)
        report(error)

    return list(check_file(data, lang, name_the_file))


@click.command()
@click.argument("files", nargs=-1, required=True)
@printing
def check(files: tuple[str, ...], as_json: bool, lang: Lang) -> None:
    """Compare the ruling on every table with its `expect`. Of a folder all files are checked."""
    book = Phrasebook(lang, sentences(lang))
    passed, failed = 0, []
    for file in chain.from_iterable(map(table_files, files)):
        data = load(file)
        for name, differences in named(file, partial(_checked, file, data, lang)):
            if not differences:
                passed += 1
                continue
            failed.append({"file": file, "id": name, "differences": [d.as_json() for d in differences]})
            if not as_json:
                click.echo(f"{file}: {name}")
                for d in differences:
                    want, got = (json.dumps(v, ensure_ascii=False) for v in (d.expected, d.found))
                    says = Message("out_check_differs", path=d.path, want=want, got=got)
                    click.echo(f"  {book.say(says)}")
    if as_json:
        print_json({"passed": passed, "failed": failed})
    else:
        click.echo(book.say(Message("out_check_sum", passed=passed, failed=len(failed))))
    sys.exit(1 if failed else 0)
