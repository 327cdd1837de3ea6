"""`judge print`: the papers of a tournament or table file as PDF (all papers of a round as ZIP)."""

from __future__ import annotations

import os
import sys
from io import StringIO
from typing import Any, get_args

import click

from judge.cli.io import load, named, print_json, printing
from judge.core.errors import fail
from judge.core.messages import Lang, Message
from judge.printing.page import PAPERS
from judge.printing.slips import PerPage
from judge.services.event.tournament_files import phrasebook
from judge.services.paper.documents import (
    OTHER_PAPERS,
    TOURNAMENT_PAPERS,
    WITHOUT_FILE,
    PrintOptions,
    print_file,
)

# Shorter jobs are done before anybody could read a bar.
PAGES_WORTH_A_BAR = 20


SLIPS: dict[str, PerPage] = {"2": 2, "4": 4, "6": 6, "8": 8}


@click.command("print")
@click.argument("kind", type=click.Choice([*TOURNAMENT_PAPERS, *OTHER_PAPERS]))
@click.argument("file", required=False)
@click.option("-o", "--output", required=True, help="Where to write; - is standard output.")
@click.option("--paper", type=click.Choice(list(PAPERS)), default="a4", show_default=True)
@click.option("--by", type=click.Choice(["table", "name"]), default="table", show_default=True)
@click.option("--per-page", type=click.Choice(list(SLIPS)), help="Slips a page (4; in the kit 8).")
@click.option("--round", "round_number", type=int, help="This round; for standings, after it.")
@click.option("--stage", type=int, help="Another stage than the one being played, from 1.")
@click.option("--next", "pair_next", is_flag=True, help="Pair the next round and print that.")
@click.option("--seed", type=int, default=0, help="Seed of --next, as in judge pair.")
@click.option("--blank", type=click.IntRange(0, 2000), default=0, help="That many blank slips.")
@click.option("--second-lang", type=click.Choice(get_args(Lang)), help="A ruling's second language.")
@click.option("--url", default="", help="Live page for the QR code; on slips {table} is the table.")
@click.option("--printed-at", default="", help="The time to print on the sheets; none if not given.")
@click.option("--number", default="", help="Number that tells old sheets from new (else counted).")
@printing
def print(
    kind: str, file: str | None, output: str, per_page: str | None, round_number: int | None,
    pair_next: bool, as_json: bool, lang: Lang, **further: Any,
) -> None:  # fmt: skip
    """Write the papers of FILE as PDF.

    KIND is pairings, standings, slips, bracket (or cross table), ruling, pocket (the judge's cards), answers
    (a booklet; these two need no FILE), hero (a sheet; FILE is the hero's name or id), kit (everything to go
    on by paper) or round (all papers of a round in a ZIP). The last round of the file is printed; a file
    without rounds is paired first. The same input gives the same bytes.
    """
    if file is None and kind not in WITHOUT_FILE:
        raise click.UsageError("Missing argument 'FILE'.")
    slips: PerPage = SLIPS[per_page] if per_page else 8 if kind == "kit" else 4
    options = PrintOptions(lang=lang, per_page=slips, round=round_number, next=pair_next, **further)
    data = file if kind == "hero" else load(file) if file is not None else None
    done = _Progress()
    document = named(file or kind, lambda: print_file(kind, data, options, done.show))
    done.close()
    _write(output, document)
    said = {"kind": kind, "file": output, "bytes": len(document), "pages": done.pages, "lang": lang,
            "paper": options.paper}  # fmt: skip
    if as_json:
        print_json(said)
    elif output != "-":
        click.echo(phrasebook(lang).say(Message("print_written", file=output, pages=done.pages)))


class _Progress:
    """Counts pages; on a terminal, long jobs show a bar."""

    def __init__(self) -> None:
        self.pages = 0
        self.bar: Any = None
        self.shown = sys.stderr if sys.stderr.isatty() else StringIO()

    def show(self, done: int, expected: int) -> None:
        self.pages += 1
        if self.bar is None and expected >= PAGES_WORTH_A_BAR and done == 1:
            self.bar = click.progressbar(length=expected, file=self.shown)
            self.bar.__enter__()
        if self.bar is not None:
            self.bar.length = max(expected, done)
            self.bar.update(1)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.__exit__(None, None, None)


def _write(output: str, document: bytes) -> None:
    if output == "-":
        sys.stdout.buffer.write(document)
        return
    try:
        with open(output, "wb") as handle:
            handle.write(document)
    except OSError as error:
        problem = fail("", "print_cannot_write", why=error.strerror or os.strerror(error.errno or 0))
        problem.add_note(output)
        raise problem from None
