"""`judge rules` and `judge heroes`: look up rules and heroes."""

from __future__ import annotations

import sys
from typing import Any

import click

from judge.cli.io import named, print_json, printing
from judge.core.messages import Lang, Message, Phrasebook
from judge.schemas.fixtures import sentences
from judge.services.rulebook import rules as rulebooks


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
            click.echo(f"    {answer['mark']} {answer['source']}: {answer['text']}")
        for edition, place in rule["books"].items():
            click.echo(click.style(f"    {edition}: {place['section']}, p. {place['page']}", dim=True))


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
@click.argument("hero", required=False)
@click.option("--check", is_flag=True, help="Check the shipped heroes, or the catalogue in the file HERO.")
@printing
def heroes(hero: str | None, check: bool, as_json: bool, lang: Lang) -> None:
    """List the heroes, show the one with the id HERO, or check them."""
    if check:
        counts = named(hero or "fixtures", lambda: rulebooks.check_heroes(hero))
        book = Phrasebook(lang, sentences(lang))
        print_json(counts) if as_json else click.echo(book.say(Message("out_checked", **counts)))
        return
    if hero is None:
        listed = rulebooks.heroes(lang)
        if as_json:
            print_json(listed)
        else:
            for line in listed:
                click.echo(f"{line['id']:<16} {line['name']}")
        return
    sheet = rulebooks.hero(hero, lang)
    if as_json:
        print_json(sheet)
        return
    click.echo(click.style(sheet["name"], bold=True) + "  " + " ".join(sheet["die"]))
    for kind in ("abilities", "cards"):
        for thing in sheet[kind]:
            cost = "" if thing.get("cost") is None else f" {thing['cost']} CP"
            doubt = "" if thing["known"] else " (?)"
            click.echo(f"  {thing['id']:<24} {thing['kind']:<10} {thing['name']}{cost}{doubt}")
