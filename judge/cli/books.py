"""`judge rules`, `judge answers` and `judge heroes`: look up rules, answers and heroes."""

from __future__ import annotations

import sys
from typing import Any

import click

from judge.cli.io import named, print_json, printing
from judge.core.games import DICE_THRONE
from judge.core.messages import Lang, Message, Phrasebook, Ref
from judge.rules.answers import Answer
from judge.rules.ruling_words import place_in_words
from judge.schemas.books import short_name
from judge.schemas.fixtures import sentences
from judge.services.rulebook import rules as rulebooks
from judge.services.rulebook.hero_sheet import hero_sheet
from judge.services.rulebook.heroes import find_hero
from judge.services.rulebook.origins import named_sources
from judge.services.rulebook.sheet_rows import in_rows


@click.command()
@click.argument("words", nargs=-1)
@click.option("--coverage", is_flag=True, help="Per rule the cases that decide it.")
@printing
def rules(words: tuple[str, ...], coverage: bool, as_json: bool, lang: Lang) -> None:
    """Print all rules, the one with an ID, or those with all WORDS (with --coverage: files of cases)."""
    if coverage:
        _print_coverage(rulebooks.coverage(words), as_json, lang)
        return
    matching = rulebooks.find_rules(" ".join(words) or None, lang)
    book = Phrasebook(lang, sentences(lang), lambda ref, lang: short_name(ref.id, lang))
    if as_json:
        print_json(matching)
        return
    for rule in matching:
        click.echo(f"{click.style(rule['id'], bold=True)}  {rule['text']}")
        for letter, text in rule.get("readings", {}).items():
            click.echo(f"    {letter}{'*' if rule['adopted'] == letter else ' '} {text}")
        if "reason" in rule:
            click.echo(f"      {rule['reason']}")
        for answer in rule.get("evidence", ()):
            click.echo(f"    {answer['mark']} {named_sources(answer['source'], lang)}: {answer['text']}")
        for edition, place in rule["books"].items():
            named_place = {"edition": edition, **place}
            click.echo(click.style(f"    {place_in_words(named_place, book)}", dim=True))


def _print_coverage(entries: list[dict[str, Any]], as_json: bool, lang: Lang) -> None:
    book = Phrasebook(lang, sentences(lang))
    missing = [e for e in entries if e["kind"] == "decided" and not e["cases"]]
    if as_json:
        print_json(entries)
    else:
        for entry in entries:
            message = (
                Message("out_covered", n=len(entry["cases"]))
                if entry["cases"]
                else Message("out_not_covered")
            )
            shown = entry["kind"] if entry["kind"] != "decided" and not entry["cases"] else book.say(message)
            click.echo(f"{entry['id']:<14} {shown:<14} {' '.join(entry['cases'][:4])}")
    sys.exit(1 if missing else 0)


@click.command()
@click.argument("words", nargs=-1)
@printing
def answers(words: tuple[str, ...], as_json: bool, lang: Lang) -> None:
    """Print all answers, or those to a question in WORDS (any language), the likeliest first."""
    from judge.services.rulebook.answers import answers_file, find_answers

    asked = " ".join(words)
    if as_json:
        print_json(answers_file(asked, lang))
        return
    matching = find_answers(asked)
    if not asked:
        for answer in matching:
            click.echo(f"{click.style(answer.question[lang], bold=True)} {answer.says[lang]}")
        return
    _print_answer(matching[0], lang)
    if matching[1:]:
        book = Phrasebook(lang, sentences(lang))
        click.echo("\n" + book.say(Message("answers_more", n=len(matching) - 1)))
    for answer in matching[1:]:
        click.echo(f"  {answer.question[lang]}")


def _print_answer(answer: Answer, lang: Lang) -> None:
    """Question, answer, where it comes from, and the ruling that proves it."""
    from judge.cli.ruling_text import RulingText
    from judge.services.rulebook.answers import ruled, view

    shown, case = view(answer, lang), ruled(answer.proof)
    book = case.phrases(lang)
    click.echo(click.style(shown.question, bold=True))
    click.echo(shown.says)
    for edition, says in shown.differing.items():
        click.echo(book.say(Message("answer_differs", book=Ref("book", edition), says=says)))
    authority = Message(f"answer_{shown.authority}")
    click.echo(
        click.style(book.say(Message("answer_source", authority=authority, source=shown.source)), dim=True)
    )
    click.echo()
    for line in RulingText(dict(case.said(lang)), book).lines():
        click.echo(line)


@click.command()
@click.argument("hero", required=False)
@click.option("--check", is_flag=True, help="Check the shipped heroes, or the catalogue in the file HERO.")
@printing
def heroes(hero: str | None, check: bool, as_json: bool, lang: Lang) -> None:
    """List the heroes by season, show the sheet of HERO (its id or name), or check them."""
    book = Phrasebook(lang, sentences(lang))
    if check:
        counts = named(hero or "fixtures", lambda: rulebooks.check_heroes(hero))
        print_json(counts) if as_json else click.echo(book.say(Message("out_checked", **counts)))
        return
    if hero is None:
        listed = rulebooks.heroes(lang)
        if as_json:
            print_json(listed)
        else:
            for line in listed:
                partial = f" · {book.say(Message('hero_partial'))}" if line["partial"] else ""
                click.echo(f"{line['id']:<18} {line['name']:<22} {line['season']}{partial}")
        return
    sheet = rulebooks.hero(hero, lang)
    if as_json:
        print_json(sheet)
        return
    _print_sheet(hero, lang)


def _print_sheet(hero: str, lang: Lang) -> None:
    """The hero's sheet, as on its page and on paper."""
    sheet = hero_sheet(find_hero(DICE_THRONE, hero), lang)
    if sheet is None:
        return
    page = in_rows(sheet, lang)
    click.echo(f"{click.style(page.name, bold=True)}  {page.over}")
    if page.die:
        click.echo("  ".join(f"{n} {face.name}" for n, face in enumerate(page.die, start=1)))
    for block in page.blocks:
        indent = "  " if block.rows else ""
        click.echo(
            f"{indent}{click.style(block.title, bold=True)}{f'  ({block.aside})' if block.aside else ''}"
        )
        for row in block.rows:
            text = ": ".join(filter(None, (row.need.says if row.need else "", row.text)))
            line = " ".join(filter(None, (row.label, text)))
            click.echo(click.style(f"{'    ' + '  ' * row.indent}{line}", dim=row.is_note or None))
    if sheet.sources:
        named = "; ".join(map(str, sheet.sources))
        click.echo(
            click.style(
                Phrasebook(lang, sentences(lang)).say(Message("hero_sources", sources=named)), dim=True
            )
        )
